import * as z from 'zod'
import { instantSchema } from '../../shared/schema.js'

/** One entry of the service's event log, as it is stored and returned. */
export const eventSchema = z
  .object({
    id: z.int().min(1),
    type: z.string(),
    /** Who did it, by name. */
    createdBy: z.string(),
    createdAt: instantSchema,
    /** The id of the user who did it. */
    createdByUserId: z.int(),
    /** The data after it. */
    data: z.unknown(),
    /** The data before it. */
    preData: z.unknown(),
    /** The tags of the feature. */
    tags: z.array(
      z.object({
        /** The type of the tag, such as `simple`. */
        type: z.string(),
        /** The value of the tag. */
        value: z.string(),
      }),
    ),
    /** The name of the feature that it is about. */
    featureName: z.string().nullable(),
    /** The id of the project that it is about. */
    project: z.string().nullable(),
    /** The environment that it is about. */
    environment: z.string().nullable(),
    /** The kind of change that it was part of. */
    groupType: z.string().optional(),
    /** The id of the change that it was part of. */
    groupId: z.string().optional(),
  })
  .meta({ id: 'eventSchema' })

export type EventRecord = z.infer<typeof eventSchema>

export const eventsSchema = z
  .object({ version: z.literal(1), events: z.array(eventSchema), totalEvents: z.int() })
  .meta({ id: 'eventsSchema' })

export const eventsQuerySchema = z.object({ project: z.string().optional() })

export const featureEventsSchema = z
  .object({ version: z.literal(1), toggleName: z.string(), events: z.array(eventSchema), totalEvents: z.int() })
  .meta({ id: 'featureEventsSchema' })

const eventCreatorSchema = z.object({ id: z.int(), name: z.string() })

export type EventCreator = z.infer<typeof eventCreatorSchema>

export const eventCreatorsSchema = z.array(eventCreatorSchema).meta({ id: 'eventCreatorsSchema' })
