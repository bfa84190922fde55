import * as z from 'zod'
import { pageOf, pagingShape } from '../../../support/filters.js'
import { badData, reject } from '../../contract/errors.js'
import { tagTypeSchema } from '../flags/tags.js'
import type { OperationContext } from '../shared/context.js'
import { completed } from '../shared/fields.js'
import { findRecord, nextId, retireId } from '../shared/lookup.js'
import { del, get, ok, operations, post, put } from '../shared/rows.js'
import {
  addonRecordSchema,
  addonSchema,
  addonsSchema,
  checkAddon,
  integrationEventsSchema,
  MASK,
  parametersSchema,
  presentAddon,
  providers,
  upsertAddonSchema,
} from './addons.js'
import { SYSTEM_USER } from './events.js'
import { logEvent } from './events.operations.js'

const path = '/api/admin/addons'

function findAddon({ tables }: OperationContext, id: string) {
  return findRecord(tables.addons, Number(id), 'integration')
}

function withoutParameters<Addon extends { parameters: object }>({ parameters: _, ...addon }: Addon) {
  return addon
}

/** Adds the tag types by which a provider selects its channels. */
function addTagTypes(provider: string, context: OperationContext, createdBy: string): void {
  for (const tagType of providers.find(({ name }) => name === provider)?.tagTypes ?? []) {
    const data = completed(tagTypeSchema, tagType, context)
    if (context.tables.tagTypes.has(data.name)) continue
    context.tables.tagTypes.insert(data)
    logEvent(context, { type: 'tag-type-created', data, createdBy, createdByUserId: SYSTEM_USER })
  }
}

export const addonOperations = operations('Addons', {
  getAddons: get(path, {
    summary: 'List the integrations, and the providers to choose from',
    success: ok('The integrations, their sensitive parameters masked, and the providers', addonsSchema),
    run: ({ tables }) => ({ body: { addons: tables.addons.list().map(presentAddon), providers } }),
  }),

  getAddon: get(`${path}/:id`, {
    summary: 'Get an integration',
    success: ok('The integration, its sensitive parameters masked', addonSchema),
    run: ({ params, context }) => ({ body: presentAddon(findAddon(context, params.id)) }),
  }),

  createAddon: post(path, {
    summary: 'Set up an integration. Its messages are recorded, and never sent',
    permission: 'CREATE_ADDON',
    body: upsertAddonSchema,
    success: { status: 201, description: 'The integration', schema: addonSchema },
    run: ({ body, context, profile }) => {
      reject(checkAddon(body))
      const deprecated = providers.find(({ name }) => name === body.provider)?.deprecated
      if (deprecated !== undefined) reject(badData(deprecated, '/body/provider'))
      const { tables } = context
      const parameters = parametersSchema.parse(body.parameters)
      const addon = completed(addonRecordSchema, { ...body, parameters, id: nextId(tables, 'addons') }, context)
      tables.addons.insert(addon)
      addTagTypes(addon.provider, context, profile.systemUser)
      const { createdAt: _, ...created } = addon
      logEvent(context, { type: 'addon-config-created', data: withoutParameters(created) })
      return { body: created }
    },
  }),

  updateAddon: put(`${path}/:id`, {
    summary: 'Change an integration. A masked parameter stays unchanged',
    permission: 'UPDATE_ADDON',
    body: upsertAddonSchema,
    success: ok('The integration', addonSchema),
    run: ({ params, body, context }) => {
      const before = findAddon(context, params.id)
      reject(checkAddon(body))
      const { id, description, createdAt } = before
      const sent = Object.entries(body.parameters)
      const unmasked = sent.map(([name, value]) => [name, value === MASK ? before.parameters[name] : value])
      const parameters = parametersSchema.parse(Object.fromEntries(unmasked))
      const addon = completed(addonRecordSchema, { id, description, createdAt, ...body, parameters }, context)
      context.tables.addons.replace(addon)
      const [data, preData] = [withoutParameters(addon), withoutParameters(before)]
      logEvent(context, { type: 'addon-config-updated', data, preData })
      return { body: addon }
    },
  }),

  deleteAddon: del(`${path}/:id`, {
    summary: 'Delete an integration and its recorded messages',
    permission: 'DELETE_ADDON',
    success: { status: 200, description: 'The integration is deleted' },
    run: ({ params, context, tables }) => {
      const addon = findAddon(context, params.id)
      const { id } = addon
      for (const message of tables.integrationEvents.by('integration', id)) {
        tables.integrationEvents.remove(message.id)
        retireId(tables, 'integrationEvents', message.id)
      }
      tables.addons.remove(id)
      retireId(tables, 'addons', id)
      logEvent(context, { type: 'addon-config-deleted', data: null, preData: withoutParameters(addon) })
    },
  }),

  getIntegrationEvents: get(`${path}/:id/events`, {
    summary: 'List the messages that an integration would have sent, newest first',
    permission: 'ADMIN',
    query: z.object(pagingShape),
    success: ok('The messages; an empty list for an unknown id', integrationEventsSchema),
    errors: [],
    run: ({ params, query, context }) => {
      const id = Number(params.id)
      if (Number.isNaN(id)) reject(badData('The id of an integration is a number.', '/params/id'))
      const messages = context.tables.integrationEvents.by('integration', id).reverse()
      return { body: { integrationEvents: pageOf(messages, query, { usual: 50, most: 100 }) } }
    },
  }),
})
