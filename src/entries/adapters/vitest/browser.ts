/**
 * `flagdouble/vitest` with the condition `browser`. Some projects also set this condition for tests in Node: there, it
 * is the same module. In a browser, an import of that module would fail with a message about a module of Node.
 */
const isNode = typeof Reflect.get(globalThis, 'process')?.getBuiltinModule === 'function'
if (!isNode) {
  const text =
    "flagdouble/vitest doesn't work in Vitest's browser mode. Use createHandlers of flagdouble/msw with setupWorker of msw/browser: docs/vitest.md has the lines."
  throw Object.assign(new Error(text), { stack: text })
}

// A bundler for browsers must not follow the import.
const address = new URL('../vitest.js', import.meta.url).href
export const { test, useMock } = await import(/* @vite-ignore */ address)
