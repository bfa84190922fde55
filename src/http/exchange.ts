import type { OperationRow } from '../contract/operations.js'
import type { Profile } from '../contract/profile.js'
import type { Caller } from '../resources/world.js'
import type { Session } from '../sessions/session.js'
import type { ScenarioWorld } from '../sessions/world.js'

/** One request on its way through the checks; each adds what it found out. */
export interface Exchange {
  request: Request
  operation: OperationRow
  session: Session
  world: ScenarioWorld
  profile: Profile
  /** The path's parameters as they were sent, percent-encoded. */
  rawParams: Readonly<Record<string, string>>
  params: Record<string, string>
  caller: Caller
  /** The body as it came, inflated. */
  bytes: Uint8Array | undefined
  text: string | null
  body: unknown
  query: unknown
}
