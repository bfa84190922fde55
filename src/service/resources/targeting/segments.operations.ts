import type { Frozen } from '../../../support/freeze.js'
import { badData, type Failure, found, limitExceeded, notFound, reject } from '../../contract/errors.js'
import type { FeatureEnvironment } from '../flags/feature-environments.js'
import { logEvent } from '../instance/events.operations.js'
import { byName, distinct, nameTaken } from '../shared/checks.js'
import type { Tables } from '../shared/context.js'
import { completed } from '../shared/fields.js'
import { nextId, retireId } from '../shared/lookup.js'
import { created, del, get, ok, operations, post, put } from '../shared/rows.js'
import { nameSchema, toInstant } from '../shared/schema.js'
import { checkConstraintsOfSegment } from './constraints.operations.js'
import { presentInProject } from './context-fields.js'
import {
  contentOf,
  type SegmentRecord,
  segmentRecordSchema,
  segmentSchema,
  segmentsSchema,
  type UpsertSegment,
  upsertSegmentSchema,
} from './segments.js'
import { strategiesUsing, usageOf } from './usage.model.js'

export function findSegment(tables: Tables, id: string): Frozen<SegmentRecord> {
  return found(tables.segments.get(Number(id)), () => `There is no segment "${id}".`)
}

/** The maximum segments, values of a segment, and segments of a strategy. */
export const segmentLimits = { segments: 300, segmentValues: 1000, strategySegments: 5 } as const

/** Fails if a segment can't be created or, with an `id`, updated like this. */
function checkSegment(tables: Tables, input: UpsertSegment, id?: number): Failure | undefined {
  return checkContents(tables, input, id) ?? checkSegmentName(tables, input.name, id) ?? checkProject(tables, input, id)
}

const noName = badData('The property "name" must not be empty.', '/body/name')

/** Fails if a name is empty or taken by another segment. */
function checkSegmentName(tables: Tables, name: string, id?: number): Failure | undefined {
  if (name === '') return noName
  const holder = tables.segments.by('name', name).find((segment) => segment.id !== id)
  return holder && nameTaken('segment', name)
}

/** Fails if a strategy of a project can't use these segments: unknown, or of another project. */
export function checkSegmentsOfStrategy(tables: Tables, ids: readonly number[], project: string): Failure | undefined {
  return ids.map((id) => checkFits(tables.segments.get(id), id, project)).find((fault) => fault !== undefined)
}

/** Fails if a strategy has too many segments or repeats one. */
export function checkSegmentCount(ids: readonly number[]): Failure | undefined {
  if (ids.length > segmentLimits.strategySegments) {
    return badData(`A strategy can't have more than ${segmentLimits.strategySegments} segments.`, '/body/segments')
  }
  const repeated = ids.find((id, place) => ids.indexOf(id) !== place)
  return repeated === undefined ? undefined : badData(`The segment "${repeated}" is repeated.`, '/body/segments')
}

function checkFits(segment: Frozen<SegmentRecord> | undefined, id: number, project: string): Failure | undefined {
  if (segment === undefined) return notFound(`There is no segment "${id}".`)
  if (segment.project === null || segment.project === project) return undefined
  const message = `The segment ${segment.name} (${id}) can't be used in the project "${project}".`
  return badData(message, '/body/segments')
}

function checkProject(tables: Tables, { project }: UpsertSegment, id: number | undefined): Failure | undefined {
  // An empty name means every project.
  if (!project) return undefined
  const used = id === undefined ? [] : strategiesUsing(tables, 'segment', id)
  const elsewhere = distinct(used.map(({ projectId }) => projectId)).filter((one) => one !== project)
  if (elsewhere.length > 0) {
    return badData(`Strategies of other projects use the segment: ${elsewhere.join(', ')}.`, '/body/project')
  }
  return tables.projects.has(project) ? undefined : notFound(`There is no project "${project}".`)
}

