// `npm run docs`: bundles docs/generate.ts, which reads the sources, and runs it.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '..')
const outfile = join(root, 'node_modules/.cache/flagdouble/docs.js')
mkdirSync(join(outfile, '..'), { recursive: true })
await build({
  entryPoints: [join(root, 'docs/generate.ts')],
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  outfile,
})
const { writePages } = await import(pathToFileURL(outfile).href)
writePages(root)
