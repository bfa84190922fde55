import * as z from 'zod'
import { fixtureInstant, fixtureInstantSchema, openEnum } from '../../shared/schema.js'
import { defineTable } from '../../shared/table.js'
import { completeEvent, eventFixtureSchema } from '../events/table.js'
import { createAddonRecord } from './rules.js'
import { addonRecordSchema, integrationEventSchema, type ParameterValue } from './schema.js'

/** The parameters of an integration. Each provider has its own. */
export interface GivenParameters {
  /** Where its messages would go. */
  url?: ParameterValue
  /** The Authorization header of a webhook. */
  authorization?: ParameterValue
  /** Further headers, as a JSON object of strings. */
  customHeaders?: ParameterValue
  /** The access token of the app for Slack. */
  accessToken?: ParameterValue
  /** The API key of Datadog. */
  apiKey?: ParameterValue
  /** The license key of New Relic. */
  licenseKey?: ParameterValue
  [name: string]: ParameterValue
}

const { parameters } = addonRecordSchema.shape
const givenParameters: z.ZodType<z.output<typeof parameters>, GivenParameters> = parameters

/** An integration as a fixture may give it: only its id is needed. */
const addonFixtureSchema = z.strictObject({
  ...addonRecordSchema.partial().shape,
  /** Its number. */
  id: z.int().min(1),
  /** The kind of integration. Default: `webhook`. */
  provider: openEnum<
    'webhook' | 'slack' | 'slack-app' | 'teams' | 'datadog' | 'new-relic' | 'teamsworkflow'
  >().optional(),
  /** What its provider needs: a URL, keys, a template. */
  parameters: givenParameters.optional(),
  /** When it was set up. Default: the start of the world. */
  createdAt: fixtureInstantSchema.optional(),
})

export const addonTable = defineTable({
  record: addonRecordSchema,
  keyName: 'the id of an integration',
  key: ({ id }) => id,
  indexes: {},
  fixture: addonFixtureSchema,
  complete: ({ id, provider = 'webhook', enabled = true, parameters = {}, events = [], ...given }, context) => {
    const { description = null, projects, environments } = given
    const createdAt = fixtureInstant(given.createdAt ?? 'now', context.now)
    const input = { provider, enabled, parameters, events, projects, environments }
    return createAddonRecord(input, { id, description, createdAt })
  },
})

const integrationEventFixtureSchema = z.strictObject({
  ...integrationEventSchema.shape,
  /** When it was recorded. */
  createdAt: fixtureInstantSchema,
  /** The event that it is about. */
  event: eventFixtureSchema,
})

export const integrationEventTable = defineTable({
  record: integrationEventSchema,
  keyName: 'the id of a message',
  key: ({ id }) => id,
  indexes: { integration: ({ integrationId }) => [integrationId] },
  fixture: integrationEventFixtureSchema,
  complete: (given, context) => ({
    ...given,
    createdAt: fixtureInstant(given.createdAt, context.now),
    event: completeEvent(given.event, context),
  }),
  *references({ integrationId }) {
    yield { at: 'integrationId', to: 'addons', key: integrationId }
  },
})
