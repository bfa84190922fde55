import * as z from 'zod'
import type { Frozen } from '../../support/freeze.js'
import { fixtureInstant, fixtureInstantSchema, instantSchema } from '../shared/schema.js'
import { defineTable } from '../shared/table.js'
import { constraintSchema, normalizeConstraint, sentConstraintSchema } from './constraints.js'
import { usingStrategiesSchema } from './usage.js'

/** A segment as stored: constraints under a name, for one project or (null) for all. */
export const segmentRecordSchema = z.object({
  id: z.int().min(0),
  /** The name to show. */
  name: z.string().min(1),
  /** What it is for. Default: null. */
  description: z.string().nullable(),
  /** The project that it belongs to. Default: null, all. */
  project: z.string().nullable(),
  constraints: z.array(constraintSchema),
  /** Who created it. */
  createdBy: z.string(),
  createdAt: instantSchema,
})

export type SegmentRecord = z.infer<typeof segmentRecordSchema>

/** A segment in an answer. Lists add its usage. */
export const segmentSchema = segmentRecordSchema
  .extend({
    project: z.string().optional(),
    usedInProjects: z.int().min(0).optional(),
    usedInFeatures: z.int().min(0).optional(),
  })
  .meta({ id: 'adminSegmentSchema' })

export const segmentsSchema = z.object({ segments: z.array(segmentSchema) }).meta({ id: 'segmentsSchema' })

/** The strategies that use a segment. Change requests are not modelled, so `changeRequestStrategies` is empty. */
export const segmentStrategiesSchema = usingStrategiesSchema
  .extend({ changeRequestStrategies: z.array(z.never()) })
  .meta({ id: 'segmentStrategiesSchema' })

export const upsertSegmentSchema = z
  .object({
    name: z.string().min(1, 'must not be empty'),
    description: z.string().nullable().optional(),
    project: z.string().nullable().optional(),
    constraints: z.array(sentConstraintSchema),
  })
  .meta({ id: 'upsertSegmentSchema' })

export type UpsertSegment = z.infer<typeof upsertSegmentSchema>

export const updateFeatureStrategySegmentsSchema = z
  .object({
    projectId: z.string(),
    strategyId: z.string(),
    environmentId: z.string(),
    segmentIds: z.array(z.int().min(0)),
  })
  .meta({ id: 'updateFeatureStrategySegmentsSchema' })

/** A segment from a client's input and the fields that only the service sets. */
export function createSegmentRecord(
  input: Frozen<UpsertSegment>,
  own: Pick<SegmentRecord, 'id' | 'createdBy' | 'createdAt'>,
): Frozen<SegmentRecord> {
  return {
    id: own.id,
    name: input.name,
    description: input.description ?? null,
    project: input.project || null,
    constraints: input.constraints.map(normalizeConstraint),
    createdBy: own.createdBy,
    createdAt: own.createdAt,
  }
}

export const segmentTable = defineTable({
  record: segmentRecordSchema,
  keyName: 'the id of a segment',
  key: ({ id }) => id,
  indexes: { name: ({ name }) => [name] },
  unique: { name: 'the name' },
  fixture: z.strictObject({
    ...segmentRecordSchema.partial().shape,
    /** Its id. */
    id: z.int().min(0),
    /** The conditions that all have to hold. */
    constraints: z.array(constraintSchema).optional(),
    /** The number of projects with features that use it. It must agree with them. */
    usedInProjects: z.int().optional(),
    /** The number of features that use it. It must agree with them. */
    usedInFeatures: z.int().optional(),
    /** When it was created. Default: the start of the world. */
    createdAt: fixtureInstantSchema.optional(),
  }),
  complete(given, context) {
    const { id, name = `segment-${id}`, constraints = [], createdBy = 'admin' } = given
    const createdAt = fixtureInstant(given.createdAt ?? 'now', context.now)
    return createSegmentRecord({ ...given, name, constraints }, { id, createdBy, createdAt })
  },
  *references({ project }) {
    if (project !== null) yield { at: 'project', to: 'projects', key: project }
  },
})

/** A segment, with its project only if it has one. */
export function presentSegment({ project, ...segment }: Frozen<SegmentRecord>) {
  return project === null ? segment : { ...segment, project }
}
