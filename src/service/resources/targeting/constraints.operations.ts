import type { Frozen } from '../../../support/freeze.js'
import { badData, type Detail, type Failure, limitExceeded, reject } from '../../contract/errors.js'
import type { Tables } from '../shared/context.js'
import { operations, post } from '../shared/rows.js'
import {
  type Constraint,
  exceededExpressionLimit,
  exceededLimit,
  faultOfConstraints,
  formFaultInSegment,
  sentConstraintSchema,
  singleKindOf,
} from './constraints.js'

type Sent = Frozen<Constraint>

/** Fails if a strategy has too many constraints, or values that the operator or the context field doesn't allow. */
export function checkConstraintsOfStrategy(tables: Tables, constraints: readonly Sent[]): Failure | undefined {
  const limit = exceededLimit(constraints)
  return limit === undefined ? checkConstraints(tables, constraints) : limitExceeded(limit, '/body/constraints')
}

/** Fails if a segment has values that the operator or the context field doesn't allow. Unleash checks all forms first. */
export function checkConstraintsOfSegment(tables: Tables, constraints: readonly Sent[]): Failure | undefined {
  const fault = formFaultInSegment(constraints)
  return fault === undefined ? checkConstraints(tables, constraints) : invalid(fault)
}

function checkConstraints(tables: Tables, constraints: readonly Sent[]): Failure | undefined {
  const tooLarge = exceededExpressionLimit(constraints)
  if (tooLarge !== undefined) return limitExceeded(tooLarge, '/body/constraints')
  const fault = faultOfConstraints(constraints, '/body/constraints')
  if (fault !== undefined) return invalid(fault)
  return constraints.map((constraint) => checkLegalValues(tables, constraint)).find((failure) => failure !== undefined)
}

function checkLegalValues(tables: Tables, { contextName, operator, values = [], value }: Sent): Failure | undefined {
  const legal = tables.contextFields.get(contextName)?.legalValues ?? []
  if (legal.length === 0) return undefined
  const sent = singleKindOf(operator) === undefined || value === undefined ? values : [value]
  const allowed = new Set(legal.map((one) => one.value))
  const illegal = sent.find((one) => !allowed.has(one))
  if (illegal === undefined) return undefined
  return badData(
    `"${illegal}" is not one of the legal values of the context field "${contextName}".`,
    '/body/constraints',
  )
}

function invalid(fault: Detail): Failure {
  return { kind: 'badData', message: `Invalid constraint: ${fault.message}`, details: [fault] }
}

export const constraintOperations = operations('Constraints', {
  validateConstraint: post('/api/admin/constraints/validate', {
    summary: 'Check whether a constraint is valid',
    body: sentConstraintSchema,
    success: { status: 204, description: 'It is valid' },
    run: ({ body, context }) => reject(checkConstraints(context.tables, [body])),
  }),
})
