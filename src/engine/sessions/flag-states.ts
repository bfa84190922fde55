import { type Failure, outcomeOf } from '../../service/contract/errors.js'
import { disableForEverybody, enableForEverybody } from '../../service/resources/flags/for-everybody.js'
import type { Variant } from '../../service/resources/flags/variants.js'
import { anonymous } from '../../service/resources/people/callers.js'
import type { OperationContext } from '../../service/resources/shared/context.js'
import type { Frozen } from '../../support/freeze.js'
import type { Ids } from '../../support/ids.js'
import { didYouMean } from '../../support/nearest.js'
import { MockError } from '../errors/mock-errors.js'
import type { FlagState } from '../scenarios/catalogue.js'
import type { WorldData } from '../state/state.js'
import { Logins } from './logins.js'

const GONE = 'gone'
const SWITCHES = ['on', 'off', GONE]

/**
 * Brings a feature into the state that a scenario names, as `mock.enable`, `mock.disable` and `mock.setVariant` do. Throws
 * `UNKNOWN_SCENARIO` for an unknown feature or variant.
 */
export function applyFlagState(
  { flag, state }: FlagState,
  data: WorldData,
  { now, ids, load }: { now: Date; ids: Ids; load: (seed: object) => void },
): void {
  const { features } = data.tables
  const feature = features.get(flag)
  if (feature === undefined) {
    const near = didYouMean(
      flag,
      features.list().map(({ name }) => name),
    )
    throw unknown(`There is no flag "${flag}".${near}`, 'GET /api/client/features lists the flags.')
  }
  if (state === GONE) {
    load({ features: { [flag]: null } })
    return
  }
  const variants = feature.environments.flatMap((one) => [
    ...one.variants,
    ...one.strategies.flatMap((strategy) => strategy.variants),
  ])
  const variant = variants.find(({ name }) => name === state)
  if (variant === undefined && !SWITCHES.includes(state)) {
    const names = [...new Set(variants.map(({ name }) => name))]
    const near = didYouMean(state, [...SWITCHES, ...names])
    const known = names.length === 0 ? '' : `, or one of its variants: ${names.join(', ')}`
    throw unknown(`The flag "${flag}" has no variant "${state}".${near}`, `Its state can be on, off or gone${known}.`)
  }
  const failure = changeFlags(data, { now, ids, logins: new Logins() }, (context) => {
    if (state === 'off') disableForEverybody(context, flag)
    else enableForEverybody(context, flag, state === 'on' ? undefined : forEverybody(variant))
  })
  if (failure !== undefined) throw new MockError('INVALID_SCENARIO', failure.message, 'Use another state of the flag.')
}

/** Changes features in one transaction, with all permissions. Returns the reason if they can't change so. */
export function changeFlags(
  data: WorldData,
  given: Pick<OperationContext, 'now' | 'ids' | 'logins'>,
  run: (context: OperationContext) => void,
): Failure | undefined {
  const caller = { ...anonymous, may: () => true }
  const context = { ...given, caller, baseUrl: '', basePath: '', sent: [], logged: [] }
  return outcomeOf(() => data.transact((tables) => run({ ...context, tables }))).failure
}

function forEverybody(variant: Frozen<Pick<Variant, 'name' | 'payload'>> | undefined) {
  if (variant === undefined) return undefined
  const { name, payload } = variant
  return (payload === undefined ? name : { name, payload }) as Parameters<typeof enableForEverybody>[2]
}

function unknown(problem: string, hint: string): MockError {
  return new MockError('UNKNOWN_SCENARIO', problem, hint)
}
