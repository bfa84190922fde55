import { okUnless } from '../../../support/result.js'
import { defineOperation } from '../../shared/operation.js'
import { checkConstraints } from './checks.js'
import { sentConstraintSchema } from './schema.js'

const validateConstraint = defineOperation({
  id: 'validateConstraint',
  method: 'POST',
  path: '/api/admin/constraints/validate',
  summary: 'Check whether a constraint is valid',
  tag: 'Constraints',
  body: sentConstraintSchema,
  success: { status: 204, description: 'It is valid' },
  run: ({ body, context }) => okUnless(checkConstraints(context.tables, [body])),
})

export const constraintOperations = [validateConstraint] as const
