import { MockError } from '../../contract/mock-errors.js'
import { describeSystemError } from '../../files/json-file.js'
import { type Entry, recordsIn } from './format.js'
import type { Log } from './kept-states.js'
import type { Storage } from './storage.js'
import { Waiters } from './waiters.js'

/** Records from which on no response waits until all of them are written, unless changes are synced. */
const MANY = 5000

/** Milliseconds until another attempt after a failure. */
const PAUSE = 1000

interface WriterOptions {
  storage: Storage
  /** The file's path, for messages. */
  path: string
  /** Whether changes are synced to disk, and responses wait for that however long it takes. */
  sync: boolean
  /** Everything that is kept now. */
  entries: () => Entry[]
  warn: (message: string) => void
}

/** Writes entries in the order in which they came, in small pieces, and tells when they are written. */
export class Writer implements Log {
  readonly #options: WriterOptions
  readonly #waiters = new Waiters()
  #queue: Entry[] = []
  #added = 0
  #saved = 0
  #retry: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #failure: string | undefined
  /** Whether nobody waits for what is being written. */
  #isUnattended = false
  /** Whether everything has to be written, even without a change. */
  #isLost = false
  #isClosing = false

  constructor(options: WriterOptions) {
    this.#options = options
  }

  add(entry: Entry): void {
    this.#queue.push(entry)
    this.#added++
    this.#schedule()
  }

  durable(): Promise<void> | undefined {
    return this.#saved === this.#added || this.#isUnattended ? undefined : this.#waiters.wait(this.#added)
  }

  /** Writes what is left. Returns the reason if that failed. */
  async close(): Promise<string | undefined> {
    this.#isClosing = true
    clearTimeout(this.#retry)
    await this.#running
    await this.#run({ isLast: true })
    return this.#failure
  }

  /** Writes at the end of this turn of the event loop, so that the changes of one turn are written together. */
  #schedule(): void {
    if (this.#isClosing || this.#running !== undefined || this.#retry !== undefined) return
    const endOfTurn = new Promise((resolve) => setImmediate(resolve))
    this.#running = endOfTurn
      .then(() => this.#run())
      .then(() => {
        this.#running = undefined
        if (this.#failure !== undefined) this.#retryLater()
        else if (this.#saved !== this.#added) this.#schedule()
      })
  }

  #retryLater(): void {
    this.#retry = setTimeout(() => {
      this.#retry = undefined
      this.#schedule()
    }, PAUSE)
  }

  async #run({ isLast } = { isLast: false }): Promise<void> {
    const { storage, path, warn } = this.#options
    try {
      do {
        await this.#writeQueue(storage)
      } while (this.#queue.length > 0 || (storage.isCompacting && !this.#isClosing))
      if (isLast) await storage.close()
      if (this.#failure !== undefined) warn(`The state is saved to ${path} again.`)
      this.#failure = undefined
      this.#isUnattended = false
    } catch (error) {
      this.#isLost = true
      await storage.letGo()
      this.#fail(`The state could not be saved to ${path}: ${describeSystemError(error)}.`)
    }
  }

  async #writeQueue(storage: Storage): Promise<void> {
    const { sync, entries: everything } = this.#options
    if (await storage.wasRemoved(this.#isClosing)) {
      this.#isLost = true
      await storage.letGo()
    }
    const count = this.#added
    if (!storage.isOpen) {
      if (count === 0 && !this.#isLost) return
      this.#queue = []
      const entries = everything()
      this.#attend(entries)
      await storage.rewrite(entries)
      this.#settle(count)
      return
    }
    const entries = this.#queue
    this.#queue = []
    const compacted = storage.isWorthCompacting && !this.#isClosing ? everything() : undefined
    this.#attend(entries)
    await storage.append(entries, { sync })
    this.#settle(count)
    if (!this.#isClosing) await storage.compact(compacted)
  }

  /** Lets responses go out before many records are written. */
  #attend(entries: readonly Entry[]): void {
    this.#isUnattended = !this.#options.sync && (this.#failure !== undefined || recordsIn(entries) > MANY)
    if (this.#isUnattended) this.#waiters.release(this.#added)
  }

  #settle(count: number): void {
    this.#saved = count
    this.#waiters.release(count)
  }

  #fail(reason: string): void {
    if (this.#failure === undefined && !this.#isClosing) this.#options.warn(reason)
    this.#failure = reason
    this.#isUnattended = !this.#options.sync
    if (this.#isUnattended) this.#waiters.release(this.#added)
    else this.#waiters.reject(new MockError('STATE_NOT_SAVED', reason, 'The change was made, but a restart loses it.'))
  }
}
