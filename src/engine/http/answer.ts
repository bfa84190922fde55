import type { OperationRow } from '../../service/api/operations.js'
import type { Failure, RefusedBy } from '../../service/contract/errors.js'
import { type Reply, successStatus } from '../../service/contract/operation.js'
import type { Profile } from '../../service/contract/profile.js'
import type { OperationContext } from '../../service/resources/shared/context.js'
import { PROMETHEUS } from '../../service/resources/shared/rows.js'
import { untilAborted } from '../../support/clock.js'
import { isTextTooLong, reasonOf } from '../../support/errors.js'
import { none } from '../../support/freeze.js'
import { sha1 } from '../../support/hash.js'
import type { Ids } from '../../support/ids.js'
import { JsonText, toJson } from '../../support/json.js'
import { headerText, withoutTrailing } from '../../support/text.js'
import { MockError } from '../errors/mock-errors.js'
import type { ConnectionFault } from '../scenarios/faults.js'

/** The response to the client, before an adapter turns it into bytes. */
export interface Answer {
  status: number
  headers: Record<string, string>
  /** The text of the body, or a stream that never ends by itself, or null for no body. */
  body: string | ReadableStream<Uint8Array> | null
  /** `Set-Cookie` headers, of which a response can have several. */
  cookies?: readonly string[]
  /** The connection fault to simulate. */
  fault?: ConnectionFault | undefined
  /** Whether an adapter can compress the body for clients that accept it. */
  compressible?: boolean
}

export const JSON_TYPE = 'application/json; charset=utf-8'

export function jsonAnswer(status: number, body: unknown, headers?: Answer['headers']): Answer {
  return { status, headers: { 'content-type': JSON_TYPE, ...headers }, body: toJson(body) ?? null }
}

export function textAnswer(status: number, type: string, body: string, headers?: Answer['headers']): Answer {
  return { status, headers: { 'content-type': `${type}; charset=utf-8`, ...headers }, body }
}

export function emptyAnswer(status: number, headers?: Answer['headers']): Answer {
  return { status, headers: { ...headers }, body: null }
}

const BODILESS = new Set([204, 205, 304])

/** Whether the web standard forbids a body for a status. */
export function isBodiless(status: number): boolean {
  return BODILESS.has(status)
}

export function toResponse({ status, headers, cookies = none, body }: Answer): Response {
  const response = new Response(isBodiless(status) ? null : body, { status, headers })
  for (const cookie of cookies) response.headers.append('set-cookie', cookie)
  return response
}

/** The header that marks flagdouble's own errors. Its value is the error code. */
export const MOCK_ERROR_HEADER = 'x-mock-error'

/** The header with the hint on a response that isn't flagdouble's own error. */
export const HINT_HEADER = 'x-mock-hint'

/** A header with a hint, percent-encoded: names can be in any script, but headers carry only Latin characters. */
export function hintHeader(text: string | undefined): Record<string, string> {
  return text === undefined ? {} : { [HINT_HEADER]: headerText(text) }
}

/** flagdouble's own error, marked so that nobody mistakes it for Unleash's response. */
export function mockErrorAnswer(error: MockError): Answer {
  return jsonAnswer(error.status, error.toAnswer(), { [MOCK_ERROR_HEADER]: error.code })
}

/** The error to send when something throws. It prints a bug with its stack, which the response doesn't show. */
export function toMockError(error: unknown): MockError {
  if (error instanceof MockError) return error
  if (isTextTooLong(error)) {
    return new MockError(
      'TOO_MUCH_DATA',
      'The response would be longer than a string can be.',
      'Reset the mock (POST /__mock/reset), or ask for less data.',
      [],
      { cause: error },
    )
  }
  // biome-ignore lint/suspicious/noConsole: nobody else learns of it
  console.error('[flagdouble] This is a bug in flagdouble. Please report it.', error)
  const reason = reasonOf(error)
  const hint = 'This is a bug in flagdouble. Please report it.'
  return new MockError('INTERNAL', `flagdouble failed: ${reason}`, hint, [], { cause: error })
}

/** The profile's response to an operation's reply. */
export function respond(reply: Reply, operation: OperationRow, profile: Profile, context: OperationContext): Answer {
  const { status = successStatus(operation, profile), headers, body } = reply
  if (body === undefined) return tagged(emptyAnswer(status, headers), profile)
  const { view, text } = operation.success
  if (text !== undefined) {
    const answer = textAnswer(status, text, String(body), headers)
    // Unleash writes them past the step that adds entity tags.
    return text === PROMETHEUS ? answer : tagged(answer, profile)
  }
  const presented = view === undefined ? body : view[profile.name].present(body, context)
  return tagged(jsonAnswer(status, presented, headers), profile, presented)
}

