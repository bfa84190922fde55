import type { OperationRow } from '../../service/api/operations.js'
import { type Failure, Rejection } from '../../service/contract/errors.js'
import { recordMessages } from '../../service/resources/instance/addons.model.js'
import { toldTables } from '../../service/resources/sdk/told-features.js'
import type { Message, OperationContext } from '../../service/resources/shared/context.js'
import type { Tables } from '../../service/resources/tables.js'
import { percentEncoded } from '../../support/text.js'
import { statesOnTop } from '../scenarios/selection.js'
import type { Cause } from '../sessions/steps.js'
import { type Answer, errorAnswer, hintHeader, ifNoneMatch, mockErrorAnswer, respond, toMockError } from './answer.js'
import type { Accepted, Answered, CallInWorld } from './call.js'
import { check, loginHint } from './checks.js'
import { keyHint } from './key-hint.js'
import { hintOnParams } from './unread.js'

/** Whether an operation handles the request. */
export function isOfOperation(call: CallInWorld): call is CallInWorld<OperationRow> {
  return call.row.run !== undefined
}

/**
 * Runs the checks, the operation and the commit in one synchronous call. Nothing can come between the first read and the
 * commit, so two writes never interleave.
 */
export function operate(call: CallInWorld<OperationRow>): Answered {
  const { data: accepted, failure, caller } = check(call)
  return failure === undefined ? run(call, accepted) : { answer: refusalAnswer(failure, call), caller }
}

function run(call: CallInWorld<OperationRow>, { caller, params, query, body }: Accepted): Answered {
  const { request, headers, row, world } = call
  const { profile, baseUrl, basePath } = call.mock
  const { data, ids, logins } = world
  const { flags } = world.composition
  const states = flags.size === 0 ? call.states : statesOnTop(flags, call.states)
  const now = world.clock.now()
  const isOfSdk = row.access === 'client' || row.access === 'frontend'
  const seen = isOfSdk ? call.mock.coverage.forSession(call.session.name) : undefined
  const sent: Message[] = []
  const cause: Cause = { what: row.id, title: row.summary, params }
  // Nothing can fail after a commit, so the response is created and checked first.
  const answerWith = (tables: Tables) => {
    const told = states.size === 0 ? tables : toldTables(tables, states, { caller, now })
    const shared = { caller, now, ids, logins, baseUrl, basePath, sent, seen }
    const context: OperationContext = { tables, told, ...shared, logged: [] }
    const reply = row.run({ params, query, body, headers, profile, context, tables }) ?? {}
    if (context.logged.length > 0 && tables.addons.size > 0) recordMessages(context)
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
      return { answer: request.method === 'GET' ? ifNoneMatch(request, answer) : answer, caller, cause, sent }
    }
    // HEAD changes nothing: it sends no messages, and signs no user out.
    delete answer.headers['set-cookie']
    return { answer: ifNoneMatch(request, answer), caller }
  } catch (thrown) {
    const isRejected = thrown instanceof Rejection
    if (isRejected && thrown.failure.kind === 'notFound') call.hint ??= hintOnParams(params, data.tables)
    const answer = isRejected
      ? errorAnswer(thrown.failure, 'operation', profile, ids)
      : mockErrorAnswer(toMockError(thrown))
    return { answer, caller }
  } finally {
    logins.discard()
  }
}

/** The response for a request that a check rejects. If a login is invalid, the message and a header say why; a missing token gets a hint. */
export function refusalAnswer(refusal: Failure, call: CallInWorld): Answer {
  const why = loginHint(call, refusal)
  const failure = why === undefined ? refusal : { ...refusal, message: why }
  const answer = errorAnswer(failure, 'check', call.mock.profile, call.world.ids)
  Object.assign(answer.headers, hintHeader(why ?? keyHint(call, answer)))
  return answer
}

/** Characters that Unleash also percent-encodes in a URL. */
const NOT_IN_A_URL = /[^\x21\x23-\x3b\x3d\x3f-\x5f\x61-\x7a\x7c\x7e]+/g
const UNSENDABLE = /[^\t\x20-\x7e\x80-\xff]/

/** The response with a percent-encoded location. Throws for a header that can't be sent. */
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
