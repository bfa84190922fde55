/** Characters that all journals of a mock keep together. */
export const ALL_CHARACTERS_KEPT = 128 * 1024 * 1024

/** Records that all histories of a mock hold together, besides those that its worlds hold anyway. */
export const PAST_RECORDS_KEPT = 100_000

/** What a budget asks of a journal or a history. */
interface Budgeted {
  readonly isEmpty: boolean
  dropOldest(): void
}

/**
 * How much all journals, or all histories, of a mock keep together. Beyond that, the one that has been idle for longest
 * loses its oldest entries.
 */
export class Budget {
  readonly #most: number
  #used = 0
  /** Those with entries, the longest idle first. */
  readonly #users = new Set<Budgeted>()

  constructor(most: number) {
    this.#most = most
  }

  get used(): number {
    return this.#used
  }

  /** One of them has kept more. */
  add(user: Budgeted, amount: number): void {
    this.#used += amount
    this.#users.delete(user)
    this.#users.add(user)
    if (this.#used > this.#most) this.#makeRoom()
  }

  /** One of them has dropped something. */
  remove(amount: number): void {
    this.#used -= amount
  }

  /** One of them was emptied: whoever gave it up need not be held in memory for it. */
  forget(user: Budgeted): void {
    this.#users.delete(user)
  }

  #makeRoom(): void {
    for (const idle of this.#users) {
      while (this.#used > this.#most && !idle.isEmpty) idle.dropOldest()
      if (this.#used <= this.#most) return
      this.#users.delete(idle)
    }
  }
}
