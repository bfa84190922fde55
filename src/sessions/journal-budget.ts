/** Bytes that all journals of a mock keep together. */
export const ALL_BYTES_KEPT = 128 * 1024 * 1024

/** What a budget asks of a journal. */
interface Budgeted {
  readonly isEmpty: boolean
  dropOldest(): void
}

/** The bytes of all journals together. Beyond them, the journal that has been idle for longest loses its oldest entries. */
export class JournalBudget {
  #bytes = 0
  /** Those with entries, the longest idle first. */
  readonly #journals = new Set<Budgeted>()
  #newest: Budgeted | undefined

  get bytes(): number {
    return this.#bytes
  }

  /** A journal has kept some bytes more. */
  add(journal: Budgeted, bytes: number): void {
    this.#bytes += bytes
    if (journal !== this.#newest) {
      this.#journals.delete(journal)
      this.#journals.add(journal)
      this.#newest = journal
    }
    if (this.#bytes > ALL_BYTES_KEPT) this.#makeRoom()
  }

  /** A journal has dropped some bytes. */
  remove(bytes: number): void {
    this.#bytes -= bytes
  }

  /** A journal was emptied, of so many bytes. */
  forget(journal: Budgeted, bytes: number): void {
    this.#bytes -= bytes
    this.#journals.delete(journal)
    if (journal === this.#newest) this.#newest = undefined
  }

  #makeRoom(): void {
    for (const idle of this.#journals) {
      while (this.#bytes > ALL_BYTES_KEPT && !idle.isEmpty) idle.dropOldest()
      if (this.#bytes <= ALL_BYTES_KEPT) return
      this.#journals.delete(idle)
    }
  }
}
