import type { OperationRow } from '../../service/api/operations.js'
import { type Failure, Rejection } from '../../service/contract/errors.js'
import type { Message } from '../../service/resources/shared/context.js'
import type { Tables } from '../../service/resources/tables.js'
import { counted, percentEncoded } from '../../support/text.js'
import type { Cause } from '../sessions/steps.js'
import { type Answer, errorAnswer, hintHeader, ifNoneMatch, mockErrorAnswer, respond, toMockError } from './answer.js'
import type { Accepted, Answered, Asked } from './call.js'
import { check, loginHint } from './checks.js'

/** Whether an operation answers. */
export function isOfOperation(asked: Asked): asked is Asked<OperationRow> {
  return asked.row.run !== undefined
}

/**
 * From a request to the answer of its operation in one synchronous call: checks, operation, commit. Nothing can come between
 * the first read and the commit, so two writes never interleave.
 */
export function operate(asked: Asked<OperationRow>): Answered {
  const { data: accepted, failure, caller } = check(asked)
  return failure === undefined ? run(asked, accepted) : { answer: refusalAnswer(failure, asked), caller }
}

function run(asked: Asked<OperationRow>, { caller, params, query, body }: Accepted): Answered {
  const { request, headers, row, world, profile, baseUrl, basePath } = asked
  const { data, ids, logins } = world
  const now = world.clock.now()
  const sent: Message[] = []
  const cause: Cause = { what: row.id, title: row.summary, params }
  // After a commit nothing may fail, so the answer is made and checked before.
  const answerWith = (tables: Tables) => {
    const context = { tables, caller, now, ids, logins, baseUrl, basePath, sent }
    const reply = row.run({ params, query, body, headers, profile, context, tables }) ?? {}
    return sendable(respond(reply, row, profile, context))
  }
  const isHead = request.method === 'HEAD'
  const isRead = row.method === 'GET' && row.writes === undefined
  try {
    const write = () => data.transact(answerWith, !isHead)
    const writeStep = () => (row.isStep === false ? write() : world.change(cause, write))
    const answer = isRead ? answerWith(data.tables) : writeStep()
    if (!isHead) {
      logins.commit(world.name)
      if (cause.ended !== undefined) Object.assign(answer.headers, hintHeader(redoEnded(cause.ended)))
      return { answer: request.method === 'GET' ? ifNoneMatch(request, answer) : answer, caller, cause, sent }
    }
    // HEAD changes nothing: it sends no messages, and signs nobody out.
    delete answer.headers['set-cookie']
    return { answer: ifNoneMatch(request, answer), caller }
  } catch (thrown) {
    const isRejected = thrown instanceof Rejection
    const answer = isRejected
      ? errorAnswer(thrown.failure, 'operation', profile, ids)
      : mockErrorAnswer(toMockError(thrown))
    return { answer, caller }
  } finally {
    logins.discard()
  }
}

/** What is said once about undone steps that a change took the place of. */
function redoEnded(ended: number): string {
  return `${counted(ended, 'undone change')} can no longer be redone.`
}

/** The answer where a check rejects a request. Where a login doesn't count, its message says why, and so does a header. */
export function refusalAnswer(refusal: Failure, asked: Asked): Answer {
  const why = loginHint(asked, refusal)
  const failure = why === undefined ? refusal : { ...refusal, message: why }
  const answer = errorAnswer(failure, 'check', asked.profile, asked.world.ids)
  Object.assign(answer.headers, hintHeader(why))
  return answer
}

/** What the service percent-encodes in an address, too. */
const NOT_IN_A_URL = /[^\x21\x23-\x3b\x3d\x3f-\x5f\x61-\x7a\x7c\x7e]+/g
const UNSENDABLE = /[^\t\x20-\x7e\x80-\xff]/

/** The answer with headers that can be sent: its location is percent-encoded. Throws for a header that can't be. */
function sendable(answer: Answer): Answer {
  const { headers } = answer
  if (headers.location !== undefined) {
    headers.location = headers.location.replace(NOT_IN_A_URL, percentEncoded)
  }
  for (const name in headers) {
    const value = headers[name] ?? ''
    if (UNSENDABLE.test(value))
      throw new Error(`the header ${name} of the response can't be sent: ${JSON.stringify(value)}`)
  }
  return answer
}
