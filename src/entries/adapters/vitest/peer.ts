import * as vitest from 'vitest'
import { expectPeer } from '../peer.js'

expectPeer('vitest', 'vitest', '2.1')

/** Runs around a test and its other hooks. Vitest has it since 4.1. */
export const aroundEach: typeof vitest.aroundEach | undefined = vitest.aroundEach

/** For Vitest before 4.1, which has functions in place of `TestRunner`. Bundlers must not look for it: Vitest 5 lacks it. */
const suite = 'vitest/suite'
const older: typeof import('vitest/suite') | undefined =
  aroundEach === undefined ? await import(/* @vite-ignore */ suite) : undefined

export const { getCurrentSuite, getCurrentTest } = older ?? vitest.TestRunner

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
