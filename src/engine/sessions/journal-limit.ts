/** The maximum characters in all journals of a mock together. */
export const ALL_CHARACTERS_KEPT = 128 * 1024 * 1024

/** A journal, as the common limit sees it. */
interface LimitedJournal {
  readonly isEmpty: boolean
  dropOldest(): void
}

/** The common limit of all journals of a mock. Beyond it, the journal that has been idle for longest drops its oldest entries. */
export class JournalLimit {
  #used = 0
  /** The journals with entries, the longest idle first. */
  readonly #journals = new Set<LimitedJournal>()
  #newest: LimitedJournal | undefined

  /** A journal has stored more characters. */
  add(journal: LimitedJournal, characters: number): void {
    this.#used += characters
    if (journal !== this.#newest) {
      this.#journals.delete(journal)
      this.#journals.add(journal)
      this.#newest = journal
    }
    if (this.#used > ALL_CHARACTERS_KEPT) this.#dropOldest()
  }

  /** A journal has dropped characters. */
  remove(characters: number): void {
    this.#used -= characters
  }

  /** A journal was emptied, so the limit no longer holds it in memory. */
  forget(journal: LimitedJournal): void {
    this.#journals.delete(journal)
    if (journal === this.#newest) this.#newest = undefined
  }

  #dropOldest(): void {
    for (const idle of this.#journals) {
      while (this.#used > ALL_CHARACTERS_KEPT && !idle.isEmpty) idle.dropOldest()
      if (this.#used <= ALL_CHARACTERS_KEPT) return
      this.forget(idle)
    }
  }
}
