import * as z from 'zod'
import type { Frozen } from '../../../support/freeze.js'
import { badData, type Failure, notFound, reject } from '../../contract/errors.js'
import type { Permission } from '../../contract/permissions.js'
import { logEvent } from '../instance/events.operations.js'
import { byName, firstRepeated, nameTaken } from '../shared/checks.js'
import type { OperationContext, Tables } from '../shared/context.js'
import { completed } from '../shared/fields.js'
import { findRecord } from '../shared/lookup.js'
import { created, del, get, ok, operations, post, put, withSuffix } from '../shared/rows.js'
import { nameSchema } from '../shared/schema.js'
import {
  type ContextFieldInput,
  type ContextFieldRecord,
  contextFieldName,
  contextFieldRecordSchema,
  contextFieldSchema,
  contextFieldsSchema,
  createContextFieldSchema,
  type LegalValues,
  presentInProject,
  sentFieldOf,
  sentLegalValueSchema,
  updateContextFieldSchema,
  usingStrategiesSchema,
} from './context-fields.js'
import { strategiesUsing, usageOf } from './usage.model.js'

/** The context field with this name. With a project, it must belong to the project. */
function findContextField(tables: Tables, name: string, project?: string): Frozen<ContextFieldRecord> {
  const found = findRecord(tables.contextFields, name, 'context field')
  if (project === undefined || found.project === project) return found
  return reject(notFound(`There is no context field "${name}" in the project "${project}".`))
}

/** Fails for an illegal name, or if a context field of any project has it. */
function checkFieldName(tables: Tables, name: string): Failure | undefined {
  return contextFieldName.check(name) ?? (tables.contextFields.has(name) ? nameTaken('context field', name) : undefined)
}

/** Fails for a description that is too long, or for legal values that are too long or not distinct. */
export function checkFieldContent({
  description,
  legalValues = [],
}: Partial<Pick<ContextFieldInput, 'description' | 'legalValues'>>): Failure | undefined {
  if ((description?.length ?? 0) > 250) {
    return badData(`The "description" has at most 250 characters; "${description}" was sent.`, '/body/description')
  }
  const values = legalValues.map(({ value }) => value)
  const wrong = values.findIndex(({ length }) => length === 0 || length > 100)
  if (wrong >= 0) return badData(`"legalValues[${wrong}].value" must have 1 to 100 characters.`, '/body/legalValues')
  const repeated = firstRepeated(values)
  return repeated < 0
    ? undefined
    : badData(`"legalValues[${repeated}]" repeats the value "${values[repeated]}".`, '/body/legalValues')
}

/** A list of context fields by name, each with its usage. */
function presentContextFields(fields: readonly Frozen<ContextFieldRecord>[], tables: Tables) {
  return fields
    .toSorted(byName)
    .map((field) => ({ ...presentInProject(field), ...usageOf(tables, 'contextField', field.name) }))
}

/** Changes the legal values of a context field. With a project, the field must belong to the project. */
function changeLegalValues(
  context: OperationContext,
  name: string,
  change: (values: LegalValues) => LegalValues,
  project?: string,
): undefined {
  const found = findContextField(context.tables, name, project)
  const field = { ...found, legalValues: change(found.legalValues) }
  reject(checkFieldContent({ legalValues: field.legalValues }))
  context.tables.contextFields.replace(field)
  const [data, preData] = [presentInProject(field), presentInProject(found)]
  logEvent(context, { type: 'context-field-updated', data, preData })
}

/** The owner of context fields: the instance, whose paths have no `projectId`, or a project. */
interface FieldPlace {
  path: '/api/admin/context' | '/api/admin/projects/:projectId/context'
  /** The owner, for summaries. */
  of: string
  /** Alternative permissions. */
  permissions: readonly Permission[]
}

const ofService: FieldPlace = { path: '/api/admin/context', of: '', permissions: [] }

const ofProject: FieldPlace = {
  path: '/api/admin/projects/:projectId/context',
  of: ' of a project',
  permissions: ['UPDATE_PROJECT_CONTEXT'],
}

function readingRowsAt({ path }: FieldPlace) {
  return {
    getContextField: get(`${path}/:contextField`, {
      summary: 'Get a context field of any project',
      success: ok('The field', contextFieldSchema),
      run: ({ params, tables }) => ({ body: presentInProject(findContextField(tables, params.contextField)) }),
    }),

    getStrategiesByContextField: get(`${path}/:contextField/strategies`, {
      summary: 'List the strategies with a constraint on a context field',
      success: ok('The strategies', usingStrategiesSchema),
      errors: [],
      run: ({ params, context }) => ({
        body: { strategies: strategiesUsing(context.tables, 'contextField', params.contextField) },
      }),
    }),
  }
}

