import type { Failure } from '../contract/errors.js'
import { type Reply, successStatus } from '../contract/operation.js'
import type { OperationRow } from '../contract/operations.js'
import type { Profile } from '../contract/profile.js'
import type { Ids } from '../support/ids.js'
import type { Result } from '../support/result.js'
import { type Answer, emptyAnswer, jsonAnswer } from './answer.js'

/** What an operation came to, as the profile words it on the wire. */
export function respond(result: Result<Reply, Failure>, operation: OperationRow, profile: Profile, ids: Ids): Answer {
  if (!result.ok) return errorAnswer(result.failure, profile, ids)
  const { status = successStatus(operation, profile), headers, body } = result.value
  return body === undefined ? emptyAnswer(status, headers) : jsonAnswer(status, body, headers)
}

export function errorAnswer(failure: Failure, profile: Profile, ids: Ids): Answer {
  const { status, name } = profile.errors.table[failure.kind]
  return jsonAnswer(status, profile.errors.body(failure, name, ids.uuid()))
}
