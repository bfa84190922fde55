import { MockError } from '../contract/mock-errors.js'
import type { Session } from '../sessions/session.js'
import type { Sessions } from '../sessions/sessions.js'
import type { World } from '../sessions/world.js'
import { cookie } from '../support/cookie.js'
import { rawPath } from './path.js'

export const SCENARIO_HEADER = 'x-mock-scenario'
export const SCENARIO_COOKIE = 'mock-scenario'
export const SCENARIO_QUERY = 'scenario'
export const SESSION_HEADER = 'x-mock-session'
export const SESSION_COOKIE = 'mock-session'

/** The session that a request names, by header or cookie; else the one it came in by. */
export function selectSession(request: Request, sessions: Sessions, cameThrough: Session): Session {
  const name = request.headers.get(SESSION_HEADER) ?? cookie(request.headers, SESSION_COOKIE)
  return name === undefined || name === '' ? cameThrough : sessions.open(name)
}

/**
 * The world that answers a request: of the scenarios that its query, else its header, else its cookie names, else of
 * those that the session is switched to. Throws `UNKNOWN_SCENARIO`; it never falls back silently.
 */
export function selectWorld(request: Request, session: Session): World {
  const named =
    scenarioInQuery(request.url) ??
    request.headers.get(SCENARIO_HEADER) ??
    cookie(request.headers, SCENARIO_COOKIE) ??
    ''
  const names = scenarioNames(named)
  return names.length === 0 ? session.world() : session.world(names)
}

/** The same, or the `UNKNOWN_SCENARIO` that is to be answered. */
export function trySelectWorld(request: Request, session: Session): World | MockError {
  try {
    return selectWorld(request, session)
  } catch (error) {
    if (error instanceof MockError) return error
    throw error
  }
}

/** What an answer names as its scenario: that of the world it is about; of an unknown one, that of the session. */
export function scenarioOf(request: Request, session: Session): string {
  const world = trySelectWorld(request, session)
  return world instanceof MockError ? session.switchedTo.join(',') : world.name
}

/** `'expired-token, slow'` → `['expired-token', 'slow']` */
export function scenarioNames(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/** Path and query of a URL as the journal shows them: without what only the kit reads. */
export function journalPath(url: string): string {
  return url.includes('?') ? rawPath(url) + operationQuery(url) : rawPath(url)
}

/** The query of a URL as the operation sees it: without the parameter that only the kit reads. */
export function operationQuery(url: string): string {
  const sent = queryOf(url)
  if (!sent.includes(SCENARIO_QUERY)) return sent
  const query = new URLSearchParams(sent)
  query.delete(SCENARIO_QUERY)
  return query.size === 0 ? '' : `?${query}`
}

function scenarioInQuery(url: string): string | undefined {
  const query = queryOf(url)
  if (!query.includes(SCENARIO_QUERY)) return undefined
  return new URLSearchParams(query).get(SCENARIO_QUERY) ?? undefined
}

/** The query of a URL, with its `?`; without the fragment. */
function queryOf(url: string): string {
  const start = url.indexOf('?')
  if (start === -1) return ''
  const end = url.indexOf('#', start)
  return end === -1 ? url.slice(start) : url.slice(start, end)
}
