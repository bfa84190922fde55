import type { OperationRow } from '../api/operations.js'
import type { Failure } from '../contract/errors.js'
import type { BodyFormat, Profile } from '../contract/profile.js'
import type { Caller } from '../resources/shared/context.js'
import type { Session } from '../sessions/session.js'
import type { World } from '../sessions/world.js'

/** One request on its way through the checks; each adds what it found out. */
export interface Exchange {
  request: Request
  operation: OperationRow
  session: Session
  world: World
  profile: Profile
  /** The path's parameters as they were sent, percent-encoded. */
  rawParams: Readonly<Record<string, string>>
  params: Record<string, string>
  caller: Caller
  sent: SentBody | undefined
  /** The body as it came, inflated. */
  bytes: Uint8Array | undefined
  text: string | null
  body: unknown
  query: unknown
}

/** How a body is sent. */
export interface SentBody {
  /** How it is to be read; undefined where it is not. */
  format: BodyFormat | undefined
  charset: string
  /** Its content coding; undefined if it is sent as it is. */
  coding: string | undefined
}

/** A step that a request must pass before its operation runs. */
export type Check = (exchange: Exchange) => Failure | undefined | Promise<Failure | undefined>
