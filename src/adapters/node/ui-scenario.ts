import { MockError } from '../../contract/mock-errors.js'
import { mockErrorAnswer, toResponse } from '../../http/answer.js'
import type { Trust } from '../../http/call.js'
import { SCENARIO_COOKIE, selectSession } from '../../http/select.js'
import { mayOpen, notAllowed } from '../../http/trust.js'
import type { Mock } from '../../mock/mock.js'
import { CORE, sessionOf } from '../../mock/session.js'
import { scenarioNames } from '../../scenarios/catalogue.js'
import { pageCookie } from '../../support/cookie.js'

/**
 * Moves a browser to the scenario that its page's URL names: a cookie leads its requests there. An empty name leads back.
 * Returns the headers of the page, or a rejection.
 */
export function enterScenario(
  mock: Mock,
  request: Request,
  scenario: string,
  { basePath, trust }: { basePath: string; trust: Trust },
): Record<string, string> | Response {
  const path = basePath || '/'
  if (scenario === '') return { 'set-cookie': pageCookie(SCENARIO_COOKIE, '', { path, maxAge: 0 }) }
  try {
    if (!mayOpen(trust)) throw notAllowed(`enter the scenario "${scenario}"`)
    const session = selectSession(request, mock[CORE].sessions, sessionOf(mock), trust)
    session.world(scenarioNames(scenario))
  } catch (error) {
    if (error instanceof MockError) return toResponse(mockErrorAnswer(error))
    throw error
  }
  return { 'set-cookie': pageCookie(SCENARIO_COOKIE, scenario, { path }) }
}
