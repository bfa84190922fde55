import { MockError } from '../../service/contract/mock-errors.js'
import { holderOf, sentToken } from '../../service/resources/people/callers.js'
import { none } from '../../support/freeze.js'
import type { RawEntry } from '../sessions/journal-entry.js'
import { REDACTED } from '../sessions/redact.js'
import type { Session } from '../sessions/session.js'
import { emptyAnswer } from './answer.js'
import { NO_BODY, textOf } from './body.js'
import type { Call, Outcome, ReceivedBody, ServiceOptions } from './call.js'
import { FORCED_HEADER } from './forced.js'
import { rawPath, rawQuery } from './routes.js'
import { operationQuery, selectSession } from './select.js'
import { isServiceRequest } from './unknown.js'

/** What the journal is told about a request besides what came of it. */
export interface Circumstances {
  /** The operation that it is for. Null if there is none. */
  operation: string | null
  received: ReceivedBody
  scenario: string
  /** The moment that its world is at. */
  moment?: number | undefined
  time: number
  elapsed: () => number
}

export function entryOf(
  {
    request: { method, url, headers: requestHeaders },
    sentHeaders,
    world,
    options: { profile },
  }: Pick<Call, 'request' | 'sentHeaders' | 'world' | 'options'>,
  { answer: { status, fault, headers, body, relayed }, sentBy, sent = none, proxied, cause }: Outcome,
  { operation, received, time, scenario, moment, elapsed }: Circumstances,
): RawEntry {
  const tables = world instanceof MockError ? undefined : world.data.tables
  const token = tables && sentToken({ tables, profile, headers: requestHeaders })
  const noAnswer = fault === 'reset' || fault === 'hang'
  const entry: RawEntry = {
    time,
    method,
    path: proxied ? proxiedPath(url) : journalPath(url),
    operation,
    scenario,
    status: noAnswer ? 0 : status,
    durationMs: elapsed(),
    caller: sentBy ?? (token && !proxied ? holderOf(token, tables) : null),
    showsKey: token !== undefined && token.generated !== true,
    moment,
    requestHeaders: sentHeaders ?? requestHeaders,
    responseHeaders: noAnswer
      ? {}
      : relayed === undefined
        ? headers
        : { ...Object.fromEntries(relayed.headers), ...headers },
    requestText: textOf(received),
    responseText: typeof body === 'string' ? body : null,
    matched: operation !== null || proxied === true,
  }
  if (cause?.commit !== undefined) entry.commit = cause.commit
  if (FORCED_HEADER in headers) entry.forced = true
  if (sent.length > 0) entry.sent = sent
  if (proxied) entry.proxied = true
  return entry
}

/**
 * Enters a request in the journal that an adapter leaves to somebody else, if it looks like one to the service. Returns
 * whether it does.
 */
export function recordUnmodelled(request: Request, url: string, options: ServiceOptions, given: Session): boolean {
  if (!isServiceRequest({ method: request.method, url }, options.routes, options.basePath)) return false
  const session = selectSession(request, options.sessions, given, 'trusted')
  const world = session.world()
  const time = world.clock.epoch()
  const scenario = session.switchedTo.join(',')
  const circumstances = { operation: null, received: NO_BODY, time, scenario, elapsed: () => 0 }
  const call = { request, sentHeaders: undefined, world, options }
  session.journal.record(entryOf(call, { answer: emptyAnswer(0) }, circumstances))
  return true
}

/** The path and the query of a URL as the journal shows them: without the parameter that only flagdouble reads. */
export function journalPath(url: string): string {
  return url.includes('?') ? rawPath(url) + operationQuery(url) : rawPath(url)
}

/** The same for a request that is passed on: nobody here knows which values of its query are secret. */
function proxiedPath(url: string): string {
  const names = new Set(new URLSearchParams(rawQuery(url)).keys())
  const query = [...names].map((name) => `${encodeURIComponent(name)}=${REDACTED}`)
  return rawPath(url) + (query.length === 0 ? '' : `?${query.join('&')}`)
}
