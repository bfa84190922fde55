import type { OperationRow } from '../../service/api/operations.js'
import type { Failure, RefusedBy } from '../../service/contract/errors.js'
import { type Reply, successStatus } from '../../service/contract/operation.js'
import type { Profile } from '../../service/contract/profile.js'
import type { OperationContext } from '../../service/resources/shared/context.js'
import { sha1 } from '../../support/hash.js'
import type { Ids } from '../../support/ids.js'
import { JsonText } from '../../support/json-text.js'
import { withoutTrailing } from '../../support/text.js'
import { type Answer, emptyAnswer, jsonAnswer, textAnswer } from './answer.js'

/** The answer to an operation's reply, as the profile presents it. */
export function respond(reply: Reply, operation: OperationRow, profile: Profile, context: OperationContext): Answer {
  const { status = successStatus(operation, profile), headers, body } = reply
  if (body === undefined) return finish(emptyAnswer(status, headers), profile)
  const { view, text } = operation.success
  if (text !== undefined) return finish(textAnswer(status, text, String(body), headers), profile)
  const presented = view === undefined ? body : view[profile.name].present(body, context)
  return finish(jsonAnswer(status, presented, headers), profile, presented)
}

/** The answer to a failure, as the profile presents it. */
export function errorAnswer(failure: Failure, refusedBy: RefusedBy, profile: Profile, ids: Ids): Answer {
  const row = profile.errors.table[failure.kind]
  const body = profile.errors.body(failure, { row, refusedBy, id: ids.uuid() })
  return finish(body === undefined ? emptyAnswer(row.status) : jsonAnswer(row.status, body), profile)
}

/** The answer with the headers that the profile adds to every answer. */
export function finish(answer: Answer, profile: Profile, presented?: unknown): Answer {
  if (profile.entityTags) addEntityTag(answer, presented)
  return answer
}

/** The tags of texts that are kept: in JavaScript, SHA-1 takes 75 ms for a list of 10,000 features, which is sent in 2. */
const tags = new WeakMap<JsonText, string>()

/** Adds a weak entity tag, computed from the body as the service does. An empty answer gets none. */
function addEntityTag(answer: Answer, presented: unknown): void {
  if (typeof answer.body !== 'string' || answer.headers.etag !== undefined) return
  const kept = presented instanceof JsonText ? presented : undefined
  const tag = (kept && tags.get(kept)) ?? weakTag(new TextEncoder().encode(answer.body))
  if (kept !== undefined) tags.set(kept, tag)
  answer.headers.etag = tag
  answer.headers.vary = 'Accept-Encoding'
  answer.compressible = true
}

/** The number of bytes, and their SHA-1 in Base64 without padding. */
function weakTag(bytes: Uint8Array): string {
  const hash = withoutTrailing(btoa(String.fromCharCode(...sha1(bytes))), '=')
  return `W/"${bytes.length.toString(16)}-${hash}"`
}

/** The answer, or an empty 304 if the request's `If-None-Match` names its entity tag. */
export function ifNoneMatch(request: Pick<Request, 'headers'>, answer: Answer): Answer {
  const { etag } = answer.headers
  const known = request.headers.get('if-none-match')
  if (etag === undefined || known === null || answer.status !== 200) return answer
  return namesTag(known, etag) ? { status: 304, headers: { etag }, body: null } : answer
}

/** Weak comparison, as the standard requires for a GET. */
function namesTag(known: string, etag: string): boolean {
  const strong = (tag: string) => tag.trim().replace(/^W\//, '')
  return known.trim() === '*' || known.split(',').some((tag) => strong(tag) === strong(etag))
}
