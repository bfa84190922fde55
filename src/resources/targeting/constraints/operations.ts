import { fail, ok } from '../../../support/result.js'
import { defineOperation } from '../../shared/operation.js'
import { checkConstraints } from './checks.js'
import { sentConstraintSchema } from './schema.js'

const validateConstraint = defineOperation({
  id: 'validateConstraint',
  method: 'POST',
  path: '/api/admin/constraints/validate',
  summary: 'Whether a constraint could be kept',
  tag: 'Constraints',
  access: 'admin',
  body: sentConstraintSchema,
  success: { status: 204, description: 'It could' },
  errors: [],
  run: ({ body, context }) => {
    const refusal = checkConstraints(context.tables, [body])
    return refusal ? fail(refusal) : ok({})
  },
})

export const constraintOperations = [validateConstraint] as const
