import type * as z from 'zod'
import { orRejection, Rejection } from '../contract/errors.js'
import { MockError } from '../contract/mock-errors.js'
import type { Method } from '../contract/operation.js'
import type { Profile } from '../contract/profile.js'
import type { Answer } from '../http/answer.js'
import { decodeText, parseText, readBytes, valuesByName } from '../http/body.js'
import type { Call } from '../http/call.js'
import { CONTROL_PATH } from '../http/routes.js'
import { SCENARIO_QUERY } from '../http/select.js'
import type { Session } from '../sessions/session.js'
import type { Sessions } from '../sessions/sessions.js'
import type { World } from '../sessions/world.js'
import { expectGiven } from '../state/state-fault.js'
import { DEEPEST, excess, show, WIDEST } from '../support/json.js'
import { didYouMean } from '../support/nearest.js'
import { sentence } from '../support/text.js'
import type { Control } from './control.js'

/** A route of flagdouble's own: the control API, the panel, the OpenAPI document. */
export interface ControlRoute {
  method: string
  path: string
  answer(call: ControlCall): Answer | Promise<Answer>
  /** What HEAD gets where `answer` would stream or change something. Default: the head of the answer. */
  head?(call: ControlCall): Answer | Promise<Answer>
}

/** What a route is given. */
export interface ControlCall extends Readonly<Pick<Call, 'request' | 'session' | 'trust' | 'options'>> {
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  /** The world that the request names now: the call may have switched the session. Throws `UNKNOWN_SCENARIO`. */
  world(): World
}

interface ControlInput<Body> {
  control: Control
  session: Session
  /** All sessions of the instance. */
  sessions: Sessions
  profile: Profile
  /** The start of every link. */
  baseUrl: string
  body: Body
  query: URLSearchParams
  params: Readonly<Record<string, string>>
}

/** The outcome of a control call: a JSON body, or nothing. */
interface ControlReply {
  status: 200 | 201 | 204
  body?: unknown
  headers?: Readonly<Record<string, string>>
  /** A body that is no JSON. */
  text?: string
}

export interface ControlRow<Body = unknown> {
  method: Method
  path: string
  /** One line for the docs. */
  summary: string
  /** The parameters of the query, besides the scenario that every call may name. */
  query?: readonly string[]
  /** Parameters of the query that may be given more than once. */
  repeatable?: readonly string[]
  /** The shape of the JSON body. Without it, no body is read. */
  body?: z.ZodType<Body>
  run(input: ControlInput<Body>): ControlReply | Promise<ControlReply>
}

/** A row of the table, typed by its own schema. */
export function row<Body>(
  method: Method,
  path: string,
  definition: Omit<ControlRow<Body>, 'method' | 'path'>,
): ControlRow {
  return { method, path, ...definition }
}

/** A row that shows something, and changes nothing. */
export function reads(path: string, summary: string, read: (input: ControlInput<unknown>) => unknown): ControlRow {
  return row('GET', path, { summary, run: async (input) => shown(await read(input)) })
}

/** A row that takes no body and answers with none. */
export function acts(
  method: 'POST' | 'DELETE',
  path: string,
  summary: string,
  act: (input: ControlInput<unknown>) => void,
): ControlRow {
  const run = (input: ControlInput<unknown>) => {
    act(input)
    return done
  }
  return row(method, path, { summary, run })
}

/** Success without a body. */
export const done: ControlReply = { status: 204 }

/** Success with a body. */
export function shown(body: unknown): ControlReply {
  return { status: 200, body }
}

/** Throws `INVALID_REQUEST` for a query that a row would take for another one than was meant. */
export function checkQuery({ method, path, query = [], repeatable = [] }: ControlRow, sent: URLSearchParams): void {
  const call = `${method} ${CONTROL_PATH}${path}`
  const known = [...repeatable, ...query, SCENARIO_QUERY]
  for (const [name, values] of valuesByName(sent)) {
    if (!known.includes(name)) {
      const problem = `${call} has no parameter ${show(name)}.${didYouMean(name, known)}`
      throw new MockError('INVALID_REQUEST', problem, `It takes ${known.join(', ')}.`)
    }
    if (values.length > 1 && !repeatable.includes(name)) {
      const problem = `${call} takes the parameter "${name}" once.`
      throw new MockError('INVALID_REQUEST', problem, 'Send a request for each value.')
    }
  }
}

const MEBIBYTE = 1024 * 1024

/** The most bytes that the body of a control call may have. Only a state is large. */
function limitOf(path: string): number {
  return (path === '/state' ? 32 : 1) * MEBIBYTE
}

/** The body of a control call, checked against its row. Throws `BODY_TOO_LARGE` or `INVALID_REQUEST`. */
export async function readControlBody(request: Request, { body: schema, path }: ControlRow): Promise<unknown> {
  if (schema === undefined) return undefined
  const wrong = (list: string) =>
    new MockError(
      'INVALID_REQUEST',
      sentence(`The body of ${path} is invalid: ${list}`),
      'docs/control-api.md lists the calls.',
    )
  return expectGiven(schema, await readJson(request, limitOf(path)), wrong)
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
