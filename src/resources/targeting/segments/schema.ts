import * as z from 'zod'
import { instantSchema } from '../../shared/schema.js'
import { constraintSchema, sentConstraintSchema } from '../constraints/schema.js'
import { usingStrategiesSchema } from '../usage/schema.js'

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
