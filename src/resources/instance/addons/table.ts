import * as z from 'zod'
import { fixtureInstant, fixtureInstantSchema } from '../../shared/schema.js'
import { defineTable, instantOr } from '../../shared/table.js'
import { completeEvent, eventFixtureSchema } from '../events/table.js'
import { createAddonRecord } from './rules.js'
import { addonRecordSchema, integrationEventSchema } from './schema.js'

/** An integration as a fixture may give it: only its id is needed. */
const addonFixtureSchema = z.strictObject({
  ...addonRecordSchema.partial().shape,
  id: z.int().min(1),
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
    const createdAt = instantOr(given.createdAt, context.now.toISOString(), context)
    const input = { provider, enabled, parameters, events, projects, environments }
    return createAddonRecord(input, { id, description, createdAt })
  },
})

const integrationEventFixtureSchema = z.strictObject({
  ...integrationEventSchema.shape,
  createdAt: fixtureInstantSchema,
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
