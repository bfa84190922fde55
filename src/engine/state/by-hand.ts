import { knownOperators } from '../../service/evaluation/constraints.js'
import { featureName } from '../../service/resources/flags/features.js'
import type { DataFault } from '../../service/resources/shared/table.js'
import { isObject, show } from '../../support/json.js'
import { didYouMean } from '../../support/nearest.js'
import { jsonPath } from './state-fault.js'

/**
 * The errors of seed data in the mock's own format. A file of Unleash or its SDKs can contain the same, from other versions:
 * operators that the mock doesn't know, and any names of flags.
 */
export function* faultsByHand(state: Readonly<Record<string, unknown>>): Generator<DataFault> {
  for (const [at, feature] of placedRecords(state.features)) {
    const { name } = feature
    const fault = typeof name === 'string' ? featureName.faultOf(name) : undefined
    if (fault !== undefined) {
      yield { path: jsonPath(['features', at, 'name']), message: `${fault}, but is ${show(name)}` }
    }
    for (const [place, environment] of placedRecords(feature.environments)) {
      for (const [i, strategy] of placedRecords(environment.strategies)) {
        yield* unknownOperators(strategy, ['features', at, 'environments', place, 'strategies', i])
      }
    }
  }
  for (const [at, segment] of placedRecords(state.segments)) yield* unknownOperators(segment, ['segments', at])
}

function* unknownOperators({ constraints }: Item, path: readonly PropertyKey[]): Generator<DataFault> {
  for (const [i, { operator }] of placedRecords(constraints)) {
    if (typeof operator !== 'string' || knownOperators.some((one) => one === operator)) continue
    const hint = didYouMean(operator, knownOperators)
    yield {
      path: jsonPath([...path, 'constraints', i, 'operator']),
      message:
        hint === ''
          ? `must be one of ${knownOperators.join(', ')}, but is ${show(operator)}`
          : `must be one of ${knownOperators.length} names, but is ${show(operator)}.${hint}`,
    }
  }
}

type Item = Readonly<Record<string, unknown>>

/** The records in a list, or in an object that names them, each with its place. */
function* placedRecords(given: unknown): Generator<[place: string | number, record: Item]> {
  if (Array.isArray(given)) {
    for (const [at, item] of given.entries()) if (isObject(item)) yield [at, item]
  } else if (isObject(given)) {
    for (const [name, item] of Object.entries(given)) if (isObject(item)) yield [name, item]
  }
}
