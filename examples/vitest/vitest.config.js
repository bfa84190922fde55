import { defineConfig } from 'vitest/config'

/** happy-dom asks before each request whether a page may make it; with msw 3 it asks without saying which page. */
const environmentOptions = { happyDOM: { settings: { fetch: { disableSameOriginPolicy: true } } } }

/** The same tests in Node and in the two imitations of a browser. */
export default defineConfig({
  test: {
    projects: ['node', 'jsdom', 'happy-dom'].map((environment) => ({
      test: { name: environment, environment, environmentOptions },
    })),
  },
})
