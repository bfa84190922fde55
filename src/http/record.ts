import type { Message } from '../resources/shared/context.js'
import type { RawEntry } from '../sessions/journal-entry.js'
import { none } from '../support/freeze.js'
import type { Answer } from './answer.js'
import { FORCED_HEADER } from './forced.js'
import { journalPath, proxiedPath } from './select.js'
import type { Call } from './service.js'

/** What the code that answered a call tells the journal about it. */
export interface CallRecord {
  operation: string | null
  /** The name of the user or of the key that sent it, if one was identified. */
  sentBy?: string | null
  requestText?: string | null
  sent?: readonly Message[]
  proxied?: boolean
}

interface Circumstances {
  time: number
  scenario: string
  elapsed: () => number
}

/** The entry of a call in the journal. */
export function entryOf(
  { request: { method, url, headers: requestHeaders }, sentHeaders }: Call,
  { status, fault, headers, body, relayed }: Answer,
  { operation, sentBy = null, requestText = null, sent = none, proxied = false }: CallRecord,
  { time, scenario, elapsed }: Circumstances,
): RawEntry {
  const noAnswer = fault === 'reset' || fault === 'hang'
  const entry: RawEntry = {
    time,
    method,
    path: proxied ? proxiedPath(url) : journalPath(url),
    operation,
    scenario,
    status: noAnswer ? 0 : status,
    durationMs: elapsed(),
    caller: sentBy,
    requestHeaders: sentHeaders ?? requestHeaders,
    responseHeaders: noAnswer
      ? {}
      : relayed === undefined
        ? headers
        : { ...Object.fromEntries(relayed.headers), ...headers },
    requestText,
    responseText: typeof body === 'string' ? body : null,
    matched: operation !== null || proxied,
  }
  if (FORCED_HEADER in headers) entry.forced = true
  if (sent.length > 0) entry.sent = sent
  if (proxied) entry.proxied = true
  return entry
}
