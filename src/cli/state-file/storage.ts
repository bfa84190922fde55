import { startStopwatch } from '../../support/clock.js'
import { Compaction } from './compaction.js'
import { type Entry, isSnapshot, textsOf } from './format.js'
import type { LogFile } from './log-file.js'
import type { Target } from './target.js'

/** Milliseconds between checks whether the file is still in its place. */
const CHECK = 1000

/** Bytes of outdated lines from which on a file is compacted, if they are at least half of it. */
const WORTH_COMPACTING = 1024 * 1024

/** A file that is appended to, compacted while it is in use, and written again as a whole when it was lost. */
export class Storage {
  readonly #target: Target
  /** Undefined if the whole file has to be written: it is new, or a write failed. */
  #file: LogFile | undefined
  /** Bytes that are not outdated. */
  #current: number
  #compaction: Compaction | undefined
  #sinceCheck = startStopwatch()

  /** `existing` is the file, if it can be appended to. */
  constructor(target: Target, existing: { log: LogFile; current: number } | undefined) {
    this.#target = target
    this.#file = existing?.log
    this.#current = existing?.current ?? 0
  }

  get isOpen(): boolean {
    return this.#file !== undefined
  }

  get isCompacting(): boolean {
    return this.#compaction !== undefined
  }

  get isWorthCompacting(): boolean {
    const outdated = (this.#file?.size ?? 0) - this.#current
    return !this.isCompacting && outdated > Math.max(WORTH_COMPACTING, this.#current)
  }

  /** Whether somebody has deleted or replaced the file. Looked up only once in a while, unless it has to be certain. */
  async wasRemoved(certain: boolean): Promise<boolean> {
    if (this.#file === undefined || (this.#sinceCheck() < CHECK && !certain)) return false
    this.#sinceCheck = startStopwatch()
    return !(await this.#file.isInPlace())
  }

  /** Writes the whole file. */
  async rewrite(entries: readonly Entry[]): Promise<void> {
    const rewriting = await Compaction.begin(this.#target, entries)
    this.#compaction = rewriting
    let file: LogFile | undefined
    while (file === undefined) file = await rewriting.step()
    this.#compaction = undefined
    this.#use(file)
  }

  async append(entries: readonly Entry[], { sync }: { sync: boolean }): Promise<void> {
    const file = this.#file
    if (file === undefined || entries.length === 0) return
    for (const entry of entries) {
      const before = file.size
      for (const text of textsOf([entry])) {
        await file.write(text)
        this.#compaction?.append(text)
      }
      if (isSnapshot(entry) && entry.isFirst) this.#current += file.size - before
    }
    if (sync) await file.sync()
  }

  /** Begins a compaction (with everything that is kept), or takes one a step further. */
  async compact(everything: readonly Entry[] | undefined): Promise<void> {
    const file = this.#file
    try {
      if (everything !== undefined) this.#compaction = await Compaction.begin(this.#target, everything)
      const compacted = await this.#compaction?.step()
      if (compacted === undefined) return
      this.#compaction = undefined
      this.#use(compacted)
      await file?.close()
    } catch {
      await this.stopCompaction()
      // The old file stays in use. Another attempt is worth it when it has doubled.
      this.#current = file?.size ?? 0
    }
  }

  async stopCompaction(): Promise<void> {
    await this.#compaction?.discard()
    this.#compaction = undefined
  }

  /** Gives up the file. */
  async letGo(): Promise<void> {
    await this.stopCompaction()
    await this.#file?.close()
    this.#file = undefined
  }

  /** Closes the file once everything is on disk. */
  async close(): Promise<void> {
    await this.stopCompaction()
    await this.#file?.sync()
    await this.#file?.close()
  }

  #use(file: LogFile): void {
    this.#file = file
    this.#current = file.size
  }
}
