import type { Frozen } from '../../support/freeze.js'
import { Collection } from './collection.js'
import type { Key, Table } from './table.js'

/** What every event has: a number that grows. */
export interface Numbered {
  id: number
}

/** The table of events, which grows at its end. */
export interface EventLog<Event extends Numbered> extends Table<Event, number> {
  readonly nextId: number
  /** All events that are kept, newest first. */
  newestFirst(): Iterable<Frozen<Event>>
  /** The number of events so far, those that are no longer kept included. */
  readonly total: number
}

/** Events that a log keeps. The oldest are dropped first. */
export const EVENTS_KEPT = 10_000

/** Events beyond that number that may pile up before they are dropped in one go. */
const SLACK = 1000

/** The log of a world: its events by their ids, and in the order of these. */
export class EventCollection extends Collection<Numbered, Key, string> implements EventLog<Numbered> {
  /** Oldest first. Undefined after a change that was not at its end. */
  #ordered: Frozen<Numbered>[] | undefined = []
  #dropped = 0

  get total(): number {
    return this.#dropped + super.size
  }

  get nextId(): number {
    return (this.#inOrder().at(-1)?.id ?? 0) + 1
  }

  override get size(): number {
    return Math.min(super.size, EVENTS_KEPT)
  }

  override list(): Frozen<Numbered>[] {
    return this.#inOrder().slice(-EVENTS_KEPT)
  }

  override oldestFirst(): Iterable<Frozen<Numbered>> {
    return this.list()
  }

  *newestFirst(): Generator<Frozen<Numbered>> {
    const events = this.#inOrder()
    const oldest = Math.max(0, events.length - EVENTS_KEPT)
    for (let position = events.length - 1; position >= oldest; position--) {
      const event = events[position]
      if (event !== undefined) yield event
    }
  }

  override removeAll(): void {
    super.removeAll()
    this.#dropped = 0
  }

  override end(isKept: boolean): void {
    super.end(isKept)
    if (super.size >= EVENTS_KEPT + SLACK) this.#dropOldest()
  }

  protected override set(id: Key, event: Frozen<Numbered> | undefined): void {
    super.set(id, event)
    const newest = this.#ordered?.at(-1)?.id ?? 0
    if (event !== undefined && event.id > newest) this.#ordered?.push(event)
    else this.#ordered = super.size === 0 ? [] : undefined
  }

  #inOrder(): Frozen<Numbered>[] {
    this.#ordered ??= super.list().toSorted((one, other) => one.id - other.id)
    return this.#ordered
  }

  #dropOldest(): void {
    const events = this.#inOrder()
    const dropped = events.slice(0, -EVENTS_KEPT)
    for (const { id } of dropped) super.set(id, undefined)
    this.#dropped += dropped.length
    this.#ordered = events.slice(-EVENTS_KEPT)
  }
}
