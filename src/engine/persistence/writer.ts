import { sleep, startStopwatch } from '../../support/clock.js'
import { MockError } from '../errors/mock-errors.js'
import type { Persistence } from '../sessions/persistence.js'

/** The pause after a write, as a multiple of its duration: saving takes at most a tenth of the time. */
const PAUSE_FACTOR = 9

/** The minimum milliseconds until a retry after a failure. */
const RETRY = 1000

interface WriterOptions {
  keepsDataOnSwitch: boolean
  /** Whether a response waits until its change is on disk. */
  sync: boolean
  /** Writes the whole current document. */
  write(): Promise<void>
  /** The message for the first failure, and the message when writing works again. */
  failed(error: unknown): string
  recovered: string
  warn(message: string): void
}

/** Writes a whole document after each change, one write at a time. Changes during a write go into the next. */
export class DocumentWriter implements Persistence {
  readonly keepsDataOnSwitch: boolean
  readonly #options: WriterOptions
  /** The number of changes, and the number of written changes. */
  #changes = 0
  #written = 0
  #running: Promise<void> | undefined
  #waiting: { change: number; resolve: () => void; reject: (error: Error) => void }[] = []
  #failure: string | undefined
  readonly #closing = new AbortController()

  constructor(options: WriterOptions) {
    this.#options = options
    this.keepsDataOnSwitch = options.keepsDataOnSwitch
  }

  changed(): void {
    this.#changes++
    this.#running ??= this.#run()
  }

  saved(): Promise<void> | undefined {
    if (!this.#options.sync || this.#written === this.#changes) return undefined
    if (this.#closing.signal.aborted) return Promise.reject(notSaved('The state file is closed.'))
    return new Promise((resolve, reject) => this.#waiting.push({ change: this.#changes, resolve, reject }))
  }

  /** Writes remaining changes without a pause. Returns the reason for a failure. Later changes are not saved. */
  async close(): Promise<string | undefined> {
    this.#closing.abort()
    await this.#running
    if (this.#written !== this.#changes) await this.#write()
    return this.#written === this.#changes ? undefined : this.#failure
  }

  async #run(): Promise<void> {
    // Changes in the same turn of the event loop are written together.
    await sleep(0)
    while (this.#written !== this.#changes && !this.#closing.signal.aborted) {
      const elapsed = startStopwatch()
      await this.#write()
      const pause = Math.max(PAUSE_FACTOR * elapsed(), this.#failure === undefined ? 0 : RETRY)
      await sleep(pause, this.#closing.signal).catch(() => undefined)
    }
    this.#running = undefined
  }

  async #write(): Promise<void> {
    const { write, failed, recovered, warn } = this.#options
    const changes = this.#changes
    try {
      await write()
      this.#written = changes
      if (this.#failure !== undefined) warn(recovered)
      this.#failure = undefined
    } catch (error) {
      const reason = failed(error)
      if (this.#failure === undefined) warn(reason)
      this.#failure = reason
    }
    this.#settle(changes)
  }

  /** Resolves the callers whose changes were part of a write. */
  #settle(changes: number): void {
    const settled = this.#waiting.filter(({ change }) => change <= changes)
    this.#waiting = this.#waiting.filter(({ change }) => change > changes)
    for (const { resolve, reject } of settled) {
      if (this.#failure === undefined) resolve()
      else reject(notSaved(this.#failure))
    }
  }
}

function notSaved(reason: string): MockError {
  return new MockError('STATE_NOT_SAVED', reason, 'The change was made, but it is lost at the next restart.')
}
