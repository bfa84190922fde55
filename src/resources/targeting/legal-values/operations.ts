import { defineOperation } from '../../shared/operation.js'
import { changeContextField } from '../context-fields/actions.js'
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
  run: ({ params, body, context }) =>
    changeContextField(context, params.contextField, (field) => ({
      ...field,
      legalValues: [...field.legalValues.filter(({ value }) => value !== body.value), body],
    })),
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
  run: ({ params, context }) =>
    changeContextField(context, params.contextField, (field) => ({
      ...field,
      legalValues: field.legalValues.filter(({ value }) => value !== params.legalValue),
    })),
})

export const legalValueOperations = [updateContextFieldLegalValue, deleteContextFieldLegalValue] as const
