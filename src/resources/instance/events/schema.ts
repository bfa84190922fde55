import * as z from 'zod'
import { instantSchema } from '../../shared/schema.js'

/** One entry of the service's event log, as it is stored and returned. */
export const eventSchema = z
  .object({
    id: z.int().min(1),
    type: z.string(),
    createdBy: z.string(),
    createdAt: instantSchema,
    createdByUserId: z.int(),
    data: z.unknown(),
    preData: z.unknown(),
    tags: z.array(z.object({ type: z.string(), value: z.string() })),
    featureName: z.string().nullable(),
    project: z.string().nullable(),
    environment: z.string().nullable(),
    groupType: z.string().optional(),
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
