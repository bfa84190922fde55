// Checks the packed tarball: its size, the code that a browser loads at once, that sources ship in one form, and that
// package.json lists exactly the packages that the shipped code and types import.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

/** Code of the chunks is in the command line as well: Node starts one CommonJS file in less time (decisions/0004). */
const MAX_BYTES = 975_500
/** The code that the browser's entry loads at once, without msw, minified and gzipped. */
const MAX_BROWSER_BYTES = 294_200

/** Optional SDKs that the runners load by a name in a variable, so that no bundler looks for them. */
const LOADED_BY_NAME = ['unleash-client', 'unleash-proxy-client']

const [tarball = ''] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'flagdouble-package-'))
try {
  execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1'])
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file))
  const { size } = statSync(tarball)
  assert.ok(size <= MAX_BYTES, `The tarball is ${size} bytes, more than ${MAX_BYTES}.`)
  const sources = files.filter((file) => /\.map$|(?<!\.d)\.tsx?$/.test(file))
  assert.deepEqual(sources, [], 'The tarball holds source maps or TypeScript sources.')

  const browser = await browserBytes()
  assert.ok(browser <= MAX_BROWSER_BYTES, `A browser loads ${browser} bytes at once, more than ${MAX_BROWSER_BYTES}.`)

  const { dependencies, peerDependencies, exports, ...manifest } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  )
  assert.ok(!('scripts' in manifest || 'devDependencies' in manifest), 'npm warns users about scripts of a package.')
  for (const entry of Object.keys(exports).filter((name) => /^\.\/\w+$/.test(name))) {
    const at = join(folder, entry)
    const { main, module, types } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8'))
    for (const path of [main, module, types]) assert.ok(files.includes(join(at, path)), `${entry} names ${path}.`)
  }
  const listed = [...Object.keys(dependencies), ...Object.keys(peerDependencies)]
  const imported = new Set([...(await importedByCode(files)), ...importedByTypes(files), ...LOADED_BY_NAME])
  assert.deepEqual(listed.sort(), [...imported].sort(), 'package.json (actual) and the imports (expected) differ.')
  process.stdout.write(
    `${Math.round(size / 1000)} kB, ${Math.round(browser / 1000)} kB at once in a browser; dependencies: ${Object.keys(dependencies).join(', ')}\n`,
  )
} finally {
  rmSync(folder, { recursive: true })
}

async function browserBytes() {
  const { metafile, outputFiles } = await build({
    entryPoints: [join(folder, 'dist/browser.js')],
    bundle: true,
    splitting: true,
    minify: true,
    external: ['msw', '@msw/data', '@faker-js/faker'],
    // re2js, also loaded at once, is not in the tarball.
    nodePaths: [join(import.meta.dirname, '../node_modules')],
    format: 'esm',
    outdir: join(folder, 'browser'),
    absWorkingDir: folder,
    // Chunks imported only for their effects export nothing.
    logLevel: 'error',
    metafile: true,
    write: false,
  })
  const atOnce = new Set(['browser/browser.js'])
  for (const file of atOnce) {
    const imports = metafile.outputs[file].imports.filter(
      ({ kind, external }) => kind === 'import-statement' && !external,
    )
    for (const { path } of imports) atOnce.add(path)
  }
  const loaded = outputFiles.filter(({ path }) => atOnce.has(path.slice(folder.length + 1)))
  assert.equal(loaded.length, atOnce.size)
  return loaded.reduce((sum, { contents }) => sum + gzipSync(contents).length, 0)
}

async function importedByCode(files) {
  const { metafile } = await build({
    entryPoints: files.filter((file) => file.endsWith('.js')),
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    outdir: join(folder, 'out'),
    logLevel: 'error',
    metafile: true,
    write: false,
  })
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports)
  return imports
    .filter(({ path, external }) => external && !path.startsWith('node:'))
    .map(({ path }) => packageOf(path))
}

/** By pattern, because esbuild drops type imports. */
function importedByTypes(files) {
  const texts = files.filter((file) => file.endsWith('.d.ts')).map((file) => readFileSync(file, 'utf8'))
  const code = texts.join('\n').replaceAll(/\/\*[\s\S]*?\*\//g, '')
  const imports = [
    ...code.matchAll(/(?:^(?:import|export)\b[^'"]*?\bfrom\s*|^import\s*|\bimport\(\s*)["']([^"']+)["']/gm),
  ].map(([, path]) => path)
  return imports.filter((path) => !path.startsWith('.') && !path.startsWith('node:')).map(packageOf)
}

function packageOf(path) {
  return path.split('/', path.startsWith('@') ? 2 : 1).join('/')
}
