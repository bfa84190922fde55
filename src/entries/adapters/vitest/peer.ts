import * as vitest from 'vitest'
import { expectPeer } from '../peer.js'
import type { Runner } from './mock-tests.js'

expectPeer('vitest', 'vitest', '2.1')

/** For Vitest before 4.1, which has functions in place of `TestRunner`. */
const older = vitest.aroundEach === undefined ? await import('vitest/suite') : undefined

export const runner: Runner = older ?? vitest.TestRunner

/** Runs a test inside a function. Without `aroundEach`, the test's hooks run outside of it. */
export function wrapTest(task: vitest.TestContext['task'], wrap: (test: () => unknown) => unknown): void {
  const known = originals.get(task)
  const test = known ?? older?.getFn(task)
  if (test === undefined) return
  originals.set(task, test)
  older?.setFn(task, async () => {
    await wrap(test)
  })
}

/** The original functions of wrapped tests: the innermost `useMock` and each repetition wrap them again. */
const originals = new WeakMap<object, () => unknown>()
