import type { OperationRow } from '../api/operations.js'
import type { Failure, RefusedBy } from '../contract/errors.js'
import { type Reply, successStatus } from '../contract/operation.js'
import type { Profile } from '../contract/profile.js'
import type { OperationContext } from '../resources/shared/context.js'
import type { Ids } from '../support/ids.js'
import { type Answer, emptyAnswer, jsonAnswer, textAnswer } from './answer.js'
import { addEntityTag } from './entity-tag.js'

/** The answer to an operation's reply, as the profile presents it. */
export function respond(reply: Reply, operation: OperationRow, profile: Profile, context: OperationContext): Answer {
  const { status = successStatus(operation, profile), headers, body } = reply
  if (body === undefined) return finish(emptyAnswer(status, headers), profile)
  const { view, text } = operation.success
  if (text !== undefined) return finish(textAnswer(status, text, String(body), headers), profile)
  const presented = view === undefined ? body : view[profile.name].present(body, context)
  return finish(jsonAnswer(status, presented, headers), profile)
}

/** The answer to a failure, as the profile presents it. */
export function errorAnswer(failure: Failure, refusedBy: RefusedBy, profile: Profile, ids: Ids): Answer {
  const row = profile.errors.table[failure.kind]
  const body = profile.errors.body(failure, { row, refusedBy, id: ids.uuid() })
  return finish(body === undefined ? emptyAnswer(row.status) : jsonAnswer(row.status, body), profile)
}

/** The answer with the headers that the profile adds to every answer. */
export function finish(answer: Answer, profile: Profile): Answer {
  if (profile.entityTags) addEntityTag(answer)
  return answer
}
