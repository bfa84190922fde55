/**
 * How often what is tried at random is tried: `{ numRuns: 6 * RUNS }`. A few times in `npm test`, five times as often in
 * .ci/run and twenty times in .ci/matrix, which set FLAGDOUBLE_RUNS.
 */
export const RUNS = Number(process.env.FLAGDOUBLE_RUNS ?? 1)

/** Milliseconds that a test of random cases may take: with twenty times as many on a busy machine, it takes minutes. */
export const AMPLE = 600_000

/** Of a long list, every fifth in `npm test`, and all in CI. */
export function someOf<Item>(all: readonly Item[]): Item[] {
  return all.filter((_, at) => RUNS > 1 || at % 5 === 0)
}
