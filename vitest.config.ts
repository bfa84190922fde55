import { availableParallelism } from 'node:os'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { SlowestSuites } from './test/support/slowest.js'
import { countWork } from './tools/count-work.js'
import { vitePanelAssets } from './tools/panel-assets.js'

// With FLAGDOUBLE_MSW=3 the suites run on msw 3 (npm alias msw3), which needs Node 22.12 or newer.
const alias = process.env.FLAGDOUBLE_MSW === '3' ? { msw: 'msw3' } : {}

function project(test: TestProjectInlineConfiguration['test']): TestProjectInlineConfiguration {
  return { plugins: [vitePanelAssets], resolve: { alias }, test: { ...shared, ...test } }
}

const shared: TestProjectInlineConfiguration['test'] = {
  // Files share their worker and its modules: loading these again for each file takes longer than the tests.
  pool: 'threads',
  isolate: false,
  setupFiles: 'test/support/seed.ts',
  // Shows test names in full.
  chaiConfig: { truncateThreshold: 200 },
  // On a busy machine, a page takes longer than the default of a second.
  expect: { poll: { timeout: 10_000 } },
}

const RUNTIMES = ['FLAGDOUBLE_BUN', 'FLAGDOUBLE_DENO', 'FLAGDOUBLE_MINIFLARE']

// The conformance suites on other runtimes: npm run test:runtimes. The variables name the programs of Bun and Deno and
// the folder of the npm package miniflare; the project needs at least one of them.
const runtimes = project({
  name: 'runtimes',
  include: ['test/conformance/**/*.test.ts'],
  globalSetup: 'test/support/build.ts',
  env: { FLAGDOUBLE_ADAPTERS: 'runtimes' },
  // A process that ends also ends its runtimes.
  pool: 'forks',
  testTimeout: 15_000,
  // On a busy machine, a runtime takes longer to start.
  hookTimeout: 60_000,
})

// Workers in Cloudflare's runtime: npm run test:workers.
const workers = project({
  name: 'workers',
  include: ['test/workers/**/*.test.ts', 'test/persistence/*.test.ts'],
  env: { FLAGDOUBLE_HOME: 'a Durable Object' },
  pool: 'forks',
  testTimeout: 300_000,
})

export default defineConfig({
  test: {
    maxWorkers: availableParallelism(),
    reporters: ['default', new SlowestSuites()],
    projects: [
      project({
        name: 'node',
        include: ['test/**/*.test.ts'],
        exclude: ['test/package/**', 'test/workers/**', 'test/way.test.ts'],
        // On a busy machine tests take ten times as long.
        testTimeout: 60_000,
      }),
      // Counts the functions that run in its thread, so it has a thread of its own.
      project({ name: 'way', include: ['test/way.test.ts'], isolate: true }),
      // The built package, as installed: npm run test:package. It is built again if the sources are newer.
      project({
        name: 'package',
        include: ['test/package/**/*.test.ts'],
        globalSetup: 'test/support/build.ts',
        // Processes start slowly while .ci/run runs other things.
        testTimeout: 60_000,
      }),
      // Counts the work of each operation: npm run test:work.
      {
        ...project({ name: 'work', include: ['test/properties/*.work.ts'], testTimeout: 60_000 }),
        plugins: [vitePanelAssets, countWork],
      },
      // Drives a real Chromium: npm run test:browser.
      project({
        name: 'browser',
        include: ['test/browser/**/*.browser.ts', 'test/persistence/survives.test.ts'],
        env: { FLAGDOUBLE_HOME: 'the storage of a page' },
        testTimeout: 60_000,
        hookTimeout: 30_000,
        fileParallelism: false,
      }),
      // Drives Unleash's own frontend in Chromium: npm run test:ui. FLAGDOUBLE_UI names the frontend's folder, which is
      // `frontend/build` of the npm package `unleash-server`.
      project({
        name: 'ui',
        include: ['test/ui/*.ts'],
        testTimeout: 120_000,
        hookTimeout: 60_000,
      }),
      ...(RUNTIMES.some((variable) => process.env[variable]) ? [runtimes] : []),
      ...(process.env.FLAGDOUBLE_MINIFLARE === undefined ? [] : [workers]),
    ],
  },
})
