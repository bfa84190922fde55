import type { Frozen } from '../support/freeze.js'
import type { Key } from './table.js'

/** What a commit does to one record: `before` is undefined for a new one, `after` for one that is removed. */
export interface Change<Item = object> {
  readonly key: Key
  readonly before: Frozen<Item> | undefined
  readonly after: Frozen<Item> | undefined
}

/** Everything that one write changes. It becomes visible in one step. */
export interface Commit<Event = object> {
  /** By the name of the table. */
  readonly changes: ReadonlyMap<string, readonly Change[]>
  /** Events to log, oldest first. */
  readonly events: readonly Frozen<Event>[]
  /** Whether all that was there before goes first. */
  readonly replacesAll: boolean
}
