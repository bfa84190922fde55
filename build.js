// Builds dist/, or another folder that is named: one ES module for each entry, what they share in chunks, and the types
// beside them.
import { execFileSync } from 'node:child_process'
import { chmodSync, rmSync } from 'node:fs'
import { build } from 'esbuild'
import { panelAssets } from './tools/panel-assets.js'

/** commander is CommonJS: it asks for Node's modules by require(), which a module does not have. Here it imports them. */
const importWhatIsRequired = {
  name: 'import-what-is-required',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === 'require-call' ? { path, namespace: 'required' } : undefined,
    )
    onLoad({ filter: /./, namespace: 'required' }, ({ path }) => ({ contents: `export * from '${path}'` }))
  },
}

const outdir = process.argv.slice(2).find((argument) => !argument.startsWith('--')) ?? 'dist'
rmSync(outdir, { recursive: true, force: true })
await build({
  entryPoints: {
    index: 'src/index.ts',
    msw: 'src/doors/msw.ts',
    node: 'src/doors/node.ts',
    browser: 'src/doors/browser.ts',
    vitest: 'src/doors/vitest.ts',
    playwright: 'src/doors/playwright.ts',
    cli: 'src/cli/bin.ts',
  },
  outdir,
  format: 'esm',
  target: 'es2022',
  platform: 'neutral',
  mainFields: ['module', 'main'],
  conditions: ['import', 'module'],
  plugins: [panelAssets, importWhatIsRequired],
  bundle: true,
  splitting: true,
  minifySyntax: true,
  minifyWhitespace: true,
  sourcemap: true,
  legalComments: 'linked',
  // Peers stay the consumer's own; faker stays a package, loaded only where a scenario generates data.
  external: ['node:*', 'msw', 'msw/*', 'vitest', '@playwright/test', '@faker-js/faker', '@faker-js/faker/*'],
})
chmodSync(`${outdir}/cli.js`, 0o755)
// Tests need no types.
if (!process.argv.includes('--no-types'))
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], { stdio: 'inherit' })
