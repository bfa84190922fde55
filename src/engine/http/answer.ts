import { MockError } from '../../service/contract/mock-errors.js'
import { reasonOf } from '../../support/errors.js'
import { none } from '../../support/freeze.js'
import { toJson } from '../../support/json-text.js'
import type { ConnectionFault } from '../scenarios/faults.js'

/** What goes back to the client, before an adapter turns it into bytes. */
export interface Answer {
  status: number
  headers: Record<string, string>
  /** The text of the body, or a stream that never ends by itself, or null for no body. */
  body: string | ReadableStream<Uint8Array> | null
  /** `Set-Cookie` headers, of which there may be several. */
  cookies?: readonly string[]
  /** What is to go wrong on the way. */
  fault?: ConnectionFault | undefined
  /** Whether an adapter may compress the body for clients that accept it. */
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

/** Whether the web standard allows a status no body. */
export function isBodiless(status: number): boolean {
  return BODILESS.has(status)
}

export function toResponse({ status, headers, cookies = none, body }: Answer): Response {
  const response = new Response(isBodiless(status) ? null : body, { status, headers })
  for (const cookie of cookies) response.headers.append('set-cookie', cookie)
  return response
}

/** The header that marks flagdouble's own answers. Its value is the error code. */
export const MOCK_ERROR_HEADER = 'x-mock-error'

/** The header with advice on an answer that is not flagdouble's own error. */
export const HINT_HEADER = 'x-mock-hint'

/** A header with advice. Headers carry Latin characters only, and names may be in any script. */
export function hintHeader(text: string | undefined): Record<string, string> {
  return text === undefined ? {} : { [HINT_HEADER]: text.replaceAll(/[^ -~]/g, '?') }
}

/** flagdouble's own error, marked so that nobody takes it for the service's answer. */
export function mockErrorAnswer(error: MockError): Answer {
  return jsonAnswer(error.status, error.toAnswer(), { [MOCK_ERROR_HEADER]: error.code })
}

/** The error that is answered when something throws. What is a bug is printed with its stack: an answer shows none. */
export function toMockError(error: unknown): MockError {
  if (error instanceof MockError) return error
  // biome-ignore lint/suspicious/noConsole: nobody else learns of it
  console.error('[flagdouble] This is a bug in flagdouble. Please report it.', error)
  const reason = reasonOf(error)
  const hint = 'This is a bug in flagdouble. Please report it.'
  return new MockError('INTERNAL', `flagdouble failed: ${reason}`, hint, [], { cause: error })
}
