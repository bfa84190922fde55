interface Waiter {
  count: number
  resolve: () => void
  reject: (error: Error) => void
}

/** Requests that wait until a number of changes is saved. */
export class Waiters {
  #waiting: Waiter[] = []

  wait(count: number): Promise<void> {
    return new Promise((resolve, reject) => this.#waiting.push({ count, resolve, reject }))
  }

  /** Lets the requests continue that wait for this number of changes or fewer. */
  release(count: number): void {
    const released = this.#waiting.filter((waiter) => waiter.count <= count)
    this.#waiting = this.#waiting.filter((waiter) => waiter.count > count)
    for (const { resolve } of released) resolve()
  }

  reject(error: Error): void {
    const rejected = this.#waiting
    this.#waiting = []
    for (const { reject } of rejected) reject(error)
  }
}
