import { MockError } from '../../service/contract/mock-errors.js'
import { cookie } from '../../support/cookie.js'
import { none } from '../../support/freeze.js'
import { percentDecodedOrRaw } from '../../support/text.js'
import { scenarioNames } from '../scenarios/catalogue.js'
import type { Session } from '../sessions/session.js'
import type { Sessions } from '../sessions/sessions.js'
import type { World } from '../sessions/world.js'
import type { Trust } from './call.js'
import { rawQuery } from './routes.js'
import { mayOpen, notAllowed } from './trust.js'

export const SCENARIO_HEADER = 'x-mock-scenario'
export const SCENARIO_COOKIE = 'mock-scenario'
export const SCENARIO_QUERY = 'scenario'
export const SESSION_HEADER = 'x-mock-session'
export const SESSION_COOKIE = 'mock-session'

/** The name of a session that headers hold, or an empty one. */
export function sessionInHeaders(headers: Headers): string {
  return named(headers, SESSION_HEADER, SESSION_COOKIE)
}

/**
 * A name from a header, else from a cookie, else an empty one. A header holds few characters, so a name is percent-encoded
 * there, as in a cookie. What isn't well-formed stands as it is: `100%`.
 */
function named(headers: Headers, header: string, cookieName: string): string {
  const text = headers.get(header)
  return text === null ? (cookie(headers, cookieName) ?? '') : percentDecodedOrRaw(text)
}

/**
 * The session that a request names, by header or cookie, else the given one. Throws `ORIGIN_NOT_ALLOWED` if it isn't open
 * and the sender may not open it.
 */
export function selectSession(request: Request, sessions: Sessions, otherwise: Session, trust: Trust): Session {
  const name = sessionInHeaders(request.headers)
  if (name === '') return otherwise
  if (!mayOpen(trust) && !sessions.all().some((session) => session.name === name)) {
    throw notAllowed(`open the session "${name}"`)
  }
  return sessions.open(name)
}

/**
 * The world that a request belongs to: that of the scenarios in its query, else in its header, else in its cookie, else
 * of those that the session is switched to. Throws `UNKNOWN_SCENARIO` or `TOO_MANY_SCENARIOS`: it never falls back silently.
 * Throws `ORIGIN_NOT_ALLOWED` if the world isn't open and the sender may not open it.
 */
export function selectWorld(request: Request, session: Session, trust: Trust): World {
  const inQuery = scenarioInQuery(request.url)
  const text = inQuery ?? named(request.headers, SCENARIO_HEADER, SCENARIO_COOKIE)
  const names = text === '' ? none : scenarioNames(text)
  if (names.length === 0) return session.world()
  if (!mayOpen(trust) && !isOpen(session, names.join(','))) {
    throw notAllowed(`start the scenario "${names.join(',')}"`)
  }
  return session.world(names)
}

function isOpen({ worlds, switchedTo }: Session, name: string): boolean {
  return worlds.includes(name) || name === switchedTo.join(',')
}

/** What is selected, or the error that is to be answered. */
export function orMockError<Value>(select: () => Value): Value | MockError {
  try {
    return select()
  } catch (error) {
    if (error instanceof MockError) return error
    throw error
  }
}

/** The scenario that an answer names: that of its world or, where the request named an unknown one, the session's. */
export function scenarioName(world: World | MockError, session: Session): string {
  return world instanceof MockError ? session.switchedTo.join(',') : world.name
}

/** The query of a URL as the operation sees it: without the parameter that only flagdouble reads. */
export function operationQuery(url: string): string {
  const sent = rawQuery(url)
  if (!sent.includes(SCENARIO_QUERY)) return sent
  const query = new URLSearchParams(sent)
  query.delete(SCENARIO_QUERY)
  return query.size === 0 ? '' : `?${query}`
}

function scenarioInQuery(url: string): string | undefined {
  const query = rawQuery(url)
  if (!query.includes(SCENARIO_QUERY)) return undefined
  return new URLSearchParams(query).get(SCENARIO_QUERY) ?? undefined
}
