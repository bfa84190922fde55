import { numberAfter } from '../../store/collection.js'
import type { OperationContext, Tables } from '../shared/context.js'
import { nextId } from '../shared/lookup.js'
import { toInstant } from '../shared/schema.js'
import { detailsOf, listensTo, MESSAGES_KEPT, messageOf, RECORDED, type StoredAddon } from './addons.js'
import type { StoredEvent } from './events.js'

/**
 * Records the messages that integrations would send about the events of a request. Nothing is ever sent. Of many messages, it
 * writes only the first ones, for the journal, and the last ones, for the list of messages.
 */
export function recordMessages(context: OperationContext): void {
  const { tables, logged } = context
  const listenersOf = createListenersOf(tables)
  const count = logged.reduce((sum, event) => sum + listenersOf(event).length, 0)
  if (count === 0) return
  const highest = nextId(tables, 'integrationEvents') - 1
  let at = 0
  for (const event of logged) {
    const listeners = listenersOf(event)
    // A few events are near the first or the last message; the others are passed over without a look at each integration.
    if (at < MESSAGES_KEPT || at + listeners.length > count - MESSAGES_KEPT) {
      for (const [i, addon] of listeners.entries()) {
        const isKept = at + i >= count - MESSAGES_KEPT
        if (isKept || at + i < MESSAGES_KEPT) record(context, addon, event, isKept ? highest + at + i : undefined)
      }
    }
    at += listeners.length
  }
  const { integrationEvents } = tables
  const dropped = integrationEvents.list().slice(0, Math.max(0, integrationEvents.size - MESSAGES_KEPT))
  for (const { id } of dropped) integrationEvents.remove(id)
}

/** The integrations that send a message about an event. Most events of a request have the same type and place. */
function createListenersOf({ addons }: Tables): (event: StoredEvent) => readonly StoredAddon[] {
  const known = new Map<string, readonly StoredAddon[]>()
  return (event) => {
    const key = JSON.stringify([event.type, event.project, event.environment])
    const listeners = known.get(key) ?? addons.by('event', event.type).filter((addon) => listensTo(addon, event))
    known.set(key, listeners)
    return listeners
  }
}

/** Shows a message in the journal and, if it gets a number, keeps it. `after` is the number before that. */
function record(context: OperationContext, addon: StoredAddon, event: StoredEvent, after: number | undefined): void {
  const { tables, now, baseUrl, sent } = context
  const { id: integrationId, provider } = addon
  const text = messageOf(addon, event, baseUrl)
  if (sent.length < MESSAGES_KEPT) sent.push({ integrationId, provider, text })
  if (after === undefined) return
  tables.integrationEvents.insert({
    id: String(numberAfter(after, 'integrationEvents')),
    integrationId,
    createdAt: toInstant(now),
    state: 'success',
    stateDetails: RECORDED,
    event,
    details: detailsOf(addon, event, text),
  })
}
