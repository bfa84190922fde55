import type { StoredFeature } from '../../service/resources/flags/features.js'
import { ALL_FLAGS, type FlagStates, OFF, ON, SWITCHES, variantsOf } from '../../service/resources/sdk/told-features.js'
import type { Tables } from '../../service/resources/tables.js'
import { inBrief, show } from '../../support/json.js'
import { nearOf, nearWholeOf } from '../../support/nearest.js'
import { LISTED } from '../../support/text.js'
import { MockError } from '../errors/mock-errors.js'
import { stateName } from './selection.js'

type Data = Pick<Tables, 'features'>

/** The maximum sentences about states: a header contains them. */
const SENTENCES_TOLD = 5

/**
 * Throws `UNKNOWN_SCENARIO` for a state named by mistake: of a misspelt flag, or one that the flag can't have.
 * A flag that doesn't exist can be on, off or gone: perhaps it isn't made yet, or was removed.
 */
export function expectStates(states: FlagStates, { features }: Data): void {
  for (const [flag, state] of states) {
    const feature = features.get(flag)
    if (flag === ALL_FLAGS) {
      if (state !== ON && state !== OFF) throw unknown('All flags can be *:on or *:off.')
    } else if (feature !== undefined) {
      const known = statesOf(feature)
      const near = known.includes(state) ? undefined : nearOf(state, known)
      if (!known.includes(state)) throw unknown(sentenceFor(feature) + didYouMean(flag, near ?? ''))
    } else {
      const swapped = features.get(state)
      if (swapped !== undefined && SWITCHES.includes(flag)) throw unknown(sentenceFor(swapped))
      const near = features.cache.answer(`near ${flag}`, [], () => nearWholeOf(flag, namesIn(features)))
      const isUsual = SWITCHES.includes(state)
      if (near !== undefined) throw unknown(`There is no flag ${show(flag)}.${didYouMean(near, state)}`)
      if (!isUsual) throw unknown(`There is no flag ${show(flag)}, so it can only be ${choice(flag, SWITCHES)}.`)
    }
  }
}

/** Throws `UNKNOWN_SCENARIO` for a scenario's name that means a flag: `new-checkout`, `new-checkout=on`. */
export function expectNoFlag(name: string, { features }: Data): void {
  const feature = features.get(name) ?? features.get(name.split(/[:=]/, 1)[0] ?? name)
  if (feature !== undefined) throw unknown(sentenceFor(feature))
}

/** Sentences for users about states that can't be told, and about flags that only a state makes. */
export function notesOn(states: FlagStates, { features }: Data): string | undefined {
  const notes = [...states].flatMap(([flag, state]) => {
    const feature = features.get(flag)
    const isUsual = SWITCHES.includes(state)
    if (flag === ALL_FLAGS || (feature !== undefined && statesOf(feature).includes(state))) return []
    const name = inBrief(stateName(flag, state))
    if (isUsual) return `SDKs are told ${name}, but there is no flag ${show(flag)}.`
    const missing = feature === undefined ? `flag ${show(flag)}` : `variant ${show(state)}`
    return `SDKs can't be told ${name}: there is no ${missing}.`
  })
  return notes.length === 0 ? undefined : notes.slice(0, SENTENCES_TOLD).join(' ')
}

function namesIn(features: Data['features']): string[] {
  return features.list().map(({ name }) => name)
}

/** The states that a flag can have. */
function statesOf(feature: StoredFeature): string[] {
  return [...new Set([...SWITCHES, ...variantsOf(feature).map(({ name }) => name)])]
}

function sentenceFor(feature: StoredFeature): string {
  return `${feature.name} is a flag: ${choice(feature.name, statesOf(feature).slice(0, LISTED))}.`
}

function choice(flag: string, states: readonly string[]): string {
  const names = states.map((state) => stateName(flag, state))
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}

function didYouMean(flag: string, state: string): string {
  return state === '' ? '' : ` Did you mean "${stateName(flag, state)}"?`
}

function unknown(problem: string): MockError {
  return new MockError('UNKNOWN_SCENARIO', problem, 'GET /api/client/features lists the flags and their variants.')
}
