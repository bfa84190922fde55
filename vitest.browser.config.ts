import { defineConfig } from 'vitest/config'
import base from './vitest.config.js'

/** Tests that drive a real Chromium. They are apart from the others, which need no browser. */
export default defineConfig({
  ...base,
  test: { include: ['test/browser/**/*.browser.ts'], testTimeout: 30_000, hookTimeout: 30_000, fileParallelism: false },
})
