import { ok, okUnless } from '../../../support/result.js'
import { defineOperation } from '../../shared/operation.js'
import { nameSchema } from '../../shared/schema.js'
import { changeLegalValues, createField, deleteField, updateField } from '../context-fields/actions.js'
import { checkFieldName } from '../context-fields/checks.js'
import { findContextField } from '../context-fields/lookup.js'
import { presentContextField } from '../context-fields/present.js'
import { withLegalValue, withoutLegalValue } from '../context-fields/rules.js'
import {
  contextFieldSchema,
  createContextFieldSchema,
  legalValueSchema,
  updateContextFieldSchema,
} from '../context-fields/schema.js'
import { strategiesUsing } from '../usage/lookup.js'
import { usingStrategiesSchema } from '../usage/schema.js'

const tag = 'Context'
const path = '/api/admin/projects/:projectId/context'
const updating = ['UPDATE_CONTEXT_FIELD', 'UPDATE_PROJECT_CONTEXT'] as const

const createContextFieldForProject = defineOperation({
  id: 'createContextFieldForProject',
  method: 'POST',
  path,
  summary: 'Create a context field of a project',
  tag,
  permission: ['CREATE_CONTEXT_FIELD', 'UPDATE_PROJECT_CONTEXT'],
  body: createContextFieldSchema,
  success: {
    status: 201,
    description: 'The field',
    schema: contextFieldSchema,
    headers: { location: 'The path to read it at' },
  },
  errors: [404, 409],
  run: ({ params: { projectId: project }, body, context }) => createField(context, { ...body, project }),
})

const validateContextFieldNameForProject = defineOperation({
  id: 'validateContextFieldNameForProject',
  method: 'POST',
  path: `${path}/validate`,
  summary: 'Check whether a name can be given to a context field of a project',
  tag,
  permission: updating,
  body: nameSchema,
  success: { status: 200, description: 'The name can be used' },
  errors: [409],
  run: ({ body, context }) => okUnless(checkFieldName(context.tables, body.name)),
})

const getContextFieldForProject = defineOperation({
  id: 'getContextFieldForProject',
  method: 'GET',
  path: `${path}/:contextField`,
  summary: 'Get a context field, of whichever project',
  tag,
  success: { status: 200, description: 'The field', schema: contextFieldSchema },
  errors: [404],
  run: ({ params, context }) => {
    const found = findContextField(context.tables, params.contextField)
    return found.ok ? ok({ body: presentContextField(found.value) }) : found
  },
})

const getStrategiesByContextFieldForProject = defineOperation({
  id: 'getStrategiesByContextFieldForProject',
  method: 'GET',
  path: `${path}/:contextField/strategies`,
  summary: 'List the strategies with a constraint on a context field',
  tag,
  success: { status: 200, description: 'The strategies', schema: usingStrategiesSchema },
  run: ({ params, context }) =>
    ok({ body: { strategies: strategiesUsing(context.tables, 'contextField', params.contextField) } }),
})

const updateContextFieldForProject = defineOperation({
  id: 'updateContextFieldForProject',
  method: 'PUT',
  path: `${path}/:contextField`,
  summary: 'Update a context field of a project',
  tag,
  permission: updating,
  body: updateContextFieldSchema,
  success: { status: 200, description: 'The field is updated' },
  errors: [404],
  run: ({ params: { projectId, contextField }, body, context }) => updateField(context, contextField, body, projectId),
})

const deleteContextFieldForProject = defineOperation({
  id: 'deleteContextFieldForProject',
  method: 'DELETE',
  path: `${path}/:contextField`,
  summary: 'Delete a context field of a project that no active feature uses',
  tag,
  permission: ['DELETE_CONTEXT_FIELD', 'UPDATE_PROJECT_CONTEXT'],
  success: { status: 200, description: 'The field is deleted' },
  errors: [404, 409],
  run: ({ params, context }) => deleteField(context, params.contextField, params.projectId),
})

const updateContextFieldLegalValueForProject = defineOperation({
  id: 'updateContextFieldLegalValueForProject',
  method: 'POST',
  path: `${path}/:contextField/legal-values`,
  summary: 'Add a legal value to a context field of a project, or change its description',
  tag,
  permission: updating,
  body: legalValueSchema,
  success: { status: 200, description: 'The value is legal' },
  errors: [404],
  run: ({ params: { projectId, contextField }, body, context }) =>
    changeLegalValues(context, contextField, withLegalValue(body), projectId),
})

const deleteContextFieldLegalValueForProject = defineOperation({
  id: 'deleteContextFieldLegalValueForProject',
  method: 'DELETE',
  path: `${path}/:contextField/legal-values/:legalValue`,
  summary: 'Remove a legal value from a context field of a project',
  tag,
  permission: updating,
  success: { status: 200, description: 'The value is not legal' },
  errors: [404],
  run: ({ params: { projectId, contextField, legalValue }, context }) =>
    changeLegalValues(context, contextField, withoutLegalValue(legalValue), projectId),
})

export const projectContextOperations = [
  createContextFieldForProject,
  validateContextFieldNameForProject,
  getContextFieldForProject,
  getStrategiesByContextFieldForProject,
  updateContextFieldForProject,
  deleteContextFieldForProject,
  updateContextFieldLegalValueForProject,
  deleteContextFieldLegalValueForProject,
] as const
