import type * as z from 'zod'
import type { Method } from '../contract/operation.js'
import type { Sessions } from '../sessions/sessions.js'
import type { Control } from './control.js'

/** What a control call is given. */
export interface ControlInput<Body> {
  control: Control
  /** All sessions of the instance. */
  sessions: Sessions
  body: Body
  query: URLSearchParams
  params: Readonly<Record<string, string>>
}

/** What a control call comes to: a JSON body, or nothing. */
export interface ControlReply {
  status: 200 | 201 | 204
  body?: unknown
  headers?: Readonly<Record<string, string>>
}

/** One row of the control API. */
export interface ControlRow<Body = unknown> {
  method: Method
  path: string
  /** One line for the reference. */
  summary: string
  /** The shape of the JSON body; left out, none is read. */
  body?: z.ZodType<Body>
  run(input: ControlInput<Body>): ControlReply
}

/** Types a row by its own schema. */
export function row<Body>(definition: ControlRow<Body>): ControlRow {
  return definition
}

/** It is done, and there is nothing to show. */
export const done: ControlReply = { status: 204 }
/** The new state of what was asked for. */
export function shown(body: unknown): ControlReply {
  return { status: 200, body }
}
