import type { StoredFeature } from '../../service/resources/flags/features.js'
import { ALL_FLAGS, type FlagStates, OFF, ON, SWITCHES, variantsOf } from '../../service/resources/sdk/told-features.js'
import type { Tables } from '../../service/resources/tables.js'
import { inBrief, show } from '../../support/json.js'
import { nearOf, nearWholeOf } from '../../support/nearest.js'
import { LISTED } from '../../support/text.js'
import { MockError } from '../errors/mock-errors.js'
import { stateName } from './selection.js'

type Data = Pick<Tables, 'features'>

const STATES_EXPLAINED = 'docs/test-with-flags.md explains the states of a flag.'

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
      if (state !== ON && state !== OFF) throw unknown('All flags can be *:on or *:off.', ['*:on', '*:off'])
    } else if (feature !== undefined) {
      const known = statesOf(feature)
      if (!known.includes(state)) throw isFlag(feature, nearOf(state, known))
    } else {
      const isSwapped = SWITCHES.includes(flag)
      const swapped = isSwapped ? features.get(state) : undefined
      if (swapped !== undefined) throw isFlag(swapped)
      if (isSwapped) throw unknown(`There is no flag ${show(flag)}.`, [stateName(state, flag)], flagsIn(features))
      const near = features.cache.answer(`near ${flag}`, [], () => nearWholeOf(flag, namesIn(features)))
      if (near !== undefined)
        throw unknown(`There is no flag ${show(flag)}.`, [stateName(near, state)], flagsIn(features))
      const names = SWITCHES.map((one) => stateName(flag, one))
      if (!SWITCHES.includes(state))
        throw unknown(
          `There is no flag ${show(flag)}, so it can only be ${listed(names)}. A comma combines scenarios: ${flag},${state}.`,
          names,
          flagsIn(features),
        )
    }
  }
}

/** Throws `UNKNOWN_SCENARIO` for a scenario's name that means a flag: `new-checkout`, `new-checkout=on`. */
export function expectNoFlag(name: string, { features }: Data): void {
  const feature = features.get(name) ?? features.get(name.split(/[:=]/, 1)[0] ?? name)
  if (feature !== undefined) throw isFlag(feature)
}

/** The error for a name of a flag that isn't the name of a state. */
function isFlag(feature: StoredFeature, near?: string): MockError {
  const names = statesOf(feature).map((state) => stateName(feature.name, state))
  const problem = `${feature.name} is a flag: ${listed(names.slice(0, LISTED))}.`
  return unknown(problem, near === undefined ? names.slice(0, LISTED) : [stateName(feature.name, near)])
}

/** A notice about states that can't be told, and about flags that only a state makes. */
export function noticeOn(states: FlagStates, { features }: Data): string | undefined {
  const sentences = [...states].flatMap(([flag, state]) => {
    const feature = features.get(flag)
    const isUsual = SWITCHES.includes(state)
    if (flag === ALL_FLAGS || (feature !== undefined && statesOf(feature).includes(state))) return []
    const name = inBrief(stateName(flag, state))
    if (isUsual) return `SDKs are told ${name}, but there is no flag ${show(flag)}.`
    const missing = feature === undefined ? `flag ${show(flag)}` : `variant ${show(state)}`
    return `SDKs can't be told ${name}: there is no ${missing}.`
  })
  return sentences.length === 0 ? undefined : sentences.slice(0, SENTENCES_TOLD).join(' ')
}

function namesIn(features: Data['features']): string[] {
  return features.list().map(({ name }) => name)
}

/** The states that a flag can have. */
function statesOf(feature: StoredFeature): string[] {
  return [...new Set([...SWITCHES, ...variantsOf(feature).map(({ name }) => name)])]
}

function listed(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}

/** A sentence with the first flags. */
function flagsIn(features: Data['features']): string {
  return features.cache.answer('first flags', [], () => {
    const names = namesIn(features)
    const others = names.length > LISTED ? `, and ${names.length - LISTED} others` : ''
    return `The flags are ${names.slice(0, LISTED).join(', ')}${others}.`
  })
}

function unknown(problem: string, meant: readonly string[], hint = STATES_EXPLAINED): MockError {
  const near = meant.length === 1 ? ` Did you mean "${meant[0]}"?` : ''
  return new MockError('UNKNOWN_SCENARIO', problem + near, hint, [], { meant })
}
