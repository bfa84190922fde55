import type { JournalEntry } from '../sessions/journal.js'
import type { Output } from './io.js'

/** Logs one line per request. Requests of the same turn are written together. */
export class RequestLog {
  readonly #output: Output
  #lines = ''

  constructor(output: Output) {
    this.#output = output
  }

  add(entry: JournalEntry, session: string): void {
    if (this.#lines === '') setImmediate(() => this.flush())
    this.#lines += `${describeRequest(entry, session)}\n`
  }

  flush(): void {
    if (this.#lines !== '') this.#output.write(this.#lines)
    this.#lines = ''
  }
}

/** `POST /api/… 200 cloneFeature 3 ms`, plus scenario and session if they are not the defaults. */
function describeRequest(entry: JournalEntry, session: string): string {
  const { method, path, status, operation, scenario, durationMs } = entry
  const what = operation ?? 'not modelled'
  const outcome = status === 0 ? 'no answer' : status
  const where = [scenario === 'default' ? '' : ` scenario ${scenario}`, session === '' ? '' : ` session ${session}`]
  return printable(`${method} ${path} ${outcome} ${what} ${Math.round(durationMs)} ms${where.join('')}`)
}

/** Replaces control characters, so that a request can't control the terminal. */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '?')
}
