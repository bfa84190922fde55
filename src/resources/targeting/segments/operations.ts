import type { Frozen } from '../../../support/freeze.js'
import { fail, ok, okUnless } from '../../../support/result.js'
import type { FeatureEnvironment } from '../../flags/feature-environments/schema.js'
import { logEvent } from '../../instance/events/actions.js'
import type { Tables } from '../../shared/context.js'
import { defineOperation } from '../../shared/operation.js'
import { nameSchema, toInstant } from '../../shared/schema.js'
import { nextId, retireId } from '../../shared/sequences/table.js'
import { strategiesUsing, usageOf } from '../usage/lookup.js'
import { checkSegment, checkSegmentName } from './checks.js'
import { findSegment } from './lookup.js'
import { presentSegment } from './present.js'
import { createSegmentRecord } from './rules.js'
import { segmentSchema, segmentsSchema, upsertSegmentSchema } from './schema.js'

const tag = 'Segments'

const getSegments = defineOperation({
  id: 'getSegments',
  method: 'GET',
  path: '/api/admin/segments',
  summary: 'List the segments, each with its usage',
  tag,
  success: { status: 200, description: 'The segments', schema: segmentsSchema },
  run: ({ context: { tables } }) => {
    const segments = tables.segments
      .list()
      .toSorted((one, other) => one.name.localeCompare(other.name))
      .map((segment) => ({ ...presentSegment(segment), ...usageOf(tables, 'segment', segment.id) }))
    return ok({ body: { segments } })
  },
})

const getSegment = defineOperation({
  id: 'getSegment',
  method: 'GET',
  path: '/api/admin/segments/:id',
  integers: ['id'],
  summary: 'Get a segment',
  tag,
  success: { status: 200, description: 'The segment', schema: segmentSchema },
  errors: [404],
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
  permission: 'CREATE_SEGMENT',
  body: upsertSegmentSchema,
  success: {
    status: 201,
    description: 'The segment',
    schema: segmentSchema,
    headers: { location: 'The path to read it at' },
  },
  errors: [404, 409],
  run: ({ body, context }) => {
    const { tables, caller, now } = context
    const failure = checkSegment(tables, body)
    if (failure) return fail(failure)
    const own = { id: nextId(tables, 'segments'), createdBy: caller.username, createdAt: toInstant(now) }
    const segment = createSegmentRecord(body, own)
    tables.segments.insert(segment)
    logEvent(context, { type: 'segment-created', project: segment.project, data: presentSegment(segment) })
    return ok({ headers: { location: `segments/${segment.id}` }, body: presentSegment(segment) })
  },
})

const validateSegment = defineOperation({
  id: 'validateSegment',
  method: 'POST',
  path: '/api/admin/segments/validate',
  summary: 'Check whether a name can be given to a segment',
  tag,
  body: nameSchema,
  success: { status: 204, description: 'The name can be used' },
  errors: [409],
  run: ({ body, context }) => okUnless(checkSegmentName(context.tables, body.name)),
})

const updateSegment = defineOperation({
  id: 'updateSegment',
  method: 'PUT',
  path: '/api/admin/segments/:id',
  integers: ['id'],
  summary: 'Update a segment',
  tag,
  permission: 'UPDATE_SEGMENT',
  body: upsertSegmentSchema,
  success: { status: 204, description: 'The segment is updated' },
  errors: [404, 409],
  run: ({ params, body, context }) => {
    const { tables } = context
    const found = findSegment(tables, params.id)
    if (!found.ok) return found
    const failure = checkSegment(tables, body, found.value.id)
    if (failure) return fail(failure)
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
  integers: ['id'],
  summary: 'Delete a segment that no strategy uses',
  tag,
  permission: 'DELETE_SEGMENT',
  success: { status: 204, description: 'The segment is deleted' },
  errors: [404, 409],
  run: ({ params, context }) => {
    const { tables } = context
    const found = findSegment(tables, params.id)
    if (!found.ok) return found
    const { id, name, project } = found.value
    if (strategiesUsing(tables, 'segment', id).length > 0) {
      return fail({ kind: 'inUse', message: `The segment "${name}" is used by strategies.` })
    }
    removeFromStrategies(tables, id)
    tables.segments.remove(id)
    retireId(tables, 'segments', id)
    logEvent(context, { type: 'segment-deleted', project, data: null, preData: presentSegment(found.value) })
    return ok({})
  },
})

/** Archived features, and environments that features have left, lose a segment that is deleted. */
function removeFromStrategies({ features }: Tables, id: number): void {
  const without = <Place extends Frozen<Pick<FeatureEnvironment, 'strategies'>>>(place: Place): Place => ({
    ...place,
    strategies: place.strategies.map((one) => ({ ...one, segments: one.segments.filter((other) => other !== id) })),
  })
  for (const feature of features.by('segment', id)) {
    const { environments, detached, ...rest } = feature
    const left = detached === undefined ? {} : { detached: detached.map(without) }
    features.replace({ ...rest, environments: environments.map(without), ...left })
  }
}

export const segmentOperations = [
  getSegments,
  getSegment,
  createSegment,
  validateSegment,
  updateSegment,
  removeSegment,
] as const
