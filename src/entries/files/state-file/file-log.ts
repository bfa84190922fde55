import { type Entry, isSnapshot, recordsIn, textsOf } from '../../../engine/persistence/format.js'
import type { CommitLog } from '../../../engine/persistence/kept-sessions.js'
import { MockError } from '../../../service/contract/mock-errors.js'
import { startStopwatch } from '../../../support/clock.js'
import { describeSystemError } from '../json-file.js'
import { OpenFile } from './open-file.js'
import type { ResolvedFile } from './resolved-file.js'

/** Milliseconds between checks whether the file is still in its place. */
const CHECK = 1000

/** Milliseconds until another attempt after a failure. */
const PAUSE = 1000

/** Records from which on no response waits until all of them are written, unless changes are synced. */
const MANY = 5000

/** Bytes of outdated lines from which on a file is compacted, if they are at least half of it. */
const WORTH_COMPACTING = 1024 * 1024

interface FileLogOptions {
  resolved: ResolvedFile
  /** Whether changes are synced to disk, and responses wait for that however long it takes. */
  sync: boolean
  /** Everything that is kept now. */
  everything: () => readonly Entry[]
  /** Whether the file is still locked for this process. */
  isLocked: () => Promise<boolean>
  warn: (message: string) => void
}

/** A replacement that is written step by step, so that neither requests nor changes wait for it. */
interface Compaction {
  file: OpenFile
  texts: Iterator<string>
  /** What was appended to the old file meanwhile. */
  since: string[]
}

/**
 * Keeps a log in a file, in the order in which entries come, and tells when they are written. The file is compacted while
 * it is appended to, and written again as a whole when it was lost.
 */
export class FileLog implements CommitLog {
  readonly #options: FileLogOptions
  /** Undefined if the whole file has to be written: it is new, or it was lost, or a write failed. */
  #file: OpenFile | undefined
  /** Bytes of the file that are not outdated. */
  #current = 0
  #compaction: Compaction | undefined
  #sinceCheck = startStopwatch()
  #queue: Entry[] = []
  #added = 0
  #saved = 0
  #waiting: { count: number; resolve: () => void; reject: (error: Error) => void }[] = []
  #retry: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #failure: string | undefined
  /** Whether nobody waits for what is being written. */
  #isUnattended = false
  /** Whether the file has to be written again, even without a change. */
  #isLost = false
  #isClosing = false
  #isStopped = false

  constructor(options: FileLogOptions) {
    this.#options = options
  }

