import { MockError } from '../../contract/mock-errors.js'
import { startStopwatch } from '../../support/clock.js'

/** Limits the number of requests per second. */
export class Rate {
  readonly #limit: number
  #elapsed = startStopwatch()
  #count = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Throws `TOO_MANY_REQUESTS`. */
  count(): void {
    if (this.#elapsed() >= 1000) {
      this.#elapsed = startStopwatch()
      this.#count = 0
    }
    this.#count++
    if (this.#count <= this.#limit) return
    throw new MockError(
      'TOO_MANY_REQUESTS',
      `This session takes ${this.#limit} requests per second.`,
      'Wait a second, or use a session for each test. createWorker takes another limit: { limits: { requestsPerSecond } }.',
    )
  }
}
