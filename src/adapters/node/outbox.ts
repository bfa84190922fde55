import type { ServerResponse } from 'node:http'

/**
 * Sends the answers of one turn of the event loop together, at its end. A client that gets the first of ten answers at
 * once wakes up for it and sleeps again before the second; to wake it ten times is half of what the ten answers cost.
 */
export class Outbox {
  #waiting: { outgoing: ServerResponse; body: string | Uint8Array | null }[] = []

  /** Ends an answer, whose head is written already, with its body. */
  end(outgoing: ServerResponse, body: string | Uint8Array | null): void {
    if (this.#waiting.length === 0) setImmediate(() => this.#flush())
    this.#waiting.push({ outgoing, body })
  }

  #flush(): void {
    const answers = this.#waiting
    this.#waiting = []
    for (const { outgoing, body } of answers) outgoing.end(body ?? undefined)
  }
}
