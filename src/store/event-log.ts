import type { EventRecord } from '../resources/instance/events/schema.js'
import type { EventLog } from '../resources/shared/context.js'
import { deepFreeze, type Frozen } from '../support/freeze.js'

/** How many events a world keeps; the oldest go first. */
export const EVENTS_KEPT = 10_000

/** How many more there may be before they go, all at once. */
const SLACK = 1000

/** The log of a world: it only grows at its end, and has no keys, so it needs no collection. */
export class StoredEventLog implements EventLog {
  #events: Frozen<EventRecord>[] = []
  #lastId = 0
  #total = 0

  get total(): number {
    return this.#total
  }

  get nextId(): number {
    return this.#lastId + 1
  }

  append(event: EventRecord): void {
    this.#events.push(deepFreeze(event))
    this.#lastId = event.id
    this.#total++
    if (this.#events.length >= EVENTS_KEPT + SLACK) this.#events = this.#events.slice(-EVENTS_KEPT)
  }

  newest(limit: number): Frozen<EventRecord>[] {
    return this.#events.slice(-limit).reverse()
  }

  *newestFirst(): Generator<Frozen<EventRecord>> {
    const oldest = Math.max(0, this.#events.length - EVENTS_KEPT)
    for (let at = this.#events.length - 1; at >= oldest; at--) {
      const event = this.#events[at]
      if (event !== undefined) yield event
    }
  }

  /** All that are kept, newest last. */
  all(): readonly Frozen<EventRecord>[] {
    return this.#events.slice(-EVENTS_KEPT)
  }

  load(events: readonly Frozen<EventRecord>[], { replaceAll }: { replaceAll: boolean }): void {
    if (replaceAll) {
      this.#events = []
      this.#lastId = 0
      this.#total = 0
    }
    const given = new Set(events.map(({ id }) => id))
    this.#events = [...this.#events.filter(({ id }) => !given.has(id)), ...events].toSorted((a, b) => a.id - b.id)
    this.#lastId = this.#events.at(-1)?.id ?? 0
    this.#total = this.#events.length
  }
}
