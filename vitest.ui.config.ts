import { defineConfig } from 'vitest/config'
import base from './vitest.config.js'

/**
 * The service's own frontend, driven in a real Chromium. FLAGDOUBLE_UI names its folder: `frontend/build` of the npm
 * package `unleash-server`.
 */
export default defineConfig({
  ...base,
  test: { include: ['test/ui/flows.ts'], testTimeout: 120_000, hookTimeout: 60_000 },
})
