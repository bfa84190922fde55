// Runs worker.js in workerd, with the miniflare in the given folder, until standard input ends.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const [folder = ''] = process.argv.slice(2)
const { Miniflare } = await import(pathToFileURL(join(folder, 'dist/src/index.js')).href)
const { outputFiles } = await build({
  entryPoints: [join(import.meta.dirname, 'worker.js')],
  bundle: true,
  format: 'esm',
  platform: 'browser',
  conditions: ['workerd', 'worker', 'import'],
  logLevel: 'error',
  write: false,
})
const worker = new Miniflare({ modules: true, script: outputFiles[0].text, compatibilityDate: '2026-01-01' })
process.stdin.on('end', () => worker.dispose().then(() => process.exit())).resume()
process.stdout.write(`ready at ${await worker.ready}\n`)
