import { deepFreeze, type Frozen, none } from '../support/freeze.js'

/** What every event has: a number that grows. */
export interface Numbered {
  id: number
}

/** A log as an operation reads and writes it. */
export interface EventLog<Event extends Numbered> {
  append(event: Event): void
  readonly nextId: number
  /** The newest events, newest first, up to a limit. */
  newest(limit: number): Frozen<Event>[]
  /** All events that are kept, newest first. */
  newestFirst(): Iterable<Frozen<Event>>
  /** The number of events so far, those that are no longer kept included. */
  readonly total: number
}

/** Events that a log keeps. The oldest are dropped first. */
export const EVENTS_KEPT = 10_000

/** Events beyond that number that may pile up before they are dropped in one go. */
const SLACK = 1000

/** The log of a world. It grows at its end and has no indexes. */
export class EventCollection<Event extends Numbered> {
  #events: Frozen<Event>[] = []
  #total = 0

  get total(): number {
    return this.#total
  }

  get nextId(): number {
    return (this.#events.at(-1)?.id ?? 0) + 1
  }

  newest(limit: number): Frozen<Event>[] {
    return this.#events.slice(-limit).reverse()
  }

  *newestFirst(): Generator<Frozen<Event>> {
    const oldest = Math.max(0, this.#events.length - EVENTS_KEPT)
    for (let position = this.#events.length - 1; position >= oldest; position--) {
      const event = this.#events[position]
      if (event !== undefined) yield event
    }
  }

  /** All events that are kept, newest last. */
  all(): Frozen<Event>[] {
    return this.#events.slice(-EVENTS_KEPT)
  }

  append(): void {
    throw new Error('Events are logged in a transaction only.')
  }

  /** Adds frozen events. One with the id of an event that is there takes its place. */
  add(events: readonly Frozen<Event>[]): void {
    const [first] = events
    if (first === undefined) return
    if (first.id >= this.nextId) this.#events.push(...events)
    else this.#merge(events)
    this.#total += events.length
    if (this.#events.length >= EVENTS_KEPT + SLACK) this.#events = this.#events.slice(-EVENTS_KEPT)
  }

  clear(): void {
    this.#events = []
    this.#total = 0
  }

  #merge(events: readonly Frozen<Event>[]): void {
    const ids = new Set(events.map(({ id }) => id))
    const others = this.#events.filter(({ id }) => !ids.has(id))
    this.#total -= this.#events.length - others.length
    this.#events = [...others, ...events].toSorted((one, other) => one.id - other.id)
  }
}

/** The log as one transaction sees it: its own events are logged with the commit. */
export class StagedEventLog<Event extends Numbered> implements EventLog<Event> {
  readonly #log: EventCollection<Event>
  #staged: Frozen<Event>[] = []

  constructor(log: EventCollection<Event>) {
    this.#log = log
  }

  get total(): number {
    return this.#log.total
  }

  get nextId(): number {
    return this.#log.nextId + this.#staged.length
  }

  append(event: Event): void {
    this.#staged.push(deepFreeze(event))
  }

  newest(limit: number): Frozen<Event>[] {
    return this.#log.newest(limit)
  }

  newestFirst(): Iterable<Frozen<Event>> {
    return this.#log.newestFirst()
  }

  /** The events of this transaction, in a list of their own: one that was pushed to has room for 17, and histories keep it. */
  get staged(): readonly Frozen<Event>[] {
    return this.#staged.length === 0 ? none : this.#staged.slice()
  }

  discard(): void {
    if (this.#staged.length > 0) this.#staged = []
  }
}
