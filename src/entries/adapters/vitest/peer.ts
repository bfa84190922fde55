import * as vitest from 'vitest'
import { expectPeer } from '../peer.js'

expectPeer('vitest', 'vitest', '2.1')

/** Around a test and its other hooks. Vitest has it since 4.1. */
export const aroundEach: typeof vitest.aroundEach | undefined = vitest.aroundEach

/** For Vitest before 4.1, which has functions for what is in `TestRunner` since then. */
const older = aroundEach === undefined ? await import('vitest/suite') : undefined

export const { getCurrentSuite, getCurrentTest } = older ?? vitest.TestRunner

/** Has a test run within something. Without `aroundEach`, its hooks don't. */
export function wrapTest(task: vitest.TestContext['task'], wrap: (test: () => unknown) => unknown): void {
  const known = originals.get(task)
  const test = known ?? older?.getFn(task)
  if (test === undefined) return
  originals.set(task, test)
  older?.setFn(task, async () => {
    await wrap(test)
  })
}

/** The functions of tests that are wrapped: the innermost `useMock`, and each repetition, wraps anew. */
const originals = new WeakMap<object, () => unknown>()
