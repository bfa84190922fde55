import { type Failure, notFound } from '../../../contract/errors.js'
import type { Frozen } from '../../../support/freeze.js'
import { fail, ok, type Result } from '../../../support/result.js'
import { logEvent } from '../../instance/events/actions.js'
import { nameSchema } from '../../shared/checks.js'
import type { Tables } from '../../shared/context.js'
import { defineOperation } from '../../shared/operation.js'
import { strategiesUsing, usageOf } from '../usage/lookup.js'
import { checkSegment, checkSegmentName } from './checks.js'
import { createSegmentRecord, presentSegment } from './rules.js'
import { type SegmentRecord, segmentSchema, segmentsSchema, upsertSegmentSchema } from './schema.js'

const tag = 'Segments'

const getSegments = defineOperation({
  id: 'getSegments',
  method: 'GET',
  path: '/api/admin/segments',
  summary: 'The segments, each with how much it is used',
  tag,
  access: 'admin',
  success: { status: 200, description: 'The segments', schema: segmentsSchema },
  errors: [401],
  run: ({ context: { tables } }) => {
    const segments = tables.segments
      .list()
      .map((segment) => ({ ...presentSegment(segment), ...usageOf(tables, 'segment', segment.id) }))
    return ok({ body: { segments } })
  },
})

const getSegment = defineOperation({
  id: 'getSegment',
  method: 'GET',
  path: '/api/admin/segments/:id',
  summary: 'One segment',
  tag,
  access: 'admin',
  success: { status: 200, description: 'The segment', schema: segmentSchema },
  errors: [400, 401, 404],
  run: ({ params, context }) => {
    const found = findSegment(context.tables, params.id)
    return found.ok ? ok({ body: presentSegment(found.value) }) : found
  },
})

const createSegment = defineOperation({
  id: 'createSegment',
  method: 'POST',
  path: '/api/admin/segments',
  summary: 'Create a segment',
  tag,
  access: 'admin',
  permission: 'CREATE_SEGMENT',
  body: upsertSegmentSchema,
  success: {
    status: 201,
    description: 'The segment',
    schema: segmentSchema,
    headers: { location: 'PermissionScope it is read' },
  },
  errors: [400, 401, 403, 404, 409, 413, 415],
  run: ({ body, context }) => {
    const { tables, caller, now } = context
    const refusal = checkSegment(tables, body)
    if (refusal) return fail(refusal)
    const made = { id: newSegmentId(tables), createdBy: caller.username, createdAt: now.toISOString() }
    const segment = createSegmentRecord(body, made)
    tables.segments.insert(segment)
    logEvent(context, { type: 'segment-created', project: segment.project, data: presentSegment(segment) })
    return ok({ headers: { location: `segments/${segment.id}` }, body: presentSegment(segment) })
  },
})

const validateSegment = defineOperation({
  id: 'validateSegment',
  method: 'POST',
  path: '/api/admin/segments/validate',
  summary: 'Whether a segment could have a name',
  tag,
  access: 'admin',
  body: nameSchema,
  success: { status: 204, description: 'It could' },
  errors: [400, 401, 409, 413, 415],
  run: ({ body, context }) => {
    const refusal = checkSegmentName(context.tables, body.name)
    return refusal ? fail(refusal) : ok({})
  },
})

const updateSegment = defineOperation({
  id: 'updateSegment',
  method: 'PUT',
  path: '/api/admin/segments/:id',
  summary: 'Change a segment',
  tag,
  access: 'admin',
  permission: 'UPDATE_SEGMENT',
  body: upsertSegmentSchema,
  success: { status: 204, description: 'The segment is changed' },
  errors: [400, 401, 403, 404, 409, 413, 415],
  run: ({ params, body, context }) => {
    const { tables } = context
    const found = findSegment(tables, params.id)
    if (!found.ok) return found
    const refusal = checkSegment(tables, body, found.value.id)
    if (refusal) return fail(refusal)
    const segment = createSegmentRecord(body, found.value)
    tables.segments.replace(segment)
    const [data, preData] = [presentSegment(segment), presentSegment(found.value)]
    logEvent(context, { type: 'segment-updated', project: segment.project, data, preData })
    return ok({})
  },
})

const removeSegment = defineOperation({
  id: 'removeSegment',
  method: 'DELETE',
  path: '/api/admin/segments/:id',
  summary: 'Delete a segment that no strategy uses',
  tag,
  access: 'admin',
  permission: 'DELETE_SEGMENT',
  success: { status: 204, description: 'The segment is gone' },
  errors: [400, 401, 403, 404, 409],
  run: ({ params, context }) => {
    const { tables } = context
    const found = findSegment(tables, params.id)
    if (!found.ok) return found
    const { id, name, project } = found.value
    if (strategiesUsing(tables, 'segment', id).length > 0) {
      return fail({ kind: 'inUse', message: `The segment "${name}" is used by strategies.` })
    }
    tables.segments.remove(id)
    logEvent(context, { type: 'segment-deleted', project, data: null, preData: presentSegment(found.value) })
    return ok({})
  },
})

function findSegment(tables: Tables, id: string): Result<Frozen<SegmentRecord>, Failure> {
  const segment = tables.segments.get(Number(id))
  return segment === undefined ? fail(notFound(`There is no segment "${id}".`)) : ok(segment)
}

/** The number of the next segment: one more than the highest. */
function newSegmentId(tables: Tables): number {
  return tables.segments.list().reduce((highest, { id }) => Math.max(highest, id), 0) + 1
}

export const segmentOperations = [
  getSegments,
  getSegment,
  createSegment,
  validateSegment,
  updateSegment,
  removeSegment,
] as const
