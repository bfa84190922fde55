import type { JournalEntry } from '../../engine/sessions/journal.js'
import { isObject } from '../../support/json.js'
import { percentDecodedOrRaw, printable } from '../../support/text.js'
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

/**
 * `POST /api/… 200 cloneFeature 3 ms`, plus scenario and session if they are not the defaults. An error adds its name and
 * reason after the operation: `400 cloneFeature (BadDataError: name must not be empty) 3 ms`.
 */
function describeRequest(entry: JournalEntry, session: string): string {
  const { method, path, status, operation, scenario, durationMs } = entry
  const what = operation ?? 'not modelled'
  const outcome = status === 0 ? 'no response' : status
  const where = [scenario === 'default' ? '' : ` scenario ${scenario}`, session === '' ? '' : ` session ${session}`]
  return printable(
    `${method} ${path} ${outcome} ${what}${describeError(entry)} ${Math.round(durationMs)} ms${where.join('')}`,
  )
}

/** The name and the reason of an error, and a hint on it, in parentheses: SDKs don't show responses. Empty without any. */
function describeError({ status, responseBody, responseHeaders, operation }: JournalEntry): string {
  const { name, code = name, message, details, hint } = isObject(responseBody) && status >= 400 ? responseBody : {}
  const [detail]: unknown[] = Array.isArray(details) ? details : []
  const reason = isObject(detail) && typeof detail.message === 'string' ? detail.message : message
  const words = [code, reason].filter((word) => typeof word === 'string').join(': ')
  const isUnexpected = status >= 400 || operation === null
  const advice = hint ?? (isUnexpected ? percentDecodedOrRaw(responseHeaders['x-mock-hint'] ?? '') : '')
  const text = [words, advice]
    .filter((part) => typeof part === 'string' && part !== '')
    .map((part) => shortened(String(part)))
  return text.length === 0 ? '' : ` (${text.join(' ')})`
}

const REASON_LOGGED = 200

function shortened(text: string): string {
  return text.length > REASON_LOGGED ? `${text.slice(0, REASON_LOGGED - 1)}…` : text
}
