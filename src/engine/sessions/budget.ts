import { MockError } from '../../service/contract/mock-errors.js'

/** Characters that all journals of a mock keep together. */
export const ALL_CHARACTERS_KEPT = 128 * 1024 * 1024

/** Characters of JSON that all histories of a mock remember together. */
export const CHARACTERS_REMEMBERED = 32 * 1024 * 1024

/** Characters of JSON that the events of all worlds of a mock keep together. */
export const EVENT_CHARACTERS_KEPT = 32 * 1024 * 1024

/** What a budget asks of a journal, a history or a log of events. */
interface Budgeted {
  readonly isEmpty: boolean
  dropOldest(): void
}

/**
 * How much all journals, all histories, or all logs of events of a mock keep together. Beyond that, the one that has been idle for longest
 * loses its oldest entries.
 */
export class Budget {
  readonly #most: number
  #used = 0
  /** Those with entries, the longest idle first. */
  readonly #users = new Set<Budgeted>()
  #newest: Budgeted | undefined

  constructor(most: number) {
    this.#most = most
  }

  get used(): number {
    return this.#used
  }

  /** One of them has kept more. */
  add(user: Budgeted, amount: number): void {
    this.#used += amount
    if (user !== this.#newest) {
      this.#users.delete(user)
      this.#users.add(user)
      this.#newest = user
    }
    if (this.#used > this.#most) this.#evictOldest()
  }

  /** One of them has dropped something. */
  remove(amount: number): void {
    this.#used -= amount
  }

  /** One of them was emptied: whoever gave it up need not be held in memory for it. */
  forget(user: Budgeted): void {
    this.#users.delete(user)
    if (user === this.#newest) this.#newest = undefined
  }

  #evictOldest(): void {
    for (const idle of this.#users) {
      while (this.#used > this.#most && !idle.isEmpty) idle.dropOldest()
      if (this.#used <= this.#most) return
      this.forget(idle)
    }
  }
}

/** Characters of JSON by which all worlds of a mock may outgrow their starts together: more could not be written and read. */
export const CHARACTERS_ADDED = 128 * 1024 * 1024

/** How much all worlds of a mock hold beside their starts and their events. */
export class Allowance {
  #used = 0

  /** Throws `TOO_MUCH_DATA` if that would be too much, unless it `mayExceed`. */
  add(more: number, mayExceed = false): void {
    if (more > 0 && !mayExceed && this.#used + more > CHARACTERS_ADDED) {
      throw new MockError(
        'TOO_MUCH_DATA',
        `The changes in all worlds of a mock can have at most ${CHARACTERS_ADDED.toLocaleString('en')} characters of JSON.`,
        'Reset the mock, or switch its scenario, to start over.',
      )
    }
    this.#used += more
  }
}
