// Builds dist/, or the folder named on the command line: one ES module per entry with its types next to it, and shared
// code in chunks/. Their code keeps its lines and names, so that stack traces are readable. The command line is one file.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { basename, extname, isAbsolute, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, transform } from 'esbuild'
import { rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { billOf, bundledPackages, licensesOf } from './bundled-packages.js'
import { declareCommonJs, writeCommonJs } from './commonjs.js'
import entries from './entries.json' with { type: 'json' }
import { panelAssets, panelFiles } from './panel-assets.js'

const root = join(import.meta.dirname, '..')
const folder = process.argv.slice(2).find((argument) => !argument.startsWith('--'))
const outdir = folder === undefined ? join(root, 'dist') : resolve(folder)

/** The entries that users import by name. Jest imports the others. */
const named = Object.keys(entries).filter((name) => !name.includes('/'))

/** commander and cross-spawn call require() for Node's modules. ES modules have no require(), so this imports them. */
const requireToImport = {
  name: 'require-to-import',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[\w:]+$/ }, ({ path, kind }) =>
      kind === 'require-call' && isBuiltin(path) ? { path, namespace: 'required' } : undefined,
    )
    onLoad({ filter: /./, namespace: 'required' }, ({ path }) => {
      const name = `'node:${path.replace('node:', '')}'`
      return { contents: `export * from ${name}; export { default } from ${name}` }
    })
  },
}

/** The code needs only the version from package.json. */
const versionAlone = {
  name: 'version-alone',
  setup({ onLoad }) {
    onLoad({ filter: /\/package\.json$/ }, ({ path }) => {
      if (path !== join(root, 'package.json')) return undefined
      const { version } = JSON.parse(readFileSync(path, 'utf8'))
      return { contents: JSON.stringify({ version }), loader: 'json' }
    })
  },
}

/**
 * Removes comments from the code, and shortens names in packages' code. Declarations keep their comments, and so do files
 * with esbuild's annotations about side effects.
 */
const withoutComments = {
  name: 'without-comments',
  setup({ onLoad }) {
    onLoad({ filter: /\.([jt]s|tsx|mjs)$/, namespace: 'file' }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      const isAnnotated = /__(PURE|NO_SIDE_EFFECTS)__/.test(text)
      const isOfPackage = /[\\/]node_modules[\\/]/.test(path)
      if (isAnnotated && !isOfPackage) return undefined
      const loader = extname(path).slice(1).replace('mjs', 'js')
      const shortened = { minifyIdentifiers: isOfPackage, minifyWhitespace: !isAnnotated }
      const options = { loader, jsx: 'preserve', legalComments: 'none', ...shortened }
      return { contents: (await transform(text, options)).code, loader: loader === 'tsx' ? 'jsx' : 'js' }
    })
  },
}

/**
 * Makes each entry first import a file that fails with a message on an old Node. The command line prints the message
 * itself. A browser bundle omits the file, because package.json doesn't list it among those with side effects.
 */
function refuseOldNode() {
  const [needed] = /[\d.]+/.exec(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).engines.node)
  const [major, minor] = needed.split('.')
  const text = `'flagdouble needs Node ${needed} or newer; this is ' + node.split('.', 2).join('.')`
  const code = `const { node } = globalThis.process?.versions ?? {}
const [major, minor] = (node ?? '${needed}').split('.').map(Number)
if (major < ${major} || (major === ${major} && minor < ${minor})) throw Object.assign(new Error(${text}), { stack: ${text} })
`
  writeFileSync(join(outdir, 'old-node.js'), code)
  for (const entry of Object.keys(entries)) {
    const path = join(outdir, `${entry}.js`)
    const up = entry.includes('/') ? '../' : './'
    writeFileSync(path, `import '${up}old-node.js'\n${readFileSync(path, 'utf8')}`)
  }
}

/** Minifies a file that is mostly code of packages, or of the panel. Own code stays unchanged, for stack traces. */
async function shorten(path, inputs) {
  const [bytes, packages] = [{ own: 0, other: 0 }, new Set()]
  for (const [file, { bytesInOutput }] of Object.entries(inputs)) {
    const [name] = /node_modules\/(@[^/]+\/)?[^/]+\/|src\/panel\//.exec(file) ?? []
    bytes[name ? 'other' : 'own'] += bytesInOutput
    if (name) packages.add(`// ${name}\n`)
  }
  if (bytes.other < 2 * bytes.own) return
  const { code } = await transform(readFileSync(path, 'utf8'), { minify: true, legalComments: 'none' })
  writeFileSync(path, [...packages, code].join(''))
}

