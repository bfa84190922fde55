import * as z from 'zod'
import { ok, okUnless } from '../../../support/result.js'
import { defineOperation } from '../../shared/operation.js'
import { nameSchema } from '../../shared/schema.js'
import { strategiesUsing } from '../usage/lookup.js'
import { usingStrategiesSchema } from '../usage/schema.js'
import { createField, deleteField, updateField } from './actions.js'
import { checkFieldName } from './checks.js'
import { findContextField } from './lookup.js'
import { presentContextField, presentContextFields } from './present.js'
import { type FieldPlace, ofProject, ofService } from './rules.js'
import {
  contextFieldSchema,
  contextFieldsSchema,
  createContextFieldSchema,
  updateContextFieldSchema,
} from './schema.js'

const tag = 'Context'

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

const getContextField = <Suffix extends string>({ suffix, path }: FieldPlace<Suffix>) =>
  defineOperation({
    id: `getContextField${suffix}` as const,
    method: 'GET',
    path: `${path}/:contextField` as const,
    summary: 'Get a context field, of whichever project',
    tag,
    success: { status: 200, description: 'The field', schema: contextFieldSchema },
    errors: [404],
    run: ({ params, context }) => {
      const found = findContextField(context.tables, params.contextField)
      return found.ok ? ok({ body: presentContextField(found.value) }) : found
    },
  })

const getStrategiesByContextField = <Suffix extends string>({ suffix, path }: FieldPlace<Suffix>) =>
  defineOperation({
    id: `getStrategiesByContextField${suffix}` as const,
    method: 'GET',
    path: `${path}/:contextField/strategies` as const,
    summary: 'List the strategies with a constraint on a context field',
    tag,
    success: { status: 200, description: 'The strategies', schema: usingStrategiesSchema },
    run: ({ params, context }) =>
      ok({ body: { strategies: strategiesUsing(context.tables, 'contextField', params.contextField) } }),
  })

const createContextField = <Suffix extends string>({ suffix, path, of, permissions }: FieldPlace<Suffix>) =>
  defineOperation({
    id: `createContextField${suffix}` as const,
    method: 'POST',
    path,
    summary: `Create a context field${of}`,
    tag,
    permission: ['CREATE_CONTEXT_FIELD', ...permissions],
    body: createContextFieldSchema,
    success: {
      status: 201,
      description: 'The field',
      schema: contextFieldSchema,
      headers: { location: 'The path to read it at' },
    },
    errors: [404, 409],
    run: ({ params: { projectId: project }, body, context }) =>
      createField(context, project === undefined ? body : { ...body, project }),
  })

const validateContextFieldName = <Suffix extends string>({ suffix, path, of, permissions }: FieldPlace<Suffix>) =>
  defineOperation({
    id: `validateContextFieldName${suffix}` as const,
    method: 'POST',
    path: `${path}/validate` as const,
    summary: `Check whether a name can be given to a context field${of}`,
    tag,
    permission: ['UPDATE_CONTEXT_FIELD', ...permissions],
    body: nameSchema,
    success: { status: 200, description: 'The name can be used' },
    errors: [409],
    run: ({ body, context }) => okUnless(checkFieldName(context.tables, body.name)),
  })

const updateContextField = <Suffix extends string>({ suffix, path, of, permissions }: FieldPlace<Suffix>) =>
  defineOperation({
    id: `updateContextField${suffix}` as const,
    method: 'PUT',
    path: `${path}/:contextField` as const,
    summary: `Update a context field${of}`,
    tag,
    permission: ['UPDATE_CONTEXT_FIELD', ...permissions],
    body: updateContextFieldSchema,
    success: { status: 200, description: 'The field is updated' },
    errors: [404],
    run: ({ params: { projectId, contextField }, body, context }) =>
      updateField(context, contextField, body, projectId),
  })

const deleteContextField = <Suffix extends string>({ suffix, path, of, permissions }: FieldPlace<Suffix>) =>
  defineOperation({
    id: `deleteContextField${suffix}` as const,
    method: 'DELETE',
    path: `${path}/:contextField` as const,
    summary: `Delete a context field${of} that no active feature uses`,
    tag,
    permission: ['DELETE_CONTEXT_FIELD', ...permissions],
    success: { status: 200, description: 'The field is deleted' },
    errors: [404, 409],
    run: ({ params, context }) => deleteField(context, params.contextField, params.projectId),
  })

const rowsAt = <Suffix extends string>(place: FieldPlace<Suffix>) =>
  [
    getContextField(place),
    getStrategiesByContextField(place),
    createContextField(place),
    validateContextFieldName(place),
    updateContextField(place),
    deleteContextField(place),
  ] as const

export const contextFieldOperations = [
  getContextFields,
  getContextFieldsForProject,
  ...rowsAt(ofService),
  ...rowsAt(ofProject),
] as const

/** Whether a query asks for further fields. Upper and lower case are the same. */
function includes({ include }: { include?: string | undefined }, what: string): boolean {
  return include?.toLowerCase() === what
}
