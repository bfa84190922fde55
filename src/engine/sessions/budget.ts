import { MockError } from '../errors/mock-errors.js'

/** The maximum characters in all journals of a mock together. */
export const ALL_CHARACTERS_KEPT = 128 * 1024 * 1024

/** The maximum characters of JSON in all histories of a mock together. */
export const CHARACTERS_REMEMBERED = 32 * 1024 * 1024

/** The maximum characters of JSON in the events of all worlds of a mock together. */
export const EVENT_CHARACTERS_KEPT = 32 * 1024 * 1024

/** A journal, a history or an event log, as a budget sees it. */
interface Budgeted {
  readonly isEmpty: boolean
  dropOldest(): void
}

/**
 * The common budget of all journals, all histories, or all event logs of a mock. If it is exceeded, the one that has been
 * idle for longest drops its oldest entries.
 */
export class Budget {
  readonly #most: number
  #used = 0
  /** The users with entries, the longest idle first. */
  readonly #users = new Set<Budgeted>()
  #newest: Budgeted | undefined

  constructor(most: number) {
    this.#most = most
  }

  get used(): number {
    return this.#used
  }

  /** A user has stored more. */
  add(user: Budgeted, amount: number): void {
    this.#used += amount
    if (user !== this.#newest) {
      this.#users.delete(user)
      this.#users.add(user)
      this.#newest = user
    }
    if (this.#used > this.#most) this.#evictOldest()
  }

  /** A user has dropped something. */
  remove(amount: number): void {
    this.#used -= amount
  }

  /** A user was emptied, so the budget no longer holds it in memory. */
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

/**
 * The maximum characters of JSON by which all worlds of a mock together can outgrow their starts: more could not be saved
 * and read.
 */
export const CHARACTERS_ADDED = 128 * 1024 * 1024

/** The size of all worlds of a mock, without their starts and events. */
export class Allowance {
  #used = 0

  /** Throws `TOO_MUCH_DATA` if the size would exceed the limit, unless it `mayExceed`. */
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
