import { MockError } from '../contract/mock-errors.js'
import { EventReader, type EventStream, type Message, requestMessage } from './event-reader.js'
import type { JournalEntry } from './journal.js'
import type { Session } from './session.js'
import type { Sessions } from './sessions.js'

/** Readers of events that a mock has at a time, in all its sessions together. */
export const READERS_KEPT = 100

/** Bytes of events that may wait for all readers of a mock together. Beyond that, those furthest behind are cut off. */
export const BYTES_WAITING = 32 * 1024 * 1024

/** Everyone who follows the events of a mock's sessions. What waits for them is limited for all of them together. */
export class EventReaders {
  readonly #sessions: Sessions
  readonly #readers = new Set<EventReader>()
  /** The newest entry, written once for all readers of its session. */
  #newest: { entry: JournalEntry; message: Message } | undefined
  #bytes = 0
  #endings = 0

  constructor(sessions: Sessions) {
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

  messageOf(entry: JournalEntry): Message {
    if (this.#newest?.entry !== entry) this.#newest = { entry, message: requestMessage(entry) }
    return this.#newest.message
  }

  /** A message waits for one more reader. Cuts off those furthest behind if too much waits. */
  hold(message: Message): void {
    if (message.readers++ === 0) this.#bytes += message.bytes.length
    while (this.#bytes > BYTES_WAITING) {
      const [furthest] = [...this.#readers].toSorted((one, other) => other.bytesWaiting - one.bytesWaiting)
      if (furthest === undefined) return
      furthest.cutOff()
    }
  }

  /** A message waits for one reader less. */
  release(message: Message): void {
    if (--message.readers === 0) this.#bytes -= message.bytes.length
  }
}