  /** Goes on with a file that holds what is kept, up to its `end`. */
  async goOn({ end, current }: { end: number; current: number }): Promise<void> {
    this.#file = await OpenFile.append(this.#options.resolved, end)
    this.#current = current
    if (this.#isWorthCompacting) this.#schedule()
  }

  /** Writes the whole file. */
  async rewrite(everything = this.#options.everything()): Promise<void> {
    await this.#compact(everything)
    while (this.#compaction !== undefined) await this.#stepCompaction()
  }

  add(entries: readonly Entry[]): void {
    this.#added++
    if (this.#isStopped) return
    this.#queue.push(...entries)
    this.#schedule()
  }

  durable(): Promise<void> | undefined {
    if (this.#saved === this.#added || this.#isUnattended) return undefined
    if (this.#isStopped) return Promise.reject(this.#notSaved())
    return new Promise((resolve, reject) => this.#waiting.push({ count: this.#added, resolve, reject }))
  }

  /** Writes nothing from now on. */
  async stop(reason: string): Promise<void> {
    if (this.#isStopped) return
    this.#isStopped = true
    this.#queue = []
    this.#fail(reason)
    await this.#letGo()
  }

  /** Writes what is left. Returns the reason if changes are lost. */
  async close(): Promise<string | undefined> {
    this.#isClosing = true
    clearTimeout(this.#retry)
    await this.#running
    if (!this.#isStopped) await this.#run({ isLast: true })
    return this.#saved === this.#added && !this.#isLost ? undefined : this.#failure
  }

  /** Writes at the end of this turn of the event loop, so that the changes of one turn are written together. */
  #schedule(): void {
    if (this.#isClosing || this.#running !== undefined || this.#retry !== undefined) return
    const endOfTurn = new Promise((resolve) => setImmediate(resolve))
    this.#running = endOfTurn
      .then(() => this.#run())
      .then(() => {
        this.#running = undefined
        if (this.#isStopped) return
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
    const { resolved, warn } = this.#options
    try {
      do {
        await this.#writeQueue()
      } while (!this.#isStopped && (this.#queue.length > 0 || (this.#compaction !== undefined && !this.#isClosing)))
      if (this.#isStopped) return
      if (isLast) await this.#closeFile()
      if (this.#failure !== undefined) warn(`The state is saved to ${resolved.path} again.`)
      this.#failure = undefined
      this.#isUnattended = false
    } catch (error) {
      if (this.#isStopped) return
      this.#isLost = true
      await this.#letGo()
      this.#fail(`The state could not be saved to ${resolved.path}: ${describeSystemError(error)}.`)
    }
  }

  async #writeQueue(): Promise<void> {
    const { sync, everything, isLocked } = this.#options
    if (await this.#wasLost()) {
      this.#isLost = true
      await this.#letGo()
      // Whoever has changed the file may have its lock as well.
      if (!(await isLocked())) return
    }
    const count = this.#added
    if (this.#file === undefined) {
      if (count === 0 && !this.#isLost) return
      this.#queue = []
      const entries = everything()
      this.#attend(entries)
      await this.rewrite(entries)
      this.#isLost = false
      this.#settle(count)
      return
    }
    const entries = this.#queue
    this.#queue = []
    const compacted = this.#isWorthCompacting && !this.#isClosing ? everything() : undefined
    this.#attend(entries)
    await this.#append(this.#file, entries)
    if (sync && entries.length > 0) await this.#file.sync()
    this.#settle(count)
    if (!this.#isClosing) await this.#tryCompaction(compacted)
  }

  /** Whether somebody has changed, deleted or replaced the file. The latter is looked up only once in a while. */
  async #wasLost(): Promise<boolean> {
    if (this.#file === undefined) return false
    if (!this.#file.isOurs) return true
    if (this.#sinceCheck() < CHECK && !this.#isClosing) return false
    this.#sinceCheck = startStopwatch()
    return !(await this.#file.isInPlace())
  }

  async #append(file: OpenFile, entries: readonly Entry[]): Promise<void> {
    for (const entry of entries) {
      const before = file.size
      for (const text of textsOf([entry])) {
        await file.write(text)
        this.#compaction?.since.push(text)
      }
      if (isSnapshot(entry) && !entry.isAgain) this.#current += file.size - before
    }
  }

  get #isWorthCompacting(): boolean {
    const outdated = (this.#file?.size ?? 0) - this.#current
    return this.#compaction === undefined && outdated > Math.max(WORTH_COMPACTING, this.#current)
  }

  async #tryCompaction(everything: readonly Entry[] | undefined): Promise<void> {
    try {
      if (everything !== undefined) await this.#compact(everything)
      await this.#stepCompaction()
    } catch (error) {
      await this.#stopCompaction()
      if (this.#file === undefined) throw error
      // The old file stays in use. Another attempt is worth it when it has doubled.
      this.#current = this.#file.size
    }
  }

  async #compact(everything: readonly Entry[]): Promise<void> {
    const file = await OpenFile.replacement(this.#options.resolved)
    this.#compaction = { file, texts: textsOf(everything), since: [] }
  }

  /** Writes a little more of the replacement, or has it take the place of the old file. */
  async #stepCompaction(): Promise<void> {
    if (this.#compaction === undefined) return
    const { file, texts, since } = this.#compaction
    const { value, done } = texts.next()
    if (!done) return file.write(value)
    for (const text of since) await file.write(text)
    // Windows replaces no file that is open.
    await this.#file?.close()
    this.#file = undefined
    await file.takePlace(this.#options.resolved)
    this.#compaction = undefined
    this.#file = file
    this.#current = file.size
  }

  async #stopCompaction(): Promise<void> {
    await this.#compaction?.file.discard()
    this.#compaction = undefined
  }

  /** Gives up the file. */
  async #letGo(): Promise<void> {
    await this.#stopCompaction()
    await this.#file?.close()
    this.#file = undefined
  }

  async #closeFile(): Promise<void> {
    await this.#stopCompaction()
    await this.#file?.sync()
    await this.#file?.close()
  }

  /** Lets responses go out before many records are written. */
  #attend(entries: readonly Entry[]): void {
    this.#isUnattended = !this.#options.sync && (this.#failure !== undefined || recordsIn(entries) > MANY)
    if (this.#isUnattended) this.#release(this.#added)
  }

  #settle(count: number): void {
    this.#saved = count
    this.#release(count)
  }

  /** Lets the responses go out that wait for this number of changes or fewer. */
  #release(count: number): void {
    const released = this.#waiting.filter((waiter) => waiter.count <= count)
    this.#waiting = this.#waiting.filter((waiter) => waiter.count > count)
    for (const { resolve } of released) resolve()
  }

  #fail(reason: string): void {
    if (this.#failure === undefined && !this.#isClosing) this.#options.warn(reason)
    this.#failure = reason
    this.#isUnattended = !this.#options.sync
    if (this.#isUnattended) this.#release(this.#added)
    const rejected = this.#waiting
    this.#waiting = []
    for (const { reject } of rejected) reject(this.#notSaved())
  }

  #notSaved(): MockError {
    return new MockError('STATE_NOT_SAVED', this.#failure ?? '', 'The change was made, but a restart loses it.')
  }
}
