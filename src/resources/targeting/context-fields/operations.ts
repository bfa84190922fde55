import * as z from 'zod'
import { ok } from '../../../support/result.js'
import { usingStrategiesSchema } from '../../flags/strategies/schema.js'
import { findRecord } from '../../shared/lookup.js'
import { defineOperation } from '../../shared/operation.js'
import { strategiesUsing } from '../usage/lookup.js'
import { presentContextField, presentContextFields } from './present.js'
import { contextFieldSchema, contextFieldsSchema } from './schema.js'

const tag = 'Context'

const getContextFields = defineOperation({
  id: 'getContextFields',
  method: 'GET',
  path: '/api/admin/context',
  summary: 'The fields of the context that are for all projects',
  tag,
  access: 'admin',
  success: { status: 200, description: 'The fields', schema: contextFieldsSchema },
  errors: [],
  run: ({ context: { tables } }) => {
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
  errors: [],
  run: ({ params, query, context: { tables } }) => {
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
  errors: [404],
  run: ({ params, context }) => {
    const found = findRecord(context.tables.contextFields, params.contextField, 'context field')
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
  errors: [],
  run: ({ params, context }) =>
    ok({ body: { strategies: strategiesUsing(context.tables, 'contextField', params.contextField) } }),
})

export const contextFieldOperations = [
  getContextFields,
  getContextFieldsForProject,
  getContextField,
  getStrategiesByContextField,
] as const
