import { MockError } from '../../contract/mock-errors.js'
import { toResponse } from '../../http/answer.js'
import { type Caller, mayOpen, notAllowed } from '../../http/caller.js'
import { mockErrorAnswer } from '../../http/mock-answer.js'
import { SCENARIO_COOKIE, selectSession } from '../../http/select.js'
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
  { basePath, caller }: { basePath: string; caller: Caller },
): Record<string, string> | Response {
  const path = basePath || '/'
  if (scenario === '') return { 'set-cookie': pageCookie(SCENARIO_COOKIE, '', { path, maxAge: 0 }) }
  try {
    if (!mayOpen(caller)) throw notAllowed(`enter the scenario "${scenario}"`)
    const session = selectSession(request, mock[CORE].sessions, sessionOf(mock), caller)
    session.world(scenarioNames(scenario))
  } catch (error) {
    if (error instanceof MockError) return toResponse(mockErrorAnswer(error))
    throw error
  }
  return { 'set-cookie': pageCookie(SCENARIO_COOKIE, scenario, { path }) }
}
