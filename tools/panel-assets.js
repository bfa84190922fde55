// Bundles the control panel for the modules `panel:script` (the script of its page, as text) and `panel:stylesheet`. An
// esbuild plugin serves the package, and a Vite plugin the tests, which run the sources.
import { join } from 'node:path'
import { build } from 'esbuild'

const client = join(import.meta.dirname, '../src/panel')
const entries = { 'panel:script': 'main.ts', 'panel:stylesheet': 'panel.css' }

/** The code of one of the modules, whose default export is the text, and the paths of its source files. */
export async function bundleAsset(module) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: client,
    entryPoints: [join(client, entries[module])],
    outdir: '/',
    write: false,
    metafile: true,
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
  })
  const files = Object.keys(metafile.inputs).map((file) => join(client, file))
  return { code: `export default ${JSON.stringify(outputFiles[0].text)}\n`, files }
}

/** All files of the panel, including packages. */
export async function panelFiles() {
  const bundles = await Promise.all(Object.keys(entries).map(bundleAsset))
  return bundles.flatMap(({ files }) => files)
}

/** For esbuild. */
export const panelAssets = {
  name: 'panel-assets',
  setup(build) {
    build.onResolve({ filter: /^panel:\w+$/ }, ({ path }) => ({ path, namespace: 'panel' }))
    build.onLoad({ filter: /.*/, namespace: 'panel' }, async ({ path }) => ({
      contents: (await bundleAsset(path)).code,
    }))
  },
}

/** For Vite, in Vitest's configuration. */
export const vitePanelAssets = {
  name: 'panel-assets',
  resolveId: (id) => (id in entries ? `\0${id}` : undefined),
  async load(id) {
    if (!(id.slice(1) in entries)) return undefined
    const { code, files } = await bundleAsset(id.slice(1))
    for (const file of files) this.addWatchFile(file)
    return code
  },
}
