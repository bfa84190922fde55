import { defineConfig } from 'vitest/config'

/** Before each request, happy-dom checks whether the page is allowed to send it; with msw 3 it lacks the page. */
const environmentOptions = { happyDOM: { settings: { fetch: { disableSameOriginPolicy: true } } } }

/** The same tests in Node and in both imitations of a browser. */
export default defineConfig({
  test: {
    projects: ['node', 'jsdom', 'happy-dom'].map((environment) => ({
      test: { name: environment, environment, environmentOptions },
    })),
  },
})
