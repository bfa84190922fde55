import { MockError } from '../contract/mock-errors.js'
import type { Journal } from './journal.js'
import type { JournalEntry } from './journal-entry.js'
import type { Session } from './session.js'

/** The sessions whose events are read: those there are, and those to come. */
interface ObservedSessions {
  observe(observer: (session: Session) => void): () => void
}

/** Events that may wait for a reader. One that falls further behind is cut off, and catches up when it reconnects. */
export const BACKLOG = 1000

/** An event as it goes out. All readers that it waits for share it. */
interface StreamMessage {
  readonly bytes: Uint8Array
  readers: number
}

export interface EventStream {
  body: ReadableStream<Uint8Array>
  /** Aborted when the reader is cut off. Its connection may be blocked, so it would not see the end of the stream. */
  cutOff: AbortSignal
}

/** One who follows the events of a session, from when the stream is first read until it ends, however it ends. */
class EventReader {
  readonly stream: EventStream
  readonly #readers: EventReaders
  readonly #sessions: ObservedSessions
  readonly #session: Session
  readonly #signal: AbortSignal
  readonly #endings: number
  /** The scenarios that the reader knows of. */
  readonly #scenarios: string
  readonly #cutOff = new AbortController()
  #hasEnded = false
  /** Where the reader has got to in the journal. Undefined once it has caught up. */
  #missed: { journal: Journal; since: number } | undefined
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  /** Whether somebody reads, and nothing was there. */
  #isAwaited = false
  #hasBegun = false
  #waiting: StreamMessage[] = []
  #stops: (() => void)[] = []
  /** What unsubscribes from the session as it is open now. */
  #leave: (() => void)[] = []
  bytesWaiting = 0

