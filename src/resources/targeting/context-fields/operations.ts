import * as z from 'zod'
import { ok, okUnless } from '../../../support/result.js'
import { findRecord } from '../../shared/lookup.js'
import { defineOperation } from '../../shared/operation.js'
import { nameSchema } from '../../shared/schema.js'
import { strategiesUsing } from '../usage/lookup.js'
import { usingStrategiesSchema } from '../usage/schema.js'
import { createField, deleteField, updateField } from './actions.js'
import { checkFieldName } from './checks.js'
import { presentContextField, presentContextFields } from './present.js'
import {
  contextFieldSchema,
  contextFieldsSchema,
  createContextFieldSchema,
  updateContextFieldSchema,
} from './schema.js'

const tag = 'Context'
const what = 'context field'

const getContextFields = defineOperation({
  id: 'getContextFields',
  method: 'GET',
  path: '/api/admin/context',
  summary: 'List the context fields that apply to all projects; with `include=project`, also those of projects',
  tag,
  query: z.object({ include: z.string().optional() }),
  success: { status: 200, description: 'The fields', schema: contextFieldsSchema },
  run: ({ query, context: { tables } }) => {
    const fields = tables.contextFields.list().filter(({ project }) => project === null || includes(query, 'project'))
    return ok({ body: presentContextFields(fields, tables) })
  },
})

const getContextFieldsForProject = defineOperation({
  id: 'getContextFieldsForProject',
  method: 'GET',
  path: '/api/admin/projects/:projectId/context',
  summary: 'List the context fields of a project; with `include=root`, also those that apply to all projects',
  tag,
  query: z.object({ include: z.string().optional() }),
  success: { status: 200, description: 'The fields', schema: contextFieldsSchema },
  run: ({ params, query, context: { tables } }) => {
    const fields = tables.contextFields
      .list()
      .filter(({ project }) => project === params.projectId || (project === null && includes(query, 'root')))
    return ok({ body: presentContextFields(fields, tables) })
  },
})

const getContextField = defineOperation({
  id: 'getContextField',
  method: 'GET',
  path: '/api/admin/context/:contextField',
  summary: 'Get a context field',
  tag,
  success: { status: 200, description: 'The field', schema: contextFieldSchema },
  errors: [404],
  run: ({ params, context }) => {
    const found = findRecord(context.tables.contextFields, params.contextField, what)
    return found.ok ? ok({ body: presentContextField(found.value) }) : found
  },
})

const getStrategiesByContextField = defineOperation({
  id: 'getStrategiesByContextField',
  method: 'GET',
  path: '/api/admin/context/:contextField/strategies',
  summary: 'List the strategies with a constraint on a context field',
  tag,
  success: { status: 200, description: 'The strategies', schema: usingStrategiesSchema },
  run: ({ params, context }) =>
    ok({ body: { strategies: strategiesUsing(context.tables, 'contextField', params.contextField) } }),
})

const createContextField = defineOperation({
  id: 'createContextField',
  method: 'POST',
  path: '/api/admin/context',
  summary: 'Create a context field',
  tag,
  permission: 'CREATE_CONTEXT_FIELD',
  body: createContextFieldSchema,
  success: {
    status: 201,
    description: 'The field',
    schema: contextFieldSchema,
    headers: { location: 'The path to read it at' },
  },
  errors: [404, 409],
  run: ({ body, context }) => createField(context, body),
})

const validateContextFieldName = defineOperation({
  id: 'validateContextFieldName',
  method: 'POST',
  path: '/api/admin/context/validate',
  summary: 'Check whether a name can be given to a context field',
  tag,
  permission: 'UPDATE_CONTEXT_FIELD',
  body: nameSchema,
  success: { status: 200, description: 'The name can be used' },
  errors: [409],
  run: ({ body, context }) => okUnless(checkFieldName(context.tables, body.name)),
})

const updateContextField = defineOperation({
  id: 'updateContextField',
  method: 'PUT',
  path: '/api/admin/context/:contextField',
  summary: 'Update a context field',
  tag,
  permission: 'UPDATE_CONTEXT_FIELD',
  body: updateContextFieldSchema,
  success: { status: 200, description: 'The field is updated' },
  errors: [404],
  run: ({ params, body, context }) => updateField(context, params.contextField, body),
})

const deleteContextField = defineOperation({
  id: 'deleteContextField',
  method: 'DELETE',
  path: '/api/admin/context/:contextField',
  summary: 'Delete a context field that no active feature uses',
  tag,
  permission: 'DELETE_CONTEXT_FIELD',
  success: { status: 200, description: 'The field is deleted' },
  errors: [404, 409],
  run: ({ params, context }) => deleteField(context, params.contextField),
})

export const contextFieldOperations = [
  getContextFields,
  getContextFieldsForProject,
  getContextField,
  getStrategiesByContextField,
  createContextField,
  validateContextFieldName,
  updateContextField,
  deleteContextField,
] as const

/** Whether a query asks for further fields. Upper and lower case are the same. */
function includes({ include }: { include?: string | undefined }, what: string): boolean {
  return include?.toLowerCase() === what
}
