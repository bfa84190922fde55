import type { MockError } from '../contract/mock-errors.js'
import type { Session } from '../sessions/session.js'
import { type Answer, jsonAnswer } from './answer.js'
import { journalPath, SCENARIO_HEADER, scenarioOf } from './select.js'

/** The header that marks what the kit itself answers; its value is a code. */
export const MOCK_ERROR_HEADER = 'x-mock-error'

/** What the kit itself says: marked, so that nobody takes it for the service's answer. */
export function mockErrorAnswer(error: MockError, scenario?: string): Answer {
  return jsonAnswer(error.status, error.toAnswer(), {
    [MOCK_ERROR_HEADER]: error.code,
    ...(scenario === undefined ? {} : { [SCENARIO_HEADER]: scenario }),
  })
}

/** The same, entered in the session's journal. Without an operation the request counts as unmatched. */
export function recordMockError(error: MockError, request: Request, session: Session, operation?: string): Answer {
  const scenario = scenarioOf(request, session)
  const answer = mockErrorAnswer(error, scenario)
  session.journal.record({
    time: session.world().clock.epoch(),
    method: request.method,
    path: journalPath(request.url),
    operation: operation ?? null,
    scenario,
    status: answer.status,
    durationMs: 0,
    requestText: null,
    responseText: answer.body,
    matched: operation !== undefined,
  })
  return answer
}
