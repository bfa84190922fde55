// Bundles the control panel's script and stylesheet into two strings, exported by the module `panel:assets`. A plugin
// for esbuild serves the package, one for Vite the tests, which run the sources.
import { join } from 'node:path'
import { build } from 'esbuild'

const MODULE = 'panel:assets'
const client = join(import.meta.dirname, '../src/control/panel/client')

/** The module's code, and the paths of the files it was made from. */
export async function bundleAssets() {
  const { outputFiles, metafile } = await build({
    absWorkingDir: client,
    entryPoints: { script: join(client, 'main.tsx'), stylesheet: join(client, 'panel.css') },
    outdir: '/',
    write: false,
    metafile: true,
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'hono/jsx/dom',
    legalComments: 'none',
  })
  const constants = outputFiles.map(({ path, text }) => {
    const name = path.endsWith('.css') ? 'stylesheet' : 'script'
    return `export const ${name} = ${JSON.stringify(text)}`
  })
  return { code: `${constants.join('\n')}\n`, files: Object.keys(metafile.inputs).map((file) => join(client, file)) }
}

/** For esbuild. */
export const panelAssets = {
  name: MODULE,
  setup(build) {
    build.onResolve({ filter: /^panel:assets$/ }, ({ path }) => ({ path, namespace: 'panel' }))
    build.onLoad({ filter: /.*/, namespace: 'panel' }, async () => ({ contents: (await bundleAssets()).code }))
  },
}

/** For Vite, in Vitest's configuration. */
export const vitePanelAssets = {
  name: MODULE,
  resolveId: (id) => (id === MODULE ? `\0${MODULE}` : undefined),
  async load(id) {
    if (id !== `\0${MODULE}`) return undefined
    const { code, files } = await bundleAssets()
    for (const file of files) this.addWatchFile(file)
    return code
  },
}
