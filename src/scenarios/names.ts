import { MockError } from '../contract/mock-errors.js'

/** Scenarios that can be combined. */
export const MOST_SCENARIOS = 10

/**
 * `'expired-token, slow'` → `['expired-token', 'slow']`. Of a name that is given twice, the last one counts. Throws
 * `TOO_MANY_SCENARIOS`, without reading on to the end of a long text.
 */
export function scenarioNames(text: string): string[] {
  const parts = text.split(',', MOST_SCENARIOS + 1).map((name) => name.trim())
  return distinctNames(parts).filter((name) => name !== '')
}

/** The names, each once. Of a name that is given twice, the last one counts. Throws `TOO_MANY_SCENARIOS`. */
export function distinctNames(names: readonly string[]): string[] {
  if (names.length > MOST_SCENARIOS) {
    throw new MockError(
      'TOO_MANY_SCENARIOS',
      `At most ${MOST_SCENARIOS} scenarios can be combined.`,
      'Define a scenario that extends one of them and does what the others do.',
    )
  }
  return names.filter((name, i) => names.lastIndexOf(name) === i)
}
