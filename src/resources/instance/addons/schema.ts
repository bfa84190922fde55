import * as z from 'zod'
import { secret } from '../../../contract/secrets.js'
import { pagingShape } from '../../../support/paging.js'
import { tagTypeSchema } from '../../flags/tag-types/schema.js'
import { instantSchema } from '../../shared/schema.js'
import { eventSchema } from '../events/schema.js'
import { sensitiveNames } from './providers.js'

const parameterSchema = z
  .object({
    name: z.string(),
    displayName: z.string(),
    type: z.string(),
    description: z.string().optional(),
    placeholder: z.string().optional(),
    required: z.boolean(),
    sensitive: z.boolean(),
  })
  .meta({ id: 'addonParameterSchema' })

const providerSchema = z.lazy(() =>
  z
    .object({
      name: z.string(),
      displayName: z.string(),
      documentationUrl: z.string(),
      description: z.string(),
      howTo: z.string().optional(),
      deprecated: z.string().optional(),
      parameters: z.array(parameterSchema).optional(),
      events: z.array(z.string()).optional(),
      tagTypes: z.array(tagTypeSchema.partial({ color: true })).optional(),
      installation: z
        .object({ url: z.string(), title: z.string().optional(), helpText: z.string().optional() })
        .optional(),
      alerts: z
        .array(
          z.object({
            type: z.enum(['success', 'info', 'warning', 'error']),
            text: z.string(),
            link: z.object({ url: z.string(), title: z.string().nullable().optional() }).optional(),
          }),
        )
        .optional(),
    })
    .meta({ id: 'addonTypeSchema' }),
)

export type ProviderDefinition = z.infer<typeof providerSchema>

const valueSchema = z.union([z.string(), z.number(), z.boolean()])

/** The value of a parameter of an integration. */
export type ParameterValue = z.infer<typeof valueSchema> | undefined

/** The parameters of any provider. Those that are sensitive for one of them are secret. */
const parametersSchema = z
  .object(Object.fromEntries(sensitiveNames.map((name) => [name, secret(valueSchema.optional())])))
  .catchall(valueSchema)

/** An integration as stored. No events, projects or environments means none of the events, but all of the others. */
export const addonRecordSchema = z.object({
  id: z.int().min(1),
  provider: z.string(),
  /** What it is for. Default: null. */
  description: z.string().nullable(),
  /** Whether it is on. Default: true. */
  enabled: z.boolean(),
  parameters: parametersSchema,
  /** The types of events that it sends messages about. */
  events: z.array(z.string()),
  /** The ids of the projects whose events it sends. Default: all. */
  projects: z.array(z.string()),
  /** The names of the environments whose events it sends. Default: all. */
  environments: z.array(z.string()),
  createdAt: instantSchema,
})

export type AddonRecord = z.infer<typeof addonRecordSchema>

/** An integration in a response. The one that answers its creation has no date. */
export const addonSchema = addonRecordSchema.partial({ createdAt: true }).meta({ id: 'addonSchema' })

export const addonsSchema = z
  .object({ addons: z.array(addonSchema), providers: z.array(providerSchema) })
  .meta({ id: 'addonsSchema' })

export const upsertAddonSchema = z
  .object({
    provider: z.string(),
    description: z.string().optional(),
    enabled: z.boolean(),
    parameters: parametersSchema,
    events: z.array(z.string()),
    projects: z.array(z.string()).optional(),
    environments: z.array(z.string()).optional(),
  })
  .meta({ id: 'addonCreateUpdateSchema' })

export type UpsertAddon = z.infer<typeof upsertAddonSchema>

/** A message that an integration would have sent. */
export const integrationEventSchema = z
  .object({
    /** Its number; later messages have higher ones. */
    id: z.string().regex(/^\d+$/),
    /** The id of the integration. */
    integrationId: z.int(),
    createdAt: instantSchema,
    /** What came of it. */
    state: z.enum(['success', 'failed', 'successWithErrors']),
    /** The same in words. */
    stateDetails: z.string(),
    event: eventSchema,
    /** What it contains. */
    details: z
      .object({
        /** Where it would have gone. */
        url: secret(valueSchema.optional()),
      })
      .catchall(z.unknown()),
  })
  .meta({ id: 'integrationEventSchema' })

export type IntegrationEvent = z.infer<typeof integrationEventSchema>

export const integrationEventsSchema = z
  .object({ integrationEvents: z.array(integrationEventSchema) })
  .meta({ id: 'integrationEventsSchema' })

export const integrationEventsQuerySchema = z.object(pagingShape)
