import * as z from 'zod'
import { fixtureInstantSchema, toInstant } from '../../shared/schema.js'
import { defineTable, type FixtureContext, instantOr } from '../../shared/table.js'
import { SYSTEM_USER } from './rules.js'
import { type EventRecord, eventSchema } from './schema.js'

/** An event as a fixture may give it: number and type are needed. */
export const eventFixtureSchema = z.strictObject({
  ...eventSchema.partial().shape,
  /** Its number; later events have higher ones. */
  id: z.int().min(1),
  /** What happened, such as `feature-created`. */
  type: z.string(),
  /** When it happened. Default: the start of the world. */
  createdAt: fixtureInstantSchema.optional(),
})

/** The record that a fixture means. */
export function completeEvent(given: z.infer<typeof eventFixtureSchema>, context: FixtureContext): EventRecord {
  return {
    id: given.id,
    type: given.type,
    createdBy: given.createdBy ?? 'system',
    createdAt: instantOr(given.createdAt, toInstant(context.now), context),
    createdByUserId: given.createdByUserId ?? SYSTEM_USER,
    data: structuredClone(given.data ?? null),
    preData: structuredClone(given.preData ?? null),
    tags: given.tags ?? [],
    featureName: given.featureName ?? null,
    project: given.project ?? null,
    environment: given.environment ?? null,
    ...(given.groupType === undefined ? {} : { groupType: given.groupType }),
    ...(given.groupId === undefined ? {} : { groupId: given.groupId }),
  }
}

/** Events have ids and a shape like other records, but the store keeps them in a log. */
export const eventTable = defineTable({
  record: eventSchema,
  keyName: 'the id of an event',
  key: ({ id }) => id,
  indexes: {},
  fixture: eventFixtureSchema,
  complete: completeEvent,
})
