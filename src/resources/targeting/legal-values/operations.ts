import { defineOperation } from '../../shared/operation.js'
import { changeLegalValues } from '../context-fields/actions.js'
import { withLegalValue, withoutLegalValue } from '../context-fields/rules.js'
import { legalValueSchema } from '../context-fields/schema.js'

const tag = 'Context'

const updateContextFieldLegalValue = defineOperation({
  id: 'updateContextFieldLegalValue',
  method: 'POST',
  path: '/api/admin/context/:contextField/legal-values',
  summary: 'Add a legal value to a context field, or change its description',
  tag,
  permission: 'UPDATE_CONTEXT_FIELD',
  body: legalValueSchema,
  success: { status: 200, description: 'The value is legal' },
  errors: [404],
  run: ({ params, body, context }) => changeLegalValues(context, params.contextField, withLegalValue(body)),
})

const deleteContextFieldLegalValue = defineOperation({
  id: 'deleteContextFieldLegalValue',
  method: 'DELETE',
  path: '/api/admin/context/:contextField/legal-values/:legalValue',
  summary: 'Remove a legal value from a context field',
  tag,
  permission: 'UPDATE_CONTEXT_FIELD',
  success: { status: 200, description: 'The value is not legal' },
  errors: [404],
  run: ({ params, context }) => changeLegalValues(context, params.contextField, withoutLegalValue(params.legalValue)),
})

export const legalValueOperations = [updateContextFieldLegalValue, deleteContextFieldLegalValue] as const