  constructor(
    readers: EventReaders,
    sessions: ObservedSessions,
    session: Session,
    signal: AbortSignal,
    since?: number,
  ) {
    this.#readers = readers
    this.#sessions = sessions
    this.#session = session
    this.#signal = signal
    this.#endings = readers.endings
    this.#scenarios = session.switchedTo.join(',')
    this.#missed = { journal: session.journal, since: since ?? session.journal.lastId }
    const source: UnderlyingDefaultSource<Uint8Array> = {
      start: (controller) => {
        this.#controller = controller
      },
      pull: () => this.#pull(),
      cancel: () => this.end(),
    }
    this.stream = { body: new ReadableStream(source, { highWaterMark: 0 }), cutOff: this.#cutOff.signal }
  }

  end(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    for (const stop of [...this.#stops, ...this.#leave]) stop()
    this.#readers.remove(this)
    for (const message of this.#waiting) this.#readers.release(message)
    this.#waiting = []
    this.bytesWaiting = 0
    try {
      this.#controller?.close()
    } catch {
      // The reader has cancelled it.
    }
  }

  cutOff(): void {
    this.end()
    this.#cutOff.abort()
  }

  #pull(): void {
    if (!this.#hasBegun) this.#begin()
    else this.#sendNext()
  }

  #sendNext(): void {
    const message = this.#next()
    if (message === undefined) this.#isAwaited = true
    else this.#controller?.enqueue(message.bytes)
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
      this.#sessions.observe((session) => this.#enter(session)),
    ]
    // Clients skip a comment, but it lets the response begin, so they know that they are connected.
    this.#controller?.enqueue(encoder.encode(': connected\n\n'))
    const { switchedTo } = this.#session
    if (switchedTo.join(',') !== this.#scenarios) this.#send(scenarioMessage(switchedTo))
  }

  /** Follows the session of this name, also after it was dropped for being idle and is opened again. */
  #enter(session: Session): void {
    if (session.name !== this.#session.name) return
    const { journal } = session
    if (journal !== this.#missed?.journal || journal.after(this.#missed.since) === undefined) this.#missed = undefined
    // Whatever came before was dropped, and must not be held on to.
    this.#leave = [
      journal.onEntry((entry) => this.#sendEntry(entry)),
      session.onSwitch((names) => this.#send(scenarioMessage(names))),
    ]
  }

  #sendEntry(entry: JournalEntry): void {
    if (this.#missed === undefined) this.#send(this.#readers.messageOf(entry))
    else if (entry.id - this.#missed.since > BACKLOG) this.cutOff()
  }

  #send(message: StreamMessage): void {
    if (this.#isAwaited) {
      this.#isAwaited = false
      this.#controller?.enqueue(message.bytes)
    } else if (this.#waiting.length === BACKLOG) {
      this.cutOff()
    } else {
      this.#waiting.push(message)
      this.bytesWaiting += message.bytes.length
      this.#readers.hold(message)
    }
  }

  /** What it gets next: first the entries that it missed. They stay in the journal until then. */
  #next(): StreamMessage | undefined {
    const entry = this.#missed?.journal.after(this.#missed.since)
    if (this.#missed !== undefined && entry !== undefined) {
      this.#missed.since = entry.id
      return requestMessage(entry)
    }
    this.#missed = undefined
    const message = this.#waiting.shift()
    if (message === undefined) return undefined
    this.bytesWaiting -= message.bytes.length
    this.#readers.release(message)
    return message
  }
}

function requestMessage(entry: JournalEntry): StreamMessage {
  return messageOf(`event: request\nid: ${entry.id}\ndata: ${JSON.stringify(entry)}`)
}

function scenarioMessage(names: readonly string[]): StreamMessage {
  return messageOf(`event: scenario\ndata: ${JSON.stringify({ names })}`)
}

function messageOf(text: string): StreamMessage {
  return { bytes: encoder.encode(`${text}\n\n`), readers: 0 }
}

const encoder = new TextEncoder()

/** Readers of events that a mock has at a time, in all its sessions together. */
export const READERS_KEPT = 100

/** Bytes of events that may wait for all readers of a mock together. Beyond that, those furthest behind are cut off. */
export const BYTES_WAITING = 32 * 1024 * 1024

/** Everyone who follows the events of a mock's sessions. What waits for them is limited for all of them together. */
export class EventReaders {
  readonly #sessions: ObservedSessions
  readonly #readers = new Set<EventReader>()
  /** The newest entry, written once for all readers of its session. */
  #newest: { entry: JournalEntry; message: StreamMessage } | undefined
  #bytes = 0
  #endings = 0

  constructor(sessions: ObservedSessions) {
    this.#sessions = sessions
  }

  get count(): number {
    return this.#readers.size
  }

  /**
   * A stream of what happens in a session from now on, or since the entry with the id `since`. It takes up nothing until
   * somebody reads it, and ends with the signal. Throws `TOO_MANY_READERS`.
   */
  follow(session: Session, signal: AbortSignal, since?: number): EventStream {
    if (this.#readers.size >= READERS_KEPT) {
      throw new MockError(
        'TOO_MANY_READERS',
        `${READERS_KEPT} clients follow the events of this mock already.`,
        'Close some of them: each open panel is one.',
      )
    }
    return new EventReader(this, this.#sessions, session, signal, since).stream
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
    if (this.#readers.size === 0) this.#newest = undefined
  }

  messageOf(entry: JournalEntry): StreamMessage {
    if (this.#newest?.entry !== entry) this.#newest = { entry, message: requestMessage(entry) }
    return this.#newest.message
  }

  /** A message waits for one more reader. Cuts off those furthest behind if too much waits. */
  hold(message: StreamMessage): void {
    if (message.readers++ === 0) this.#bytes += message.bytes.length
    while (this.#bytes > BYTES_WAITING) {
      const [furthest] = [...this.#readers].toSorted((one, other) => other.bytesWaiting - one.bytesWaiting)
      if (furthest === undefined) return
      furthest.cutOff()
    }
  }

  /** A message waits for one reader less. */
  release(message: StreamMessage): void {
    if (--message.readers === 0) this.#bytes -= message.bytes.length
  }
}
