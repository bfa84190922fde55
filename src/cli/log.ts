import type { JournalEntry } from '../sessions/journal.js'
import type { Output } from './io.js'

/** One line a request; what comes in one go is written in one go. */
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

/** `POST /api/… 200 cloneFeature 3 ms`, and scenario and session where they are not the usual ones. */
function describeRequest(entry: JournalEntry, session: string): string {
  const { method, path, status, operation, scenario, durationMs } = entry
  const what = operation ?? 'not modelled'
  const outcome = status === 0 ? 'no answer' : status
  const where = [scenario === 'default' ? '' : ` scenario ${scenario}`, session === '' ? '' : ` session ${session}`]
  return printable(`${method} ${path} ${outcome} ${what} ${Math.round(durationMs)} ms${where.join('')}`)
}

/** Without control characters, so that a request can't steer the terminal. */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '?')
}