/** The profile's response to a failure. */
export function errorAnswer(failure: Failure, refusedBy: RefusedBy, profile: Profile, ids: Ids): Answer {
  const row = profile.errors.table[failure.kind]
  const body = profile.errors.body(failure, { row, refusedBy, id: ids.uuid() })
  return tagged(body === undefined ? emptyAnswer(row.status) : jsonAnswer(row.status, body), profile)
}

/** A response with a weak entity tag, if the profile has any, computed from the body as Unleash does. A redirect and an empty response get none. */
export function tagged(answer: Answer, profile: Profile, presented?: unknown): Answer {
  if (!profile.entityTags || typeof answer.body !== 'string' || answer.status === 302) return answer
  answer.headers.vary = 'Accept-Encoding'
  answer.compressible = true
  if (answer.headers.etag !== undefined) return answer
  // In JavaScript, SHA-1 takes 75 ms for a list of 10,000 features, and sending it 2 ms.
  const kept = presented instanceof JsonText ? presented : undefined
  const tag = kept?.entityTag ?? weakTag(new TextEncoder().encode(answer.body))
  if (kept !== undefined) kept.entityTag = tag
  answer.headers.etag = tag
  return answer
}

/** The number of bytes, and their SHA-1 in Base64 without padding. */
function weakTag(bytes: Uint8Array): string {
  const hash = withoutTrailing(btoa(String.fromCharCode(...sha1(bytes))), '=')
  return `W/"${bytes.length.toString(16)}-${hash}"`
}

/**
 * The response, or an empty 304 if the request's `If-None-Match` contains its entity tag. With `Cache-Control: no-cache`,
 * only the operation's own tag counts.
 */
export function ifNoneMatch(request: Pick<Request, 'headers'>, answer: Answer): Answer {
  const { etag } = answer.headers
  const known = request.headers.get('if-none-match')
  if (etag === undefined || known === null || answer.status !== 200) return answer
  if (etag.startsWith('W/') && /\bno-cache\b/.test(request.headers.get('cache-control') ?? '')) return answer
  return namesTag(known, etag) ? { status: 304, headers: { etag }, body: null } : answer
}

/** Weak comparison, as the standard requires for a GET. */
function namesTag(known: string, etag: string): boolean {
  const strong = (tag: string) => tag.trim().replace(/^W\//, '')
  return known.trim() === '*' || known.split(',').some((tag) => strong(tag) === strong(etag))
}

/** No response: the connection broke, or the client gave up. `fetch` rejects with the reason. */
export class BrokenConnection {
  readonly reason: unknown
  constructor(reason: unknown) {
    this.reason = reason
  }
}

/**
 * Turns a response, with its connection fault, into a web-standard `Response`. Throws or rejects with a
 * `BrokenConnection` if no response arrives.
 */
export function toWebResponse(answer: Answer, request: Request): Response | Promise<Response> {
  switch (answer.fault) {
    case undefined:
      return toResponse(answer)
    case 'malformed':
      return toResponse({ ...answer, body: malformed(answer.body) })
    case 'hang':
      return untilAborted(request).catch((reason: unknown) => {
        throw new BrokenConnection(reason)
      })
    case 'truncate':
      // A response without a body has no half.
      if (isBodiless(answer.status)) throw new BrokenConnection(connectionReset())
      return truncated(answer)
    case 'reset':
      throw new BrokenConnection(connectionReset())
  }
}

/** Malformed JSON, cut off in the middle. */
export function malformed(body: Answer['body']): string {
  const text = typeof body === 'string' && body.length >= 4 ? body : '{"name":"checkout-redesign","envir'
  return text.slice(0, Math.ceil(text.length / 2))
}

/** The first half of a body, with the length of the whole. */
export function firstHalf(body: Answer['body']): { promised: number; bytes: Uint8Array } {
  const bytes = new TextEncoder().encode(typeof body === 'string' && body !== '' ? body : '{"name":')
  return { promised: bytes.length, bytes: bytes.slice(0, Math.max(1, Math.floor(bytes.length / 2))) }
}

function truncated(answer: Answer): Response {
  const { bytes } = firstHalf(answer.body)
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes)
    },
    pull(controller) {
      controller.error(connectionReset())
    },
  })
  return toResponse({ ...answer, body: stream })
}

/** The error of Node's `fetch` when the other side breaks the connection. */
function connectionReset(): TypeError {
  const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
  return new TypeError('fetch failed', { cause })
}
