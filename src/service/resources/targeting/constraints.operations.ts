import type { Frozen } from '../../../support/freeze.js'
import { badData, type Detail, type Failure, limitExceeded, reject } from '../../contract/errors.js'
import type { Tables } from '../shared/context.js'
import { operations, post } from '../shared/rows.js'
import {
  type Constraint,
  exceededExpressionLimit,
  exceededLimit,
  faultsOfConstraints,
  sentConstraintSchema,
} from './constraints.js'

/** Fails for too many constraints, or for values that the operator or the context field doesn't allow. */
export function checkConstraints(tables: Tables, constraints: readonly Frozen<Constraint>[]): Failure | undefined {
  const tooLarge = exceededExpressionLimit(constraints)
  if (tooLarge !== undefined) return limitExceeded(tooLarge, '/body/constraints')
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
  const allowed = new Set(legal.map((one) => one.value))
  const illegal = sent.find((one) => !allowed.has(one))
  if (illegal === undefined) return undefined
  return badData(
    `"${illegal}" is not one of the legal values of the context field "${contextName}".`,
    '/body/constraints',
  )
}

function message(details: readonly Detail[]): string {
  return `Invalid constraint: ${details.map((detail) => detail.message).join(' ')}`
}

export const constraintOperations = operations('Constraints', {
  validateConstraint: post('/api/admin/constraints/validate', {
    summary: 'Check whether a constraint is valid',
    body: sentConstraintSchema,
    success: { status: 204, description: 'It is valid' },
    run: ({ body, context }) => reject(checkConstraints(context.tables, [body])),
  }),
})
