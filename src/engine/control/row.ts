import * as z from 'zod'
import type { Method } from '../../service/contract/operation.js'
import type { FlagStates } from '../../service/resources/sdk/told-features.js'
import { isObject, pathWhere, show, WIDEST } from '../../support/json.js'
import { didYouMean } from '../../support/nearest.js'
import { sentence } from '../../support/text.js'
import { MockError } from '../errors/mock-errors.js'
import { type Answer, BrokenConnection, emptyAnswer, jsonAnswer } from '../http/answer.js'
import { decodeText, parseText, readBytes, valuesByName } from '../http/body.js'
import type { Call } from '../http/call.js'
import { SCENARIO_QUERY } from '../http/resolve.js'
import { CONTROL_PATH } from '../http/routes.js'
import type { World } from '../sessions/world.js'
import { expectGiven, repeatedKeys } from '../state/state-fault.js'

/** A route of flagdouble itself: the control API, the panel, the OpenAPI document. */
export interface ControlRoute {
  method: string
  path: string
  /** HEAD sends only the head of the response. It changes nothing, and starts no stream. */
  answer(call: ControlCall): Answer | Promise<Answer>
}

/** The input of a route. */
export interface ControlCall extends Readonly<Pick<Call, 'request' | 'session' | 'isTrusted' | 'mock' | 'jar'>> {
  /** Percent-decoded. */
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  /** The world that the request names after the call, which can have switched the session. Throws `UNKNOWN_SCENARIO`. */
  world(): World
  /** The states of flags that SDKs are told there, without those of its scenarios. */
  states(): FlagStates
}

/** A documented route. */
export interface ControlRow extends ControlRoute {
  /** One line for the docs. */
  summary: string
  /** The shape of the JSON body. Undefined if the route reads no body. */
  body: z.ZodType | undefined
}

interface Definition<Body> {
  summary: string
  /** The query parameters, besides the scenario that every call can name. */
  query?: readonly string[]
  /** The repeatable query parameters. */
  repeatable?: readonly string[]
  /** The shape of the JSON body. Without it, the route reads no body. */
  body?: z.ZodType<Body>
  /** Whether it leaves the world that the request names, which then need not exist. */
  leavesWorld?: true
  run(call: ControlCall, body: Body): Answer | Promise<Answer>
}

/** A row of the table, typed by its own schema. */
export function row<Body>(method: Method, path: string, definition: Definition<Body>): ControlRow {
  const { summary, query = [], repeatable = [], body, leavesWorld, run } = definition
  const whole = CONTROL_PATH + path
  const known = [...repeatable, ...query, SCENARIO_QUERY]
  return {
    method,
    path: whole,
    summary,
    body,
    async answer(call) {
      checkQuery(call.query, `${method} ${whole}`, known, repeatable)
      if (leavesWorld === undefined) await call.world().loading
      return run(call, (await readControlBody(call.request, path, body)) as Body)
    },
  }
}

/** A row that reads and changes nothing. */
export function reads(path: string, summary: string, read: (call: ControlCall) => unknown): ControlRow {
  return row('GET', path, { summary, run: async (call) => jsonAnswer(200, await read(call)) })
}

/** A row without a request body or a response body. */
export function acts(
  method: 'POST' | 'DELETE',
  path: string,
  summary: string,
  act: (call: ControlCall) => void,
): ControlRow {
  const run = (call: ControlCall) => {
    act(call)
    return emptyAnswer(204)
  }
  return row(method, path, { summary, run })
}

/** Throws `INVALID_REQUEST` for an unknown or repeated query parameter, which the row would ignore. */
function checkQuery(
  query: URLSearchParams,
  call: string,
  known: readonly string[],
  repeatable: readonly string[],
): void {
  for (const [name, values] of valuesByName(query)) {
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

/** The maximum body size of a control call in bytes. Only data is large. */
function limitOf(path: string): number {
  return (path === '/state' || path === '/scenarios/:name' ? 32 : 1) * MEBIBYTE
}

/** The checked body of a control call. Throws `BODY_TOO_LARGE` or `INVALID_REQUEST`. */
async function readControlBody(request: Request, path: string, schema: z.ZodType | undefined): Promise<unknown> {
  if (schema === undefined) return undefined
  const wrong = (list: string) =>
    new MockError(
      'INVALID_REQUEST',
      sentence(`The body of ${path} is invalid: ${list}`),
      'docs/control-api.md lists the calls.',
    )
  const body = await readJson(request, limitOf(path))
  // Loading data reports its own errors.
  return schema instanceof z.ZodUnknown ? body : expectGiven(schema, body, wrong)
}

async function readJson(request: Request, limit: number): Promise<unknown> {
  const bytes = await readBytes(request, limit).catch((reason: unknown) => {
    // The client has left before it had sent the whole body.
    throw new BrokenConnection(reason)
  })
  if (bytes === undefined) {
    throw new MockError(
      'BODY_TOO_LARGE',
      `The body is larger than ${limit / MEBIBYTE} MiB.`,
      'Split the state and send it in several PATCH calls.',
    )
  }
  const { data: text, failure: malformed } = decodeText(bytes, 'utf-8', true)
  const { data: body, failure } = text === undefined ? { failure: malformed } : parseText(text, 'json')
  if (failure !== undefined) throw new MockError('INVALID_REQUEST', failure.message, 'Send a JSON object in UTF-8.')
  const [repeated] = repeatedKeys(text ?? '')
  if (repeated !== undefined) {
    throw new MockError('INVALID_REQUEST', `${repeated}.`, 'Only the last one would count: merge them.')
  }
  const isWide = (inner: object) => isObject(inner) && Object.keys(inner).length > WIDEST
  if (pathWhere(body, isWide) !== undefined) {
    throw new MockError(
      'INVALID_REQUEST',
      `An object of the body has more than ${WIDEST} properties.`,
      'Send a list instead, or split the body into several calls.',
    )
  }
  return body
}
