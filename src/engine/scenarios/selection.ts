import type { FlagStates } from '../../service/resources/sdk/told-features.js'
import { headerText, percentDecodedOrRaw, percentEncoded } from '../../support/text.js'
import { MockError } from '../errors/mock-errors.js'

/** The maximum number of combined scenarios. */
export const MOST_SCENARIOS = 10

/** The maximum characters of the states of flags, percent-encoded: responses name them in a header. */
export const LONGEST_STATES = 4096

/** A list with more states of flags is too long anyway. */
const MOST_STATES = 1000

/** Scenarios, which choose a world, and states of flags, which change what its SDKs are told. */
export interface Selection {
  readonly scenarios: readonly string[]
  readonly states: FlagStates
}

export const NO_STATES: FlagStates = new Map()

/** A flag and its state: `new-checkout:off`. Names of scenarios have no colon. */
const FLAG_STATE = /^([^:]+):(.+)$/s

/**
 * The names in comma-separated texts: `expired-token, slow, new-checkout:off`. The last occurrence of a scenario or a flag
 * counts. A comma inside a name is `%2C`. Throws `TOO_MANY_SCENARIOS`, without reading the rest of a long list.
 */
export function selectionIn(...texts: readonly string[]): Selection {
  const scenarios: string[] = []
  const states = new Map<string, string>()
  for (const text of texts) {
    for (const [part] of text.matchAll(/[^,]+/g)) {
      const name = part.trim()
      const [, flag, state] = FLAG_STATE.exec(name) ?? []
      if (flag !== undefined && state !== undefined) states.set(percentDecodedOrRaw(flag), percentDecodedOrRaw(state))
      else if (name !== '') scenarios.push(name)
      if (scenarios.length > MOST_SCENARIOS) throw tooMany()
      if (states.size > MOST_STATES) expectShort(states)
    }
  }
  expectShort(states)
  return { scenarios: scenarios.filter((name, i) => scenarios.lastIndexOf(name) === i), states }
}

function tooMany(): MockError {
  return new MockError(
    'TOO_MANY_SCENARIOS',
    `At most ${MOST_SCENARIOS} scenarios can be combined.`,
    'Define a scenario that extends one of them and adds the effects of the others.',
  )
}

/** Throws `TOO_MANY_SCENARIOS` for states that a header can't contain. */
export function expectShort(states: FlagStates): void {
  if (states.size === 0) return
  if (states.size <= MOST_STATES && headerText(namesOf({ scenarios: [], states }).join()).length <= LONGEST_STATES)
    return
  throw new MockError(
    'TOO_MANY_SCENARIOS',
    `The states of flags have more than ${LONGEST_STATES} characters, percent-encoded.`,
    'Name fewer flags. A scenario can contain any number of them: "flags": { "new-checkout": "off" }.',
  )
}

/** The selection in texts. Throws `INVALID_REQUEST` if they contain no name, and `TOO_MANY_SCENARIOS`. */
export function expectSelection(texts: readonly string[]): Selection {
  const selection = selectionIn(...texts)
  if (selection.scenarios.length + selection.states.size > 0) return selection
  throw new MockError('INVALID_REQUEST', 'The name of the scenario is missing.', 'GET /__mock/scenarios lists them.')
}

/** The names of a selection, as `selectionIn` reads them: first its scenarios, then its states. */
export function namesOf({ scenarios, states }: Selection): string[] {
  return [...scenarios, ...[...states].map(([flag, state]) => stateName(flag, state))]
}

/** The name of a flag's state, as `selectionIn` reads it. */
export function stateName(flag: string, state: string): string {
  return `${encoded(flag).replaceAll(':', '%3A')}:${encoded(state)}`
}

function encoded(name: string): string {
  return name.replaceAll(name === name.trim() ? /[%,]/g : /[%,\s]/g, percentEncoded)
}

/** A selection on top of another: its scenarios replace those below, if it has any, and its states are added. */
export function onTop(below: Selection, { scenarios, states }: Selection): Selection {
  return {
    scenarios: scenarios.length === 0 ? below.scenarios : scenarios,
    states: statesOnTop(below.states, states),
  }
}

/** States on top of others. The state of a flag replaces another state of that flag. */
export function statesOnTop(below: FlagStates, above: FlagStates): FlagStates {
  if (below.size === 0 || above.size === 0) return below.size === 0 ? above : below
  return new Map([...below, ...above])
}