function checkContents(
  tables: Tables,
  { name, constraints }: UpsertSegment,
  id: number | undefined,
): Failure | undefined {
  const isNew = id === undefined
  if (isNew && tables.segments.list().length >= segmentLimits.segments) {
    return limitExceeded(`${segmentLimits.segments} segments`, '/body')
  }
  if (name === '') return noName
  const fault = checkConstraintsOfSegment(tables, constraints)
  if (fault !== undefined) return fault
  const values = constraints.reduce((sum, constraint) => sum + (constraint.values?.length ?? 0), 0)
  return values > segmentLimits.segmentValues
    ? badData(`A segment can't have more than ${segmentLimits.segmentValues} values.`, '/body/constraints')
    : undefined
}

/** Removes a deleted segment from archived features, and from environments that features have left. */
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

export const segmentOperations = operations('Segments', {
  getSegments: get('/api/admin/segments', {
    summary: 'List the segments, each with its usage',
    success: ok('The segments', segmentsSchema),
    run: ({ tables }) => {
      const segments = tables.segments
        .list()
        .toSorted(byName)
        .map((segment) => ({ ...presentInProject(segment), ...usageOf(tables, 'segment', segment.id) }))
      return { body: { segments } }
    },
  }),

  getSegment: get('/api/admin/segments/:id', {
    integers: ['id'],
    summary: 'Get a segment',
    success: ok('The segment', segmentSchema),
    run: ({ params, context }) => ({ body: presentInProject(findSegment(context.tables, params.id)) }),
  }),

  createSegment: post('/api/admin/segments', {
    summary: 'Create a segment',
    permission: ['CREATE_SEGMENT', 'UPDATE_PROJECT_SEGMENT'],
    body: upsertSegmentSchema,
    success: created('The segment', segmentSchema),
    errors: [404, 409],
    run: ({ body, context }) => {
      const { tables, caller, now } = context
      reject(checkSegment(tables, body))
      const own = { id: nextId(tables, 'segments'), createdBy: caller.username, createdAt: toInstant(now) }
      const segment = completed(segmentRecordSchema, { ...body, ...own }, context, contentOf(body))
      tables.segments.insert(segment)
      logEvent(context, { type: 'segment-created', project: segment.project, data: presentInProject(segment) })
      return { headers: { location: `segments/${segment.id}` }, body: presentInProject(segment) }
    },
  }),

  validateSegment: post('/api/admin/segments/validate', {
    summary: 'Check whether a name can be given to a segment',
    body: nameSchema,
    success: { status: 204, description: 'The name can be used' },
    errors: [409],
    run: ({ body, context }) => reject(checkSegmentName(context.tables, body.name)),
  }),

  updateSegment: put('/api/admin/segments/:id', {
    integers: ['id'],
    summary: 'Update a segment',
    permission: ['UPDATE_SEGMENT', 'UPDATE_PROJECT_SEGMENT'],
    body: upsertSegmentSchema,
    success: { status: 204, description: 'The segment is updated' },
    errors: [404, 409],
    run: ({ params, body, context, tables }) => {
      reject(checkContents(tables, body, Number(params.id)))
      const found = findSegment(tables, params.id)
      reject(checkSegment(tables, body, found.id))
      const { name, description = found.description } = body
      const segment = { ...found, name, description, ...contentOf(body) }
      tables.segments.replace(segment)
      const [data, preData] = [presentInProject(segment), presentInProject(found)]
      logEvent(context, { type: 'segment-updated', project: segment.project, data, preData })
    },
  }),

  removeSegment: del('/api/admin/segments/:id', {
    integers: ['id'],
    summary: 'Delete a segment that no strategy uses',
    permission: ['DELETE_SEGMENT', 'UPDATE_PROJECT_SEGMENT'],
    success: { status: 204, description: 'The segment is deleted' },
    errors: [404, 409],
    bodiless: ['inUse'],
    run: ({ params, context, tables }) => {
      const found = findSegment(tables, params.id)
      const { id, name, project } = found
      if (strategiesUsing(tables, 'segment', id).length > 0) {
        reject({ kind: 'inUse', message: `The segment "${name}" is used by strategies.` })
      }
      removeFromStrategies(tables, id)
      tables.segments.remove(id)
      retireId(tables, 'segments', id)
      logEvent(context, { type: 'segment-deleted', project, data: null, preData: presentInProject(found) })
    },
  }),
})
