// Bundles what the control panel runs in the page. Its TypeScript becomes the texts of one module, `panel:assets`, by
// the same function for the package (esbuild) and for tests that run the sources (vite).
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const MODULE = 'panel:assets'
const folder = fileURLToPath(new URL('../src/control/panel/client/', import.meta.url))

/** The module's code, and the files that it was made from. */
async function bundleAssets() {
  const { outputFiles, metafile } = await build({
    entryPoints: { script: `${folder}main.tsx`, stylesheet: `${folder}panel.css` },
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
  return { code: `${constants.join('\n')}\n`, files: Object.keys(metafile.inputs) }
}

/** For esbuild, in build.js. */
export const panelAssets = {
  name: MODULE,
  setup(build) {
    build.onResolve({ filter: /^panel:assets$/ }, ({ path }) => ({ path, namespace: 'panel' }))
    build.onLoad({ filter: /.*/, namespace: 'panel' }, async () => ({ contents: (await bundleAssets()).code }))
  },
}

/** For vite, in the configurations of vitest. */
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
