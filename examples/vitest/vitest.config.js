import { defineConfig } from 'vitest/config'

/** The same tests in Node and in the two imitations of a browser. */
export default defineConfig({
  test: {
    projects: ['node', 'jsdom', 'happy-dom'].map((environment) => ({ test: { name: environment, environment } })),
  },
})
