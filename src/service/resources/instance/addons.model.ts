import type { OperationContext } from '../shared/context.js'
import { nextId } from '../shared/lookup.js'
import { toInstant } from '../shared/schema.js'
import { detailsOf, listensTo, MESSAGES_KEPT, messageOf, RECORDED } from './addons.js'
import type { StoredEvent } from './events.js'

/** Records what the integrations that listen to an event would send. Nothing is ever sent. */
export function recordMessages({ tables, now, baseUrl, sent }: OperationContext, event: StoredEvent): void {
  for (const addon of tables.addons.oldestFirst()) {
    if (!listensTo(addon, event)) continue
    const { id: integrationId, provider } = addon
    const text = messageOf(addon, event, baseUrl)
    tables.integrationEvents.insert({
      id: String(nextId(tables, 'integrationEvents')),
      integrationId,
      createdAt: toInstant(now),
      state: 'success',
      stateDetails: RECORDED,
      event,
      details: detailsOf(addon, event, text),
    })
    dropOldest(tables)
    if (sent.length < MESSAGES_KEPT) sent.push({ integrationId, provider, text })
  }
}

function dropOldest({ integrationEvents }: OperationContext['tables']): void {
  const [oldest] = integrationEvents.size > MESSAGES_KEPT ? integrationEvents.oldestFirst() : []
  if (oldest !== undefined) integrationEvents.remove(oldest.id)
}
