import * as z from 'zod'
import { type Failure, notFound } from '../../contract/errors.js'
import type { Reply } from '../../contract/operation.js'
import type { Frozen } from '../../support/freeze.js'
import { fail, ok, type Result } from '../../support/result.js'
import { defineOperation } from '../define-operation.js'
import { logEvent } from '../events/rules.js'
import { strategiesUsing } from '../features/usage.js'
import { findRecord, nameTaken } from '../lookup.js'
import { nameSchema } from '../names.js'
import { usingStrategiesSchema } from '../strategies/schema.js'
import type { World } from '../world.js'
import { presentContextField, presentContextFields } from './present.js'
import { createContextFieldRecord } from './rules.js'
import {
  type ContextFieldRecord,
  contextFieldName,
  contextFieldSchema,
  contextFieldsSchema,
  createContextFieldSchema,
  legalValueSchema,
  updateContextFieldSchema,
} from './schema.js'

const tag = 'Context'
const what = 'context field'

const getContextFields = defineOperation({
  id: 'getContextFields',
  method: 'GET',
  path: '/api/admin/context',
  summary: 'The fields of the context that are for all projects',
  tag,
  access: 'admin',
  success: { status: 200, description: 'The fields', schema: contextFieldsSchema },
  errors: [401],
  run: ({ world: { tables } }) => {
    const fields = tables.contextFields.list().filter(({ project }) => project === null)
    return ok({ body: presentContextFields(fields, tables) })
  },
})

const getContextFieldsForProject = defineOperation({
  id: 'getContextFieldsForProject',
  method: 'GET',
  path: '/api/admin/projects/:projectId/context',
  summary: 'The fields of the context that are for a project; with `include=root` also those for all',
  tag,
  access: 'admin',
  query: z.object({ include: z.string().optional() }),
  success: { status: 200, description: 'The fields', schema: contextFieldsSchema },
  errors: [400, 401],
  run: ({ params, query, world: { tables } }) => {
    const fields = tables.contextFields
      .list()
      .filter(({ project }) => project === params.projectId || (query.include === 'root' && project === null))
    return ok({ body: presentContextFields(fields, tables) })
  },
})

const getContextField = defineOperation({
  id: 'getContextField',
  method: 'GET',
  path: '/api/admin/context/:contextField',
  summary: 'One field of the context',
  tag,
  access: 'admin',
  success: { status: 200, description: 'The field', schema: contextFieldSchema },
  errors: [400, 401, 404],
  run: ({ params, world }) => {
    const found = findRecord(world.tables.contextFields, params.contextField, what)
    return found.ok ? ok({ body: presentContextField(found.value) }) : found
  },
})

const getStrategiesByContextField = defineOperation({
  id: 'getStrategiesByContextField',
  method: 'GET',
  path: '/api/admin/context/:contextField/strategies',
  summary: 'The strategies with a constraint on a field of the context',
  tag,
  access: 'admin',
  success: { status: 200, description: 'The strategies', schema: usingStrategiesSchema },
  errors: [400, 401],
  run: ({ params, world }) =>
    ok({ body: { strategies: strategiesUsing(world.tables, 'contextField', params.contextField) } }),
})

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
    headers: { location: 'Where it is read' },
  },
  errors: [400, 401, 403, 404, 409, 413, 415],
  run: ({ body, world }) => {
    const { tables } = world
    const illegal = contextFieldName.check(body.name)
    if (illegal) return fail(illegal)
    if (body.project !== undefined && !tables.projects.has(body.project)) {
      return fail(notFound(`There is no project "${body.project}".`))
    }
    const field = createContextFieldRecord(body, world.now.toISOString())
    if (!tables.contextFields.insert(field)) return fail(nameTaken(what, body.name))
    logEvent(world, { type: 'context-field-created', project: field.project, data: presentContextField(field) })
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
  run: ({ body, world }) => {
    const illegal = contextFieldName.check(body.name)
    if (illegal) return fail(illegal)
    return world.tables.contextFields.has(body.name) ? fail(nameTaken(what, body.name)) : ok({})
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
  run: ({ params, body, world }) =>
    change(world, params.contextField, (field) => createContextFieldRecord({ ...field, ...body }, field.createdAt)),
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
  run: ({ params, body, world }) =>
    change(world, params.contextField, (field) => ({
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
  run: ({ params, world }) =>
    change(world, params.contextField, (field) => ({
      ...field,
      legalValues: field.legalValues.filter(({ value }) => value !== params.legalValue),
    })),
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
  run: ({ params, world }) => {
    const found = findRecord(world.tables.contextFields, params.contextField, what)
    if (!found.ok) return found
    world.tables.contextFields.remove(params.contextField)
    logEvent(world, { type: 'context-field-deleted', data: null, preData: presentContextField(found.value) })
    return ok({})
  },
})

/** Puts a changed field in the place of what it was. */
function change(
  world: World,
  name: string,
  changed: (field: Frozen<ContextFieldRecord>) => Frozen<ContextFieldRecord>,
): Result<Reply, Failure> {
  const found = findRecord(world.tables.contextFields, name, what)
  if (!found.ok) return found
  const field = changed(found.value)
  world.tables.contextFields.replace(field)
  const [data, preData] = [presentContextField(field), presentContextField(found.value)]
  logEvent(world, { type: 'context-field-updated', project: field.project, data, preData })
  return ok({})
}

export const contextFieldOperations = [
  getContextFields,
  getContextFieldsForProject,
  getContextField,
  getStrategiesByContextField,
  createContextField,
  validateContextFieldName,
  updateContextField,
  updateContextFieldLegalValue,
  deleteContextFieldLegalValue,
  deleteContextField,
] as const
