import * as vitest from 'vitest'
import { tooOld } from '../peer.js'

/**
 * `flagdouble/vitest` with the condition `browser`. Some projects also set this condition for tests in Node: there, it
 * is the same module.
 */
const isNode = typeof Reflect.get(globalThis, 'process')?.getBuiltinModule === 'function'
if (!isNode && vitest.aroundEach === undefined) throw tooOld("vitest in Vitest's browser mode", 'vitest', '4.1')

// A bundler for browsers must not follow the import of the module for Node.
const address = new URL('../vitest.js', import.meta.url).href
export const { test, useMock } = isNode
  ? await import(/* @vite-ignore */ address)
  : (await import('./page.js')).testsInPage
