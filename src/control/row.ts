import type * as z from 'zod'
import type { Method } from '../contract/operation.js'
import type { Profile } from '../contract/profile.js'
import type { Sessions } from '../sessions/sessions.js'
import type { Control } from './control.js'

interface ControlInput<Body> {
  control: Control
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
}

export interface ControlRow<Body = unknown> {
  method: Method
  path: string
  /** One line for the docs. */
  summary: string
  /** The shape of the JSON body. Without it, no body is read. */
  body?: z.ZodType<Body>
  run(input: ControlInput<Body>): ControlReply
}

/** Types a row by its own schema. */
export function row<Body>(definition: ControlRow<Body>): ControlRow {
  return definition
}

/** Success without a body. */
export const done: ControlReply = { status: 204 }
/** Success with a body. */
export function shown(body: unknown): ControlReply {
  return { status: 200, body }
}
