import type { EventReaders } from './event-readers.js'
import type { Journal, JournalEntry } from './journal.js'
import type { Session } from './session.js'
import type { Sessions } from './sessions.js'

/** Events that may wait for a reader. One that falls further behind is cut off, and catches up when it reconnects. */
export const BACKLOG = 1000

/** An event as it goes out. All readers that it waits for share it. */
export interface Message {
  readonly bytes: Uint8Array
  readers: number
}

/** A stream of events. */
export interface EventStream {
  body: ReadableStream<Uint8Array>
  /** Aborted when the reader is cut off. Its connection may be blocked, so it would not see the end of the stream. */
  cutOff: AbortSignal
}

/** One who follows the events of a session, from when the stream is first read until it ends, however it ends. */
export class EventReader {
  readonly stream: EventStream
  readonly #readers: EventReaders
  readonly #sessions: Sessions
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
  #waiting: Message[] = []
  #stops: (() => void)[] = []
  /** What unsubscribes from the session as it is open now. */
  #leave: (() => void)[] = []
  bytesWaiting = 0

  constructor(readers: EventReaders, sessions: Sessions, session: Session, signal: AbortSignal, since?: number) {
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

  #send(message: Message): void {
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
  #next(): Message | undefined {
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

export function requestMessage(entry: JournalEntry): Message {
  return messageOf(`event: request\nid: ${entry.id}\ndata: ${JSON.stringify(entry)}`)
}

function scenarioMessage(names: readonly string[]): Message {
  return messageOf(`event: scenario\ndata: ${JSON.stringify({ names })}`)
}

function messageOf(text: string): Message {
  return { bytes: encoder.encode(`${text}\n\n`), readers: 0 }
}

const encoder = new TextEncoder()
