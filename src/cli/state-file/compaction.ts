import { type Entry, textsOf } from './format.js'
import { LogFile } from './log-file.js'
import type { Target } from './target.js'

/**
 * Writes a file's replacement, which holds only what counts, while the file itself is still appended to. It is done step
 * by step, so that neither requests nor changes wait for it.
 */
export class Compaction {
  readonly #file: LogFile
  readonly #texts: Generator<string>
  /** What was appended to the old file meanwhile. */
  readonly #since: string[] = []

  /** Begins with what is there now. */
  static async begin(target: Target, entries: readonly Entry[]): Promise<Compaction> {
    return new Compaction(await LogFile.replacement(target), entries)
  }

  private constructor(file: LogFile, entries: readonly Entry[]) {
    this.#file = file
    this.#texts = textsOf(entries)
  }

  /** Has a text that goes to the old file written to the new one as well. */
  append(text: string): void {
    this.#since.push(text)
  }

  /** Writes a little more. Returns the new file once it has taken the place of the old one. */
  async step(): Promise<LogFile | undefined> {
    const { value, done } = this.#texts.next()
    if (!done) {
      await this.#file.write(value)
      return undefined
    }
    for (const text of this.#since) await this.#file.write(text)
    await this.#file.takePlace()
    return this.#file
  }

  discard(): Promise<void> {
    return this.#file.discard()
  }
}
