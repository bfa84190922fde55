import type { Failure } from '../../../contract/errors.js'
import type { Frozen } from '../../../support/freeze.js'
import { fail, type Result } from '../../../support/result.js'
import type { Tables } from '../../shared/context.js'
import { findRecord } from '../../shared/lookup.js'
import { checkEditable } from './checks.js'
import type { StrategyType } from './schema.js'

type Found = Result<Frozen<StrategyType>, Failure>

export function findStrategyType(tables: Tables, name: string): Found {
  return findRecord(tables.strategyTypes, name, 'strategy type')
}

/** A strategy type that is not built in. */
export function findEditable(tables: Tables, name: string): Found {
  const found = findStrategyType(tables, name)
  if (!found.ok) return found
  const failure = checkEditable(found.value)
  return failure ? fail(failure) : found
}
