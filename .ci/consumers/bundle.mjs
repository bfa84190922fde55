// Bundles the package for browsers, like a consumer, and prints its size. Fails if anything needs Node, or if a page
// loads faker at once.
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

for (const entry of ['flagdouble', 'flagdouble/browser']) {
  const { outputFiles, metafile } = await build({
    stdin: { contents: `export * from '${entry}'`, resolveDir: process.cwd() },
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    outdir: 'out',
    metafile: true,
    write: false,
  })
  const chunks = Object.entries(metafile.outputs)
  const nodeImports = chunks.flatMap(([, { imports }]) => imports.filter(({ path }) => path.startsWith('node:')))
  if (nodeImports.length > 0) throw new Error(`${entry} imports ${nodeImports.map(({ path }) => path)}`)
  // Dynamically imported chunks are also entry points.
  const start = chunks.find(([, { entryPoint }]) => entryPoint === '<stdin>')?.[0]
  const atOnce = reachable(start, metafile.outputs)
  const faker = chunks.filter(([, { inputs }]) => Object.keys(inputs).some((input) => input.includes('@faker-js')))
  if (faker.length === 0) throw new Error(`${entry} never loads faker`)
  if (faker.some(([path]) => atOnce.has(path))) throw new Error(`${entry} loads faker at once`)
  const bytes = outputFiles.filter(({ path }) => [...atOnce].some((name) => path.endsWith(name)))
  const size = bytes.reduce((sum, { contents }) => sum + gzipSync(contents).length, 0)
  process.stdout.write(`${entry}: ${Math.round(size / 1000)} kB gzipped at once, faker later\n`)
}

/** The chunk and all chunks that it imports statically. */
function reachable(path, outputs, seen = new Set()) {
  if (path === undefined || seen.has(path)) return seen
  seen.add(path)
  for (const next of outputs[path]?.imports ?? []) {
    if (next.kind !== 'dynamic-import') reachable(next.path, outputs, seen)
  }
  return seen
}