function changingRowsAt({ path, of, permissions }: FieldPlace) {
  return {
    createContextField: post(path, {
      summary: `Create a context field${of}`,
      permission: ['CREATE_CONTEXT_FIELD', ...permissions],
      body: createContextFieldSchema,
      success: created('The field', contextFieldSchema),
      errors: [404, 409],
      run: ({ params: { projectId }, body, context, tables }) => {
        const sent = projectId === undefined ? body : { ...body, project: projectId }
        const { name, project } = sent
        reject(contextFieldName.check(name))
        if (project !== undefined && !tables.projects.has(project)) {
          reject(notFound(`There is no project "${project}".`))
        }
        reject(checkFieldName(tables, name) ?? checkFieldContent(sent))
        const field = completed(contextFieldRecordSchema, sent, context)
        tables.contextFields.insert(field)
        logEvent(context, { type: 'context-field-created', data: sentFieldOf(sent) })
        return { headers: { location: `context/${name}` }, body: presentInProject(field) }
      },
    }),

    validateContextFieldName: post(`${path}/validate`, {
      summary: `Check whether a name can be given to a context field${of}`,
      permission: ['UPDATE_CONTEXT_FIELD', ...permissions],
      body: nameSchema,
      success: { status: 200, description: 'The name can be used' },
      errors: [409],
      run: ({ body, context }) => reject(checkFieldName(context.tables, body.name)),
    }),

    updateContextField: put(`${path}/:contextField`, {
      summary: `Update a context field${of}`,
      permission: ['UPDATE_CONTEXT_FIELD', ...permissions],
      body: updateContextFieldSchema,
      success: { status: 200, description: 'The field is updated' },
      run: ({ params: { projectId, contextField: name }, body, context, tables }) => {
        const found = findContextField(tables, name, projectId)
        reject(checkFieldContent(body))
        // An omitted field gets its default, except for the description. The sort order always does.
        const { sortOrder: _order, stickiness: _stickiness, legalValues: _values, ...kept } = found
        const { sortOrder: _sent, ...sent } = body
        tables.contextFields.replace(completed(contextFieldRecordSchema, { ...kept, ...sent }, context))
        const { createdAt: _createdAt, sortOrder: _sortOrder, ...preData } = presentInProject(found)
        logEvent(context, { type: 'context-field-updated', data: sentFieldOf({ ...body, name }), preData })
      },
    }),

    deleteContextField: del(`${path}/:contextField`, {
      summary: `Delete a context field${of} that no active feature uses`,
      permission: ['DELETE_CONTEXT_FIELD', ...permissions],
      success: { status: 200, description: 'The field is deleted' },
      errors: [404, 409],
      run: ({ params: { projectId, contextField: name }, context, tables }) => {
        const found = findContextField(tables, name, projectId)
        if (strategiesUsing(tables, 'contextField', name).length > 0) {
          reject({ kind: 'conflict', message: `The context field "${name}" is used by strategies.` })
        }
        tables.contextFields.remove(name)
        logEvent(context, { type: 'context-field-deleted', data: null, preData: presentInProject(found) })
      },
    }),
  }
}

/** The values with one more. It replaces an equal value. */
function withLegalValue(values: LegalValues, sent: LegalValues[number]): LegalValues {
  const others = values.map((known) => (known.value === sent.value ? sent : known))
  return others.includes(sent) ? others : [...others, sent]
}

function valueRowsAt({ path, of, permissions }: FieldPlace) {
  return {
    updateContextFieldLegalValue: post(`${path}/:contextField/legal-values`, {
      summary: `Add a legal value to a context field${of}, or change its description`,
      permission: ['UPDATE_CONTEXT_FIELD', ...permissions],
      body: sentLegalValueSchema,
      success: { status: 200, description: 'The value is added' },
      run: ({ params: { projectId, contextField }, body, context }) =>
        changeLegalValues(context, contextField, (all) => withLegalValue(all, body), projectId),
    }),

    deleteContextFieldLegalValue: del(`${path}/:contextField/legal-values/:legalValue`, {
      summary: `Remove a legal value from a context field${of}`,
      permission: ['UPDATE_CONTEXT_FIELD', ...permissions],
      success: { status: 200, description: 'The value is removed' },
      run: ({ params: { projectId, contextField, legalValue }, context }) =>
        changeLegalValues(context, contextField, (all) => all.filter(({ value }) => value !== legalValue), projectId),
    }),
  }
}

/** The rows for either owner of context fields. */
function rowsAt(place: FieldPlace) {
  return { ...readingRowsAt(place), ...changingRowsAt(place), ...valueRowsAt(place) }
}

export const contextFieldOperations = operations('Context', {
  getContextFields: get('/api/admin/context', {
    summary: 'List the context fields that apply to all projects; with `include=project`, also those of projects',
    query: z.object({ include: z.string().optional() }),
    success: ok('The fields', contextFieldsSchema),
    run: ({ query, tables }) => {
      const fields = tables.contextFields.list().filter(({ project }) => project === null || includes(query, 'project'))
      return { body: presentContextFields(fields, tables) }
    },
  }),

  getContextFieldsForProject: get('/api/admin/projects/:projectId/context', {
    summary: 'List the context fields of a project; with `include=root`, also those that apply to all projects',
    query: z.object({ include: z.string().optional() }),
    success: ok('The fields', contextFieldsSchema),
    errors: [],
    run: ({ params, query, tables }) => {
      const fields = tables.contextFields
        .list()
        .filter(({ project }) => project === params.projectId || (project === null && includes(query, 'root')))
      return { body: presentContextFields(fields, tables) }
    },
  }),

  ...rowsAt(ofService),
  ...withSuffix('ForProject', rowsAt(ofProject)),
})

/** Whether a query includes further fields, in any case. */
function includes({ include }: { include?: string | undefined }, what: string): boolean {
  return include?.toLowerCase() === what
}
