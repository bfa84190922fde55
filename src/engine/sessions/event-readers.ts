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

/** One who follows the events of a session: a place in its journal, which moves on whenever the stream is read. */
class EventReader {
  readonly stream: ReadableStream<Uint8Array>
  readonly #readers: EventReaders
  readonly #session: Session
  readonly #signal: AbortSignal
  readonly #endings: number
  /** The scenarios that the reader knows of. */
  readonly #scenarios: string
  #journal: Journal
  /** The id of the last entry that it was told of. */
  #told: number
  #switch: UntoldSwitch | undefined
  /** The newest entry, of a journal that keeps none. */
  #newest: JournalEntry | undefined
  #hasBegun = false
  #hasEnded = false
  #wake = () => {}
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  #stops: (() => void)[] = []
  /** What unsubscribes from the session as it is open now. */
  #leave: (() => void)[] = []

  constructor(readers: EventReaders, session: Session, signal: AbortSignal, since = session.journal.lastId) {
    this.#readers = readers
    this.#session = session
    this.#signal = signal
    this.#endings = readers.endings
    this.#scenarios = session.switchedTo.join(',')
    this.#journal = session.journal
    this.#told = Math.min(since, this.#journal.lastId)
    const source: UnderlyingDefaultSource<Uint8Array> = {
      start: (controller) => {
        this.#controller = controller
      },
      pull: () => (this.#hasBegun ? this.#sendNext() : this.#begin()),
      cancel: () => this.end(),
    }
    this.stream = new ReadableStream(source, { highWaterMark: 0 })
  }

  end(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    for (const stop of [...this.#stops, ...this.#leave]) stop()
    this.#readers.remove(this)
    this.#wake()
    try {
      this.#controller?.close()
    } catch {
      // The reader has cancelled it.
    }
  }

  #begin(): void {
    this.#hasBegun = true
    const isOver = this.#signal.aborted || this.#readers.endings > this.#endings
    if (isOver || !this.#readers.add(this)) this.end()
    else this.#follow()
  }

  #follow(): void {
    const end = () => this.end()
    this.#signal.addEventListener('abort', end, { once: true })
    this.#stops = [
      () => this.#signal.removeEventListener('abort', end),
      this.#readers.sessions.observe((session) => this.#enter(session)),
    ]
    // Clients skip a comment, but it lets the response begin, so they know that they are connected.
    this.#controller?.enqueue(encoder.encode(': connected\n\n'))
    const { switchedTo } = this.#session
    if (switchedTo.join(',') !== this.#scenarios) this.#noteSwitch(switchedTo)
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

  async #sendNext(): Promise<void> {
    let message = this.#next()
    while (message === undefined && !this.#hasEnded) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      message = this.#next()
    }
    if (message !== undefined && !this.#hasEnded) this.#controller?.enqueue(encoder.encode(`${message}\n\n`))
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
  readonly sessions: ObservedSessions
  readonly #readers = new Set<EventReader>()
  #endings = 0

  constructor(sessions: ObservedSessions) {
    this.sessions = sessions
  }

  get count(): number {
    return this.#readers.size
  }

  /**
   * A stream of what happens in a session from now on, or since the entry with the id `since`. It takes up nothing until
   * somebody reads it, and ends with the signal. A reader that falls behind what the journal keeps is told what it has
   * missed. Throws `TOO_MANY_READERS`.
   */
  follow(session: Session, signal: AbortSignal, since?: number): ReadableStream<Uint8Array> {
    if (this.#readers.size >= READERS_KEPT) {
      throw new MockError(
        'TOO_MANY_READERS',
        `${READERS_KEPT} clients follow the events of this mock already.`,
        'Close some of them: each open panel is one.',
      )
    }
    return new EventReader(this, session, signal, since).stream
  }

  /** How often all streams were ended. Those that began before have ended, even if nobody has read them yet. */
  get endings(): number {
    return this.#endings
  }

  endAll(): void {
    this.#endings++
    for (const reader of this.#readers) reader.end()
  }

  /** Takes in a reader whose stream is read for the first time, if there is room. */
  add(reader: EventReader): boolean {
    if (this.#readers.size >= READERS_KEPT) return false
    this.#readers.add(reader)
    return true
  }

  remove(reader: EventReader): void {
    this.#readers.delete(reader)
  }
}
