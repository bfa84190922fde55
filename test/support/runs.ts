/**
 * The number of random cases: `{ numRuns: 6 * RUNS }`. A few in `npm test`, five times as many in .ci/run and twenty
 * times in .ci/matrix, which set FLAGDOUBLE_RUNS.
 */
export const RUNS = Number(process.env.FLAGDOUBLE_RUNS ?? 1)

/** Whether tests run that take ten seconds or more: not in `npm test`. */
export const IS_CI = RUNS > 1

/** The timeout of a test with random cases: twenty times as many on a busy machine take minutes. */
export const AMPLE = 600_000

/** Every fifth item of a long list in `npm test`, and all items in CI. */
export function someOf<Item>(all: readonly Item[]): Item[] {
  return all.filter((_, at) => RUNS > 1 || at % 5 === 0)
}
