import { defineConfig } from 'vitest/config'
import { vitePanelAssets } from './tools/panel-assets.js'

// With FLAGDOUBLE_MSW=3 the suites run on msw 3 (npm alias msw3), which needs Node 22.12 or newer.
const alias = process.env.FLAGDOUBLE_MSW === '3' ? { msw: 'msw3' } : {}

export default defineConfig({
  plugins: [vitePanelAssets],
  resolve: { alias },
  test: { include: ['test/**/*.test.ts'], testTimeout: 15_000 },
})
