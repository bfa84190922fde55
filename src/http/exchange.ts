import type { OperationRow } from '../api/operations.js'
import type { Failure } from '../contract/errors.js'
import type { Access } from '../contract/operation.js'
import type { BodyFormat, Profile } from '../contract/profile.js'
import type { SdkAccess } from '../resources/people/callers.js'
import type { Caller, Message } from '../resources/shared/context.js'
import type { World } from '../sessions/world.js'

/** What the checks need to know about the target of a request: an operation's row, or less for a path without one. */
export type Checked = {
  /** The kinds of SDKs stand for a path that contains one of theirs somewhere. */
  access: Access | readonly SdkAccess[]
} & Partial<
  Pick<
    OperationRow,
    | 'id'
    | 'permission'
    | 'worksInMaintenance'
    | 'integers'
    | 'body'
    | 'bodyLimit'
    | 'bodyFor'
    | 'bodyHasAlternatives'
    | 'query'
  >
>

/** How a body is sent. */
export interface BodyDescription {
  /** How it is parsed. Undefined if it is ignored. */
  format: BodyFormat | undefined
  charset: string
  /** Its content coding. Undefined if there is none. */
  coding: string | undefined
}

/** What came of reading a body. */
export type ReceivedBody = BodyDescription &
  ({ state: 'ignored' } | { state: 'read'; bytes: Uint8Array } | { state: 'tooLarge' } | { state: 'broken' })

/** One request on its way to its answer. The checks add what they find out. */
export interface Exchange {
  readonly request: Pick<Request, 'method' | 'url' | 'headers'>
  readonly checked: Checked
  readonly world: World
  readonly profile: Profile
  /** The path's parameters as they were sent, percent-encoded. */
  readonly rawParams: Readonly<Record<string, string>>
  readonly received: ReceivedBody
  params: Record<string, string>
  caller: Caller
  text: string | null
  body: unknown
  query: unknown
  /** Messages that integrations would send. */
  sent: Message[]
}

/** A step that a request must pass before its operation runs. */
export type Check = (exchange: Exchange) => Failure | undefined
