import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { vitePanelAssets } from './tools/panel-assets.js'

// With FLAGDOUBLE_MSW=3 the suites run on msw 3 (npm alias msw3), which needs Node 22.12 or newer.
const alias = process.env.FLAGDOUBLE_MSW === '3' ? { msw: 'msw3' } : {}

export default defineConfig({
  plugins: [vitePanelAssets],
  resolve: { alias },
  test: {
    maxWorkers: availableParallelism(),
    // Files share their worker and its modules: loading them again for each file takes longer than the tests.
    pool: 'threads',
    isolate: false,
    projects: [
      {
        extends: true,
        test: { name: 'node', include: ['test/**/*.test.ts'], exclude: ['test/package/**'], testTimeout: 15_000 },
      },
      {
        // The package as it is installed: it tests `dist/`, which is built again if the sources are newer.
        extends: true,
        test: {
          name: 'package',
          include: ['test/package/**/*.test.ts'],
          globalSetup: 'test/support/build.ts',
          testTimeout: 15_000,
        },
      },
      {
        // In a real Chromium: npm run test:browser.
        extends: true,
        test: {
          name: 'browser',
          include: ['test/browser/**/*.browser.ts'],
          testTimeout: 30_000,
          hookTimeout: 30_000,
          fileParallelism: false,
        },
      },
      {
        // The service's own frontend in a real Chromium: npm run test:ui. FLAGDOUBLE_UI names the folder of the frontend,
        // `frontend/build` of the npm package `unleash-server`.
        extends: true,
        test: { name: 'ui', include: ['test/ui/flows.ts'], testTimeout: 120_000, hookTimeout: 60_000 },
      },
    ],
  },
})
