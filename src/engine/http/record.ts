import { holderOf, nameOf, sentToken } from '../../service/resources/people/callers.js'
import { none } from '../../support/freeze.js'
import type { KeptEntry } from '../sessions/journal.js'
import { headersText, redactPath } from '../sessions/redact.js'
import type { Session } from '../sessions/session.js'
import { emptyAnswer } from './answer.js'
import { NO_BODY } from './body.js'
import type { Answered, Call, ReceivedBody, ServiceOptions } from './call.js'
import { FORCED_HEADER } from './forced.js'
import { operationQuery, scenarioName, selectSession } from './resolve.js'
import { rawPath } from './routes.js'
import { isServiceRequest } from './unknown.js'

/** How a request came in. */
export interface Received {
  readonly received: ReceivedBody
  /** When it came, by the clock of its world. */
  readonly time: number
  readonly elapsed: () => number
}

type EnteredCall = Pick<Call, 'request' | 'sentHeaders' | 'session' | 'world' | 'options' | 'row'>

/** The entry of a request in the journal. */
export function entryOf(
  id: number,
  { request, sentHeaders, session, world, options: { profile }, row }: EnteredCall,
  { received, time, elapsed }: Received,
  { answer: { status, fault, headers, body }, caller, cause, sent = none }: Answered,
): KeptEntry {
  const { method, url, headers: requestHeaders } = request
  const tables = world?.data.tables
  const token = tables && (caller?.token ?? sentToken({ tables, profile, headers: requestHeaders }))
  const name = row === undefined || caller === undefined ? null : nameOf(caller)
  const operation = row?.id ?? null
  const noAnswer = fault === 'reset' || fault === 'hang'
  const entry: KeptEntry = {
    id,
    time,
    method,
    path: redactPath(journalPath(url), operation),
    operation,
    scenario: scenarioName(world, session),
    status: noAnswer ? 0 : status,
    durationMs: elapsed(),
    caller: name ?? (token ? holderOf(token, tables) : null),
    showsKey: token !== undefined && token.generated !== true,
    requestHead: headersText(sentHeaders ?? requestHeaders),
    responseHead: noAnswer ? '' : headersText(headers),
    request: received.text ?? '',
    response: typeof body === 'string' ? body : '',
    matched: operation !== null,
  }
  if (cause?.commit !== undefined) entry.commit = cause.commit
  if (FORCED_HEADER in headers) entry.forced = true
  if (sent.length > 0) entry.sent = sent
  return entry
}

/**
 * Enters a request in the journal that an adapter leaves to somebody else, if it looks like one to the service. Returns
 * whether it does.
 */
export function recordUnmodelled(request: Request, url: string, options: ServiceOptions, given: Session): boolean {
  if (!isServiceRequest(url, options.basePath)) return false
  const session = selectSession(request, options.sessions, given, 'trusted')
  const world = session.world()
  const call = { request, sentHeaders: undefined, session, world, options, row: undefined }
  const received = { received: NO_BODY, time: world.clock.epoch(), elapsed: () => 0 }
  session.journal.record((id) => entryOf(id, call, received, { answer: emptyAnswer(0) }))
  return true
}

/** The path and the query of a URL as the journal shows them: without the parameter that only flagdouble reads. */
export function journalPath(url: string): string {
  return url.includes('?') ? rawPath(url) + operationQuery(url) : rawPath(url)
}
