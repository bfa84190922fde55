import type { OperationContext } from '../shared/context.js'
import { nextId, numberAfter } from '../shared/lookup.js'
import { toInstant } from '../shared/schema.js'
import { detailsOf, listensTo, MESSAGES_KEPT, messageOf, RECORDED } from './addons.js'
import type { StoredEvent } from './events.js'

type Records = ReturnType<OperationContext['tables']['integrationEvents']['oldestFirst']>

/** The last ID of a request's messages, and the messages to drop next: finding either takes a pass over all messages. */
const progress = new WeakMap<OperationContext, { last: number; oldest: ReturnType<Records[typeof Symbol.iterator]> }>()

/** Records the messages that the integrations for an event would send. Nothing is ever sent. */
export function recordMessages(context: OperationContext, event: StoredEvent): void {
  const { tables, now, baseUrl, sent } = context
  for (const addon of tables.addons.by('event', event.type)) {
    if (!listensTo(addon, event)) continue
    const { id: integrationId, provider } = addon
    const text = messageOf(addon, event, baseUrl)
    const known = progress.get(context) ?? {
      last: nextId(tables, 'integrationEvents') - 1,
      oldest: tables.integrationEvents.oldestFirst()[Symbol.iterator](),
    }
    known.last = numberAfter(known.last, 'integrationEvents')
    progress.set(context, known)
    tables.integrationEvents.insert({
      id: String(known.last),
      integrationId,
      createdAt: toInstant(now),
      state: 'success',
      stateDetails: RECORDED,
      event,
      details: detailsOf(addon, event, text),
    })
    const dropped = tables.integrationEvents.size > MESSAGES_KEPT ? known.oldest.next().value : undefined
    if (dropped !== undefined) tables.integrationEvents.remove(dropped.id)
    if (sent.length < MESSAGES_KEPT) sent.push({ integrationId, provider, text })
  }
}
