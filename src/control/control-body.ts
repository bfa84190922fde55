import { MockError } from '../contract/mock-errors.js'
import { decodeText, parseJson } from '../http/body.js'
import { readBytes } from '../http/receive.js'
import { describeIssue } from '../state/state-fault.js'
import { DEEPEST, isTooDeep } from '../support/nesting.js'
import type { ControlRow } from './row.js'

/** The most bytes that the body of a control call may have. */
const LIMIT = 32 * 1024 * 1024

/** The body of a control call, checked against its row. Throws `BODY_TOO_LARGE` or `INVALID_REQUEST`. */
export async function readControlBody(request: Request, { body: schema, path }: ControlRow): Promise<unknown> {
  if (schema === undefined) return undefined
  const given = await readJson(request)
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  const faults = parsed.error.issues.map((issue) => describeIssue(issue, given))
  const what = faults.map((fault) => `${fault.path}: ${fault.message}`).join('; ')
  throw new MockError(
    'INVALID_REQUEST',
    `The body of ${path} is invalid: ${what}.`,
    'docs/control-api.md lists the calls.',
  )
}

async function readJson(request: Request): Promise<unknown> {
  const bytes = await readBytes(request, LIMIT)
  if (bytes === undefined) {
    throw new MockError(
      'BODY_TOO_LARGE',
      'The body is over 32 MiB.',
      'Split the state and send it in several PATCH calls.',
    )
  }
  const text = decodeText(bytes, 'utf-8', true)
  const read = text.ok ? parseJson(text.value) : text
  if (!read.ok) throw new MockError('INVALID_REQUEST', read.failure, 'Send a JSON object in UTF-8.')
  if (isTooDeep(read.value)) {
    throw new MockError('INVALID_REQUEST', `The body is nested deeper than ${DEEPEST} levels.`, 'Send a flatter one.')
  }
  return read.value
}
