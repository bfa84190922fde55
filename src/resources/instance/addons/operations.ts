import { badData } from '../../../contract/errors.js'
import { pageOf } from '../../../support/paging.js'
import { fail, ok } from '../../../support/result.js'
import { createTagTypeRecord } from '../../flags/tag-types/rules.js'
import type { OperationContext } from '../../shared/context.js'
import { findRecord } from '../../shared/lookup.js'
import { defineOperation } from '../../shared/operation.js'
import { toInstant } from '../../shared/schema.js'
import { nextId, retireId } from '../../shared/sequences/table.js'
import { logEvent } from '../events/actions.js'
import { SYSTEM_USER } from '../events/rules.js'
import { checkAddon, checkNotDeprecated } from './checks.js'
import { presentAddon } from './present.js'
import { providers } from './providers.js'
import { createAddonRecord, withoutMasks } from './rules.js'
import {
  addonSchema,
  addonsSchema,
  integrationEventsQuerySchema,
  integrationEventsSchema,
  upsertAddonSchema,
} from './schema.js'

const tag = 'Addons'
const path = '/api/admin/addons'

const getAddons = defineOperation({
  id: 'getAddons',
  method: 'GET',
  path,
  summary: 'List the integrations, and the providers to choose from',
  tag,
  success: {
    status: 200,
    description: 'The integrations, their sensitive parameters masked, and the providers',
    schema: addonsSchema,
  },
  run: ({ context: { tables } }) => ok({ body: { addons: tables.addons.list().map(presentAddon), providers } }),
})

const getAddon = defineOperation({
  id: 'getAddon',
  method: 'GET',
  path: `${path}/:id`,
  summary: 'Get an integration',
  tag,
  success: { status: 200, description: 'The integration, its sensitive parameters masked', schema: addonSchema },
  errors: [404],
  run: ({ params, context }) => {
    const found = findAddon(context, params.id)
    return found.ok ? ok({ body: presentAddon(found.value) }) : found
  },
})

const createAddon = defineOperation({
  id: 'createAddon',
  method: 'POST',
  path,
  summary: 'Set up an integration. Its messages are recorded, and never sent',
  tag,
  permission: 'CREATE_ADDON',
  body: upsertAddonSchema,
  success: { status: 201, description: 'The integration', schema: addonSchema },
  run: ({ body, context, profile }) => {
    const failure = checkAddon(body) ?? checkNotDeprecated(body.provider)
    if (failure) return fail(failure)
    const { tables, now } = context
    const own = { id: nextId(tables, 'addons'), description: null, createdAt: toInstant(now) }
    const addon = createAddonRecord(body, own)
    tables.addons.insert(addon)
    addTagTypes(addon.provider, context, profile.systemUser)
    const { createdAt: _, ...created } = addon
    logEvent(context, { type: 'addon-config-created', data: withoutParameters(created) })
    return ok({ body: created })
  },
})

const updateAddon = defineOperation({
  id: 'updateAddon',
  method: 'PUT',
  path: `${path}/:id`,
  summary: 'Change an integration. A masked parameter stays as it is',
  tag,
  permission: 'UPDATE_ADDON',
  body: upsertAddonSchema,
  success: { status: 200, description: 'The integration', schema: addonSchema },
  errors: [404],
  run: ({ params, body, context }) => {
    const found = findAddon(context, params.id)
    if (!found.ok) return found
    const failure = checkAddon(body)
    if (failure) return fail(failure)
    const before = found.value
    const addon = createAddonRecord({ ...body, parameters: withoutMasks(body.parameters, before.parameters) }, before)
    context.tables.addons.replace(addon)
    const [data, preData] = [withoutParameters(addon), withoutParameters(before)]
    logEvent(context, { type: 'addon-config-updated', data, preData })
    return ok({ body: addon })
  },
})

const deleteAddon = defineOperation({
  id: 'deleteAddon',
  method: 'DELETE',
  path: `${path}/:id`,
  summary: 'Delete an integration, and what it recorded',
  tag,
  permission: 'DELETE_ADDON',
  success: { status: 200, description: 'The integration is deleted' },
  errors: [404],
  run: ({ params, context }) => {
    const { tables } = context
    const found = findAddon(context, params.id)
    if (!found.ok) return found
    const { id } = found.value
    for (const message of tables.integrationEvents.by('integration', id)) {
      tables.integrationEvents.remove(message.id)
      retireId(tables, 'integrationEvents', message.id)
    }
    tables.addons.remove(id)
    retireId(tables, 'addons', id)
    logEvent(context, { type: 'addon-config-deleted', data: null, preData: withoutParameters(found.value) })
    return ok({})
  },
})

const getIntegrationEvents = defineOperation({
  id: 'getIntegrationEvents',
  method: 'GET',
  path: `${path}/:id/events`,
  summary: 'The messages that an integration would have sent, newest first',
  tag,
  permission: 'ADMIN',
  query: integrationEventsQuerySchema,
  success: { status: 200, description: 'The messages; none for an unknown id', schema: integrationEventsSchema },
  run: ({ params, query, context }) => {
    const id = Number(params.id)
    if (Number.isNaN(id)) return fail(badData('The id of an integration is a number.', '/params/id'))
    const messages = context.tables.integrationEvents.by('integration', id).reverse()
    return ok({ body: { integrationEvents: pageOf(messages, query, { usual: 50, most: 100 }) } })
  },
})

function findAddon({ tables }: OperationContext, id: string) {
  return findRecord(tables.addons, Number(id), 'integration')
}

function withoutParameters<Addon extends { parameters: object }>({ parameters: _, ...addon }: Addon) {
  return addon
}

/** Adds the types of tags by which a provider chooses its channels. */
function addTagTypes(provider: string, context: OperationContext, createdBy: string): void {
  for (const tagType of providers.find(({ name }) => name === provider)?.tagTypes ?? []) {
    const data = createTagTypeRecord(tagType)
    if (!context.tables.tagTypes.insert(data)) continue
    logEvent(context, { type: 'tag-type-created', data, createdBy, createdByUserId: SYSTEM_USER })
  }
}

export const addonOperations = [
  getAddons,
  getAddon,
  createAddon,
  updateAddon,
  deleteAddon,
  getIntegrationEvents,
] as const
