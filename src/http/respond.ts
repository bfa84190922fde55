import type { OperationRow } from '../api/operations.js'
import type { Failure, RefusedBy } from '../contract/errors.js'
import { type Reply, successStatus } from '../contract/operation.js'
import type { Profile } from '../contract/profile.js'
import type { Ids } from '../support/ids.js'
import type { Result } from '../support/result.js'
import { type Answer, emptyAnswer, jsonAnswer } from './answer.js'
import { withEntityTag } from './entity-tag.js'

/** What an operation came to, as the profile words it on the wire. */
export function respond(result: Result<Reply, Failure>, operation: OperationRow, profile: Profile, ids: Ids): Answer {
  if (!result.ok) return errorAnswer(result.failure, 'operation', profile, ids)
  const { status = successStatus(operation, profile), headers, body } = result.value
  return finish(body === undefined ? emptyAnswer(status, headers) : jsonAnswer(status, body, headers), profile)
}

/** A refusal, as the profile words it on the wire. */
export function errorAnswer(failure: Failure, refusedBy: RefusedBy, profile: Profile, ids: Ids): Answer {
  const row = profile.errors.table[failure.kind]
  const body = profile.errors.body(failure, { row, refusedBy, id: ids.uuid() })
  return finish(body === undefined ? emptyAnswer(row.status) : jsonAnswer(row.status, body), profile)
}

/** An answer with the headers that the profile gives to every one. */
export function finish(answer: Answer, profile: Profile): Answer {
  return profile.entityTags ? withEntityTag(answer) : answer
}
