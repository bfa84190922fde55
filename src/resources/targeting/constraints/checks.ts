import { badData, type Detail, type Failure, limitExceeded } from '../../../contract/errors.js'
import type { Frozen } from '../../../support/freeze.js'
import type { Tables } from '../../shared/context.js'
import { exceededLimit, faultsOfConstraints } from './rules.js'
import type { Constraint } from './schema.js'

/** A refusal of constraints that can't be kept: by their values, their number, or what their context field allows. */
export function checkConstraints(tables: Tables, constraints: readonly Frozen<Constraint>[]): Failure | undefined {
  const details = faultsOfConstraints(constraints, '/body/constraints')
  const [first] = details
  if (first !== undefined) return { kind: 'badData', message: message(details), details }
  const limit = exceededLimit(constraints)
  if (limit !== undefined) return limitExceeded(limit, '/body/constraints')
  return constraints.map((constraint) => checkLegalValues(tables, constraint)).find((failure) => failure !== undefined)
}

function checkLegalValues(
  tables: Tables,
  { contextName, values = [], value }: Frozen<Constraint>,
): Failure | undefined {
  const legal = tables.contextFields.get(contextName)?.legalValues ?? []
  if (legal.length === 0) return undefined
  const sent = value === undefined ? values : [...values, value]
  const stray = sent.find((one) => !legal.some((allowed) => allowed.value === one))
  if (stray === undefined) return undefined
  return badData(`"${stray}" is not among the legal values of the context field "${contextName}".`, '/body/constraints')
}

function message(details: readonly Detail[]): string {
  return `A constraint can't be kept: ${details.map((detail) => detail.message).join(' ')}`
}
