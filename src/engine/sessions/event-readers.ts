import { MockError } from '../../service/contract/mock-errors.js'
import type { Journal } from './journal.js'
import type { JournalEntry } from './journal-entry.js'
import type { Session } from './session.js'

/** The sessions whose events are read: those there are, and those to come. */
interface ObservedSessions {
  observe(observer: (session: Session) => void): () => void
}

/** A switch of scenarios that a reader was not told of, and the last entry before it. */
interface UntoldSwitch {
  names: readonly string[]
  after: number
}

/** One who follows the events of a session: a place in its journal, which moves on whenever a message is read. */
class EventReader {
  readonly #session: Session
  /** The scenarios that the reader knows of. */
  readonly #scenarios: string
  #journal: Journal
  /** The id of the last entry that it was told of. */
  #told: number
  #switch: UntoldSwitch | undefined
  /** The newest entry, of a journal that keeps none. */
  #newest: JournalEntry | undefined
  #wake = () => {}
  /** What unsubscribes from the session as it is open now. */
  #leave: (() => void)[] = []

  constructor(session: Session, since = session.journal.lastId) {
    this.#session = session
    this.#scenarios = session.switchedTo.join(',')
    this.#journal = session.journal
    this.#told = Math.min(since, this.#journal.lastId)
  }

  /** What it is told, until the signal aborts. */
  async *messages(sessions: ObservedSessions, ended: AbortSignal): AsyncGenerator<string> {
    const stop = sessions.observe((session) => this.#enter(session))
    ended.addEventListener('abort', () => {
      for (const one of [stop, ...this.#leave]) one()
      this.#wake()
    })
    const { switchedTo } = this.#session
    if (switchedTo.join(',') !== this.#scenarios) this.#noteSwitch(switchedTo)
    // Clients skip a comment, but it lets the response begin, so they know that they are connected.
    yield ': connected'
    while (!ended.aborted) {
      const message = this.#next()
      if (message !== undefined) yield message
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
    }
  }

  /** Follows the session of this name, also after it was dropped for being idle and is opened again. */
  #enter(session: Session): void {
    if (session.name !== this.#session.name) return
    if (session.journal !== this.#journal) this.#told = session.journal.lastId
    this.#journal = session.journal
    // Whatever came before was dropped, and must not be held on to.
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

  /** What it is told next: an entry, a switch after all entries before that, or that entries are gone. */
  #next(): string | undefined {
    const entry = this.#journal.after(this.#told) ?? this.#unkept()
    const untold = this.#switch
    if (untold !== undefined && (entry?.id ?? Number.POSITIVE_INFINITY) > untold.after) {
      this.#switch = undefined
      return `event: scenario\ndata: ${JSON.stringify({ names: untold.names })}`
    }
    const from = this.#told + 1
    const until = (entry?.id ?? this.#journal.lastId + 1) - 1
    if (until >= from) {
      this.#told = until
      return `event: missed\nid: ${until}\ndata: ${JSON.stringify({ from, until })}`
    }
    if (entry === undefined) return undefined
    this.#told = entry.id
    return `event: request\nid: ${entry.id}\ndata: ${JSON.stringify(entry)}`
  }

  #unkept(): JournalEntry | undefined {
    return this.#newest !== undefined && this.#newest.id > this.#told ? this.#newest : undefined
  }
}

const encoder = new TextEncoder()

/** Readers of events that a mock has at a time, in all its sessions together. */
export const READERS_KEPT = 100

/** Everyone who follows the events of a mock's sessions. */
export class EventReaders {
  readonly #sessions: ObservedSessions
  #count = 0
  #end = new AbortController()

  constructor(sessions: ObservedSessions) {
    this.#sessions = sessions
  }

  get count(): number {
    return this.#count
  }

  /**
   * A stream of what happens in a session from now on, or since the entry with the id `since`. It takes up nothing until
   * somebody reads it, and ends with the signal. A reader that falls behind what the journal keeps is told what it has
   * missed. Throws `TOO_MANY_READERS`.
   */
  follow(session: Session, signal: AbortSignal, since?: number): ReadableStream<Uint8Array> {
    if (this.#count >= READERS_KEPT) {
      throw new MockError(
        'TOO_MANY_READERS',
        `${READERS_KEPT} clients follow the events of this mock already.`,
        'Close some of them: each open panel is one.',
      )
    }
    const left = new AbortController()
    const ended = AbortSignal.any([signal, this.#end.signal, left.signal])
    const messages = this.#counted(new EventReader(session, since), ended)
    const source: UnderlyingDefaultSource<Uint8Array> = {
      async pull(controller) {
        const { value, done } = await messages.next()
        if (!done) controller.enqueue(encoder.encode(`${value}\n\n`))
        else if (!left.signal.aborted) controller.close()
      },
      cancel: () => left.abort(),
    }
    return new ReadableStream(source, { highWaterMark: 0 })
  }

  endAll(): void {
    this.#end.abort()
    this.#end = new AbortController()
  }

  /** The messages of a reader, which is counted from when the first one is read. Whoever comes too late then gets none. */
  async *#counted(reader: EventReader, ended: AbortSignal): AsyncGenerator<string> {
    if (ended.aborted || this.#count >= READERS_KEPT) return
    this.#count++
    ended.addEventListener('abort', () => this.#count--)
    yield* reader.messages(this.#sessions, ended)
  }
}
