import { MockError } from '../errors/mock-errors.js'
import type { Journal, JournalEntry } from './journal.js'
import type { Session } from './session.js'

/** The sessions whose events are read, including later sessions. */
interface ObservedSessions {
  observe(observer: (session: Session) => void): () => void
}

/** A switch of scenarios that a reader hasn't seen, and the last entry before it. */
interface PendingSwitch {
  names: readonly string[]
  after: number
}

const encoder = new TextEncoder()

/** The text of an event in a stream. */
function eventText(event: string, data: unknown, id?: number): Uint8Array {
  const place = id === undefined ? '' : `id: ${id}\n`
  return encoder.encode(`event: ${event}\n${place}data: ${JSON.stringify(data)}\n\n`)
}

/** The event of the entry that was sent last: the readers of a journal get an entry one right after the other. */
class LastEvent {
  #journal: Journal | undefined
  #id = 0
  #text: Uint8Array = new Uint8Array()

  messageFor(journal: Journal, entry: JournalEntry): Uint8Array {
    if (journal !== this.#journal || entry.id !== this.#id) {
      this.#text = eventText('request', entry, entry.id)
      this.#journal = journal
      this.#id = entry.id
    }
    return this.#text
  }
}

/** A reader of a session's events: a place in its journal, which moves on with each message. */
class EventReader {
  readonly #session: Session
  readonly #last: LastEvent
  /** The scenarios that the reader knows. */
  readonly #scenarios: string
  #journal: Journal
  #lastSentId: number
  #switch: PendingSwitch | undefined
  /** The newest entry, in case the journal keeps none. */
  #newest: JournalEntry | undefined
  #hasEnded = false
  #wake = () => {}
  #stop = () => {}
  /** Functions that unsubscribe from the open session. */
  #leave: (() => void)[] = []

  constructor(session: Session, last: LastEvent, since = session.journal.lastId) {
    this.#session = session
    this.#last = last
    this.#scenarios = session.activeNames.join(',')
    this.#journal = session.journal
    this.#lastSentId = Math.min(since, this.#journal.lastId)
  }

  /** The reader's messages, until it ends. */
  async *messages(sessions: ObservedSessions): AsyncGenerator<Uint8Array> {
    if (this.#hasEnded) return
    this.#stop = sessions.observe((session) => this.#enter(session))
    const { activeNames } = this.#session
    if (activeNames.join(',') !== this.#scenarios) this.#noteSwitch(activeNames)
    // Clients skip a comment, but it starts the response, so they know that they are connected.
    yield encoder.encode(': connected\n\n')
    while (!this.#hasEnded) {
      const message = this.#next()
      if (message !== undefined) yield message
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
    }
  }

  end(): void {
    this.#hasEnded = true
    for (const stop of [this.#stop, ...this.#leave]) stop()
    this.#wake()
  }

  /** Follows the session of this name, even if it is dropped when idle and opens again. */
  #enter(session: Session): void {
    if (session.name !== this.#session.name) return
    if (session.journal !== this.#journal) this.#lastSentId = session.journal.lastId
    this.#journal = session.journal
    // Earlier sessions were dropped, and must not stay in memory.
    this.#leave = [
      session.journal.onEntry((entry) => {
        this.#newest = session.journal.isEmpty ? entry : undefined
        this.#wake()
      }),
      session.onSwitch((names) => this.#noteSwitch(names)),
    ]
  }

  #noteSwitch(names: readonly string[]): void {
    this.#switch = { names, after: this.#journal.lastId }
    this.#wake()
  }

  /** The next message: an entry, a switch after all entries before it, or a notice about dropped entries. */
  #next(): Uint8Array | undefined {
    const entry = this.#journal.after(this.#lastSentId) ?? this.#newestUnkept()
    const pendingSwitch = this.#switch
    if (pendingSwitch !== undefined && (entry?.id ?? Number.POSITIVE_INFINITY) > pendingSwitch.after) {
      this.#switch = undefined
      return eventText('scenario', { names: pendingSwitch.names })
    }
    const from = this.#lastSentId + 1
    const until = (entry?.id ?? this.#journal.lastId + 1) - 1
    if (until >= from) {
      this.#lastSentId = until
      return eventText('missed', { from, until }, until)
    }
    if (entry === undefined) return undefined
    this.#lastSentId = entry.id
    return this.#last.messageFor(this.#journal, entry)
  }

  #newestUnkept(): JournalEntry | undefined {
    return this.#newest !== undefined && this.#newest.id > this.#lastSentId ? this.#newest : undefined
  }
}

/** The maximum event readers of a mock at a time, in all its sessions together. */
export const READERS_KEPT = 100

/** All event readers of a mock's sessions. */
export class EventReaders {
  readonly #sessions: ObservedSessions
  /** Functions that end each stream. */
  readonly #ends = new Set<() => void>()
  readonly #last = new LastEvent()

  constructor(sessions: ObservedSessions) {
    this.#sessions = sessions
  }

  get count(): number {
    return this.#ends.size
  }

  /**
   * A stream of a session's events from now on, or since the entry with the ID `since`. It keeps its place before it is
   * read, and ends with the signal. A reader that falls behind the journal gets a notice about the missed entries. Throws
   * `TOO_MANY_READERS`.
   */
  follow(session: Session, signal: AbortSignal, since?: number): ReadableStream<Uint8Array> {
    if (this.#ends.size >= READERS_KEPT) {
      throw new MockError(
        'TOO_MANY_READERS',
        `The limit of ${READERS_KEPT} event subscribers is reached.`,
        'Close some of them. Each open panel is a subscriber.',
      )
    }
    const reader = new EventReader(session, this.#last, since)
    const end = () => {
      this.#ends.delete(end)
      signal.removeEventListener('abort', end)
      reader.end()
    }
    this.#ends.add(end)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
    const messages = reader.messages(this.#sessions)
    const source: UnderlyingDefaultSource<Uint8Array> = {
      async pull(controller) {
        const { value, done } = await messages.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: end,
    }
    return new ReadableStream(source, { highWaterMark: 0 })
  }

  /** Ends all streams, also unread ones. */
  endAll(): void {
    for (const end of this.#ends) end()
  }
}
