import * as z from 'zod'
import type { Frozen } from '../../../support/freeze.js'
import { derived, field, instant, optional, whole, written } from '../shared/fields.js'
import { object } from '../shared/object.js'
import { idSchema, named } from '../shared/schema.js'
import { defineTable } from '../shared/table.js'
import { type Constraint, constraintSchema, normalizeConstraint, sentConstraintSchema } from './constraints.js'
import { answeredInProject, usage, usingStrategiesSchema } from './context-fields.js'

/** A segment as stored: named constraints, for one project or (null) for all. */
export const segmentRecordSchema = object(() => ({
  id: field(idSchema.min(0), 'The ID.'),
  name: derived(z.string().min(1), ({ id }: { id: number }) => `segment-${id}`, 'The display name.'),
  description: optional(z.string().nullable(), null, 'The description.'),
  project: optional(z.string().nullable(), null, 'The project that it belongs to; null for all.'),
  constraints: whole(optional(z.array(constraintSchema), [], 'The constraints, which must all match.')),
  createdBy: written(optional(z.string(), 'admin', 'The name of its creator.')),
  createdAt: written(instant('now', 'The time of creation.')),
}))

export type SegmentRecord = z.infer<typeof segmentRecordSchema>

export const segmentSchema = named(
  'adminSegmentSchema',
  () => segmentRecordSchema.extend({ ...answeredInProject }).shape,
)

export const segmentsSchema = named('segmentsSchema', () => ({ segments: z.array(segmentSchema) }))

/** The strategies that use a segment. Change requests are not modelled, so `changeRequestStrategies` is empty. */
export const segmentStrategiesSchema = named(
  'segmentStrategiesSchema',
  () => usingStrategiesSchema.extend({ changeRequestStrategies: z.array(z.never()) }).shape,
)

export const upsertSegmentSchema = named('upsertSegmentSchema', () => ({
  name: z.string(),
  description: z.string().nullable().optional(),
  project: z.string().nullable().optional(),
  constraints: z.array(sentConstraintSchema),
}))

export type UpsertSegment = z.infer<typeof upsertSegmentSchema>

/** Unleash sends back all fields, even unknown ones. */
export const updateFeatureStrategySegmentsSchema = z
  .looseObject({
    projectId: z.string(),
    strategyId: z.string(),
    environmentId: z.string(),
    segmentIds: z.array(z.int().min(0)),
  })
  .meta({ id: 'updateFeatureStrategySegmentsSchema' })

/** The fields of a segment that are stored in another form than sent: an empty name means every project. */
export function contentOf({
  project,
  constraints = [],
}: Frozen<{ project?: string | null | undefined; constraints?: Constraint[] | undefined }>) {
  return { project: project || null, constraints: constraints.map(normalizeConstraint) }
}

export const segmentTable = defineTable({
  meaning: 'Segments. Only `id` is needed.',
  record: segmentRecordSchema,
  keyName: 'the id of a segment',
  key: ({ id }) => id,
  indexes: { name: ({ name }) => [name] },
  unique: { name: 'the name' },
  more: usage,
  own: contentOf,
  *references({ project }) {
    if (project !== null) yield { at: 'project', to: 'projects', key: project }
  },
})
