/**
 * How often what is tried at random is tried: `{ numRuns: 30 * RUNS }`. Three times as often in .ci/run, which sets
 * FLAGDOUBLE_RUNS.
 */
export const RUNS = Number(process.env.FLAGDOUBLE_RUNS ?? 1)
