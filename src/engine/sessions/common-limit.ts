/** The part of a session that counts in a common limit: its journal, or its history. */
interface Limited {
  /** Whether it can't drop anything more. */
  readonly isEmpty: boolean
  dropOldest(): void
}

/** A common limit of all sessions of a mock. Beyond it, the one that has been idle for longest drops its oldest parts. */
export class CommonLimit {
  readonly #most: number
  #used = 0
  /** Those that use some of it, the longest idle first. */
  readonly #users = new Set<Limited>()
  #newest: Limited | undefined

  constructor(most: number) {
    this.#most = most
  }

  /** A user has stored more. */
  add(user: Limited, size: number): void {
    this.#used += size
    if (user !== this.#newest) {
      this.#users.delete(user)
      this.#users.add(user)
      this.#newest = user
    }
    if (this.#used > this.#most) this.#dropOldest()
  }

  /** A user has dropped a part. */
  remove(size: number): void {
    this.#used -= size
  }

  /** A user was emptied, so the limit no longer holds it in memory. */
  forget(user: Limited): void {
    this.#users.delete(user)
    if (user === this.#newest) this.#newest = undefined
  }

  /** The newest stays unchanged: it also has its own limit. */
  #dropOldest(): void {
    for (const idle of this.#users) {
      if (idle === this.#newest) return
      while (this.#used > this.#most && !idle.isEmpty) idle.dropOldest()
      if (this.#used <= this.#most) return
      this.forget(idle)
    }
  }
}