const common = {
  absWorkingDir: root,
  target: 'es2022',
  mainFields: ['module', 'main'],
  conditions: ['import', 'module'],
  bundle: true,
  metafile: true,
  // Consumers install peers. The other packages are large; faker and @msw/data are loaded only on use.
  external: ['node:*', 'msw', 'vitest', '@playwright/test', '@faker-js/faker', '@msw/data', 're2js'],
}

/**
 * Builds the command line as one CommonJS file, which Node loads in less time than the same code in forty ES modules. Its
 * names are shortened, because most of its code is in the package twice. It imports the code that a start doesn't need,
 * such as the panel's, from the chunks of the ES modules. Returns the paths of its sources.
 */
async function buildCommandLine(chunks) {
  const chunkOf = (module) => Object.keys(chunks).find((path) => chunks[path].entryPoint?.includes(module))
  const fromChunks = {
    name: 'from-chunks',
    setup({ onResolve }) {
      onResolve({ filter: /^panel:\w+$|^zod-openapi$/ }, ({ path }) => ({
        path: `./chunks/${basename(chunkOf(path))}`,
        external: true,
      }))
    },
  }
  const { metafile } = await build({
    ...common,
    entryPoints: ['src/entries/cli/main.ts'],
    outfile: join(outdir, 'cli.cjs'),
    format: 'cjs',
    platform: 'node',
    minify: true,
    define: { 'import.meta.dirname': '__dirname' },
    plugins: [versionAlone, fromChunks, withoutComments],
  })
  return Object.keys(metafile.inputs)
}

async function buildCode() {
  const { metafile } = await build({
    ...common,
    entryPoints: { ...entries, cli: 'src/entries/cli/bin.ts' },
    outdir,
    chunkNames: 'chunks/[name]-[hash]',
    format: 'esm',
    platform: 'neutral',
    plugins: [versionAlone, panelAssets, requireToImport, withoutComments],
    splitting: true,
  })
  const sources = new Set([...Object.keys(metafile.inputs), ...(await buildCommandLine(metafile.outputs))])
  for (const [path, { inputs }] of Object.entries(metafile.outputs)) await shorten(join(root, path), inputs)
  chmodSync(join(outdir, 'cli.js'), 0o755)
  refuseOldNode()
  writeCommonJs(outdir, named)
  const files = [...[...sources].map((file) => join(root, file)), ...(await panelFiles())]
  const packages = bundledPackages(files)
  const read = (file) => readFileSync(join(root, file), 'utf8')
  writeFileSync(join(outdir, 'third-party-licenses.txt'), licensesOf(packages, read('LICENSE')))
  writeFileSync(join(outdir, 'bundled.cdx.json'), billOf(packages, JSON.parse(read('package.json'))))
}

/** One declaration file per entry. The compiler writes one per source file, and files that no entry needs are removed. */
async function buildTypes() {
  const emitted = join(root, 'node_modules/.cache/flagdouble/types')
  rmSync(emitted, { recursive: true, force: true })
  const tsc = [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, 'tools/tsconfig.build.json')]
  execFileSync(process.execPath, [...tsc, '--outDir', emitted], { stdio: 'inherit' })
  const bundle = await rolldown({
    cwd: emitted,
    input: Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, path.replace(/\.ts$/, '.d.ts')])),
    external: (id, importer) => importer !== undefined && !id.startsWith('.') && !isAbsolute(id),
    plugins: [dts({ dtsInput: true, tsconfig: false })],
  })
  await bundle.write({ dir: outdir, chunkFileNames: 'chunks/[name]-[hash].js' })
  declareCommonJs(outdir, named)
}

/** The JSON Schemas for `$schema` in fixtures and scenarios, made from the zod schemas. */
async function buildSchemas() {
  const outfile = join(root, 'node_modules/.cache/flagdouble/json-schemas.js')
  await build({
    entryPoints: [join(root, 'src/engine/scenarios/json-schemas.ts')],
    bundle: true,
    minifyWhitespace: true,
    minifySyntax: true,
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    outfile,
  })
  const { jsonSchemas } = await import(pathToFileURL(outfile).href)
  const schemas = jsonSchemas()
  mkdirSync(join(outdir, 'schema'), { recursive: true })
  for (const [name, schema] of Object.entries(schemas)) {
    writeFileSync(join(outdir, 'schema', `${name}.json`), `${JSON.stringify(schema)}\n`)
  }
}

rmSync(outdir, { recursive: true, force: true })
await buildCode()
await buildSchemas()
if (!process.argv.includes('--no-types')) await buildTypes()
