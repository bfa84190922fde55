import { MockError } from '../../contract/mock-errors.js'
import { toResponse } from '../../http/answer.js'
import { type Caller, mayOpen, notAllowed } from '../../http/caller.js'
import { mockErrorAnswer } from '../../http/mock-answer.js'
import { SCENARIO_COOKIE, selectSession } from '../../http/select.js'
import type { Mock } from '../../mock/mock.js'
import { CORE, sessionOf } from '../../mock/session.js'
import { LOGIN_COOKIE } from '../../resources/people/login.js'
import { scenarioNames } from '../../scenarios/catalogue.js'
import type { Session } from '../../sessions/session.js'
import { cookie, pageCookie } from '../../support/cookie.js'

/**
 * Moves a browser to the scenario that its page's URL names: a cookie leads its requests there, and its user stays
 * signed in. An empty name leads back. Returns the headers of the page, or a rejection.
 */
export async function enterScenario(
  mock: Mock,
  request: Request,
  scenario: string,
  { basePath, caller }: { basePath: string; caller: Caller },
): Promise<Record<string, string> | Response> {
  const path = basePath || '/'
  if (scenario === '') return { 'set-cookie': pageCookie(SCENARIO_COOKIE, '', { path, maxAge: 0 }) }
  try {
    if (!mayOpen(caller)) throw notAllowed(`enter the scenario "${scenario}"`)
    const session = selectSession(request, mock[CORE].sessions, sessionOf(mock), caller)
    await keepLogin(session, request.headers, scenarioNames(scenario))
  } catch (error) {
    if (error instanceof MockError) return toResponse(mockErrorAnswer(error))
    throw error
  }
  return { 'set-cookie': pageCookie(SCENARIO_COOKIE, scenario, { path }) }
}

/** Copies the login of a browser from the world that it leaves to the one that it enters. */
async function keepLogin(session: Session, headers: Headers, names: readonly string[]): Promise<void> {
  const entered = session.world(names)
  await entered.loading
  const left = scenarioNames(cookie(headers, SCENARIO_COOKIE) ?? '')
  const login = session
    .world(left.length === 0 ? undefined : left)
    .data.tables.logins.get(cookie(headers, LOGIN_COOKIE) ?? '')
  // A scenario without this user has its own sign-in.
  if (login === undefined || !entered.data.tables.users.has(login.userId)) return
  entered.load({ logins: [login] }, { source: 'The login', replacesAll: false })
}
