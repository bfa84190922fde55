import { orRejection, Rejection } from '../contract/errors.js'
import { MockError } from '../contract/mock-errors.js'
import { decodeText, parseText, readBytes } from '../http/body.js'
import { describeIssue } from '../state/state-fault.js'
import { DEEPEST, excess, WIDEST } from '../support/json.js'
import { listFaults, parseLarge } from '../support/parse.js'
import type { ControlRow } from './row.js'

const MEBIBYTE = 1024 * 1024

/** The most bytes that the body of a control call may have. Only a state is large. */
function limitOf(path: string): number {
  return (path === '/state' ? 32 : 1) * MEBIBYTE
}

/** The body of a control call, checked against its row. Throws `BODY_TOO_LARGE` or `INVALID_REQUEST`. */
export async function readControlBody(request: Request, { body: schema, path }: ControlRow): Promise<unknown> {
  if (schema === undefined) return undefined
  const given = await readJson(request, limitOf(path))
  const parsed = parseLarge(schema, given)
  if (parsed.success) return parsed.data
  const faults = parsed.issues.map((issue) => describeIssue(issue, given))
  throw new MockError(
    'INVALID_REQUEST',
    `The body of ${path} is invalid: ${listFaults(faults, parsed.complete)}.`,
    'docs/control-api.md lists the calls.',
  )
}

async function readJson(request: Request, limit: number): Promise<unknown> {
  const bytes = await readBytes(request, limit)
  if (bytes === undefined) {
    throw new MockError(
      'BODY_TOO_LARGE',
      `The body is over ${limit / MEBIBYTE} MiB.`,
      'Split the state and send it in several PATCH calls.',
    )
  }
  const body = orRejection(() => parseText(decodeText(bytes, 'utf-8', true), 'json'))
  if (body instanceof Rejection) {
    throw new MockError('INVALID_REQUEST', body.failure.message, 'Send a JSON object in UTF-8.')
  }
  const found = excess(body)
  if (found === 'levels') {
    throw new MockError('INVALID_REQUEST', `The body is nested deeper than ${DEEPEST} levels.`, 'Send a flatter one.')
  }
  if (found === 'properties') {
    throw new MockError(
      'INVALID_REQUEST',
      `An object of the body has more than ${WIDEST} properties.`,
      'Send a list in its place, or several calls.',
    )
  }
  return body
}
