import { notFound } from '../../../contract/errors.js'
import { fail, ok } from '../../../support/result.js'
import { logEvent } from '../../instance/events/actions.js'
import { nameSchema } from '../../shared/checks.js'
import { findRecord, nameTaken } from '../../shared/lookup.js'
import { defineOperation } from '../../shared/operation.js'
import { changeContextField } from './actions.js'
import { presentContextField } from './present.js'
import { createContextFieldRecord } from './rules.js'
import {
  contextFieldName,
  contextFieldSchema,
  createContextFieldSchema,
  legalValueSchema,
  updateContextFieldSchema,
} from './schema.js'

const tag = 'Context'
const what = 'context field'

const createContextField = defineOperation({
  id: 'createContextField',
  method: 'POST',
  path: '/api/admin/context',
  summary: 'Create a field of the context',
  tag,
  access: 'admin',
  permission: 'CREATE_CONTEXT_FIELD',
  body: createContextFieldSchema,
  success: {
    status: 201,
    description: 'The field',
    schema: contextFieldSchema,
    headers: { location: 'PermissionScope it is read' },
  },
  errors: [400, 401, 403, 404, 409, 413, 415],
  run: ({ body, context }) => {
    const { tables } = context
    const illegal = contextFieldName.check(body.name)
    if (illegal) return fail(illegal)
    if (body.project !== undefined && !tables.projects.has(body.project)) {
      return fail(notFound(`There is no project "${body.project}".`))
    }
    const field = createContextFieldRecord(body, context.now.toISOString())
    if (!tables.contextFields.insert(field)) return fail(nameTaken(what, body.name))
    logEvent(context, { type: 'context-field-created', project: field.project, data: presentContextField(field) })
    return ok({ headers: { location: `context/${field.name}` }, body: presentContextField(field) })
  },
})

const validateContextFieldName = defineOperation({
  id: 'validateContextFieldName',
  method: 'POST',
  path: '/api/admin/context/validate',
  summary: 'Whether a field of the context could have a name',
  tag,
  access: 'admin',
  permission: 'UPDATE_CONTEXT_FIELD',
  body: nameSchema,
  success: { status: 200, description: 'It could' },
  errors: [400, 401, 403, 409, 413, 415],
  run: ({ body, context }) => {
    const illegal = contextFieldName.check(body.name)
    if (illegal) return fail(illegal)
    return context.tables.contextFields.has(body.name) ? fail(nameTaken(what, body.name)) : ok({})
  },
})

const updateContextField = defineOperation({
  id: 'updateContextField',
  method: 'PUT',
  path: '/api/admin/context/:contextField',
  summary: 'Change a field of the context',
  tag,
  access: 'admin',
  permission: 'UPDATE_CONTEXT_FIELD',
  body: updateContextFieldSchema,
  success: { status: 200, description: 'The field is changed' },
  errors: [400, 401, 403, 404, 413, 415],
  run: ({ params, body, context }) =>
    changeContextField(context, params.contextField, (field) =>
      createContextFieldRecord({ ...field, ...body }, field.createdAt),
    ),
})

const deleteContextField = defineOperation({
  id: 'deleteContextField',
  method: 'DELETE',
  path: '/api/admin/context/:contextField',
  summary: 'Delete a field of the context; constraints on it stay',
  tag,
  access: 'admin',
  permission: 'DELETE_CONTEXT_FIELD',
  success: { status: 200, description: 'The field is gone' },
  errors: [400, 401, 403, 404],
  run: ({ params, context }) => {
    const found = findRecord(context.tables.contextFields, params.contextField, what)
    if (!found.ok) return found
    context.tables.contextFields.remove(params.contextField)
    logEvent(context, { type: 'context-field-deleted', data: null, preData: presentContextField(found.value) })
    return ok({})
  },
})

const updateContextFieldLegalValue = defineOperation({
  id: 'updateContextFieldLegalValue',
  method: 'POST',
  path: '/api/admin/context/:contextField/legal-values',
  summary: 'Add a legal value to a field of the context, or change its description',
  tag,
  access: 'admin',
  permission: 'UPDATE_CONTEXT_FIELD',
  body: legalValueSchema,
  success: { status: 200, description: 'The value is legal' },
  errors: [400, 401, 403, 404, 413, 415],
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
  summary: 'Take a legal value away from a field of the context',
  tag,
  access: 'admin',
  permission: 'UPDATE_CONTEXT_FIELD',
  success: { status: 200, description: 'The value is not among the legal ones' },
  errors: [400, 401, 403, 404],
  run: ({ params, context }) =>
    changeContextField(context, params.contextField, (field) => ({
      ...field,
      legalValues: field.legalValues.filter(({ value }) => value !== params.legalValue),
    })),
})

export const contextFieldChangeOperations = [
  createContextField,
  validateContextFieldName,
  updateContextField,
  deleteContextField,
  updateContextFieldLegalValue,
  deleteContextFieldLegalValue,
] as const
