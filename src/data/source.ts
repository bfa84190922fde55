export type Key = string | number

/** What one commit did to a record: `before` is undefined for a new one, `after` for one that was removed. */
export interface Change {
  key: Key
  before: object | undefined
  after: object | undefined
}

export interface Commit {
  /** By the name of the table. */
  changes: ReadonlyMap<string, readonly Change[]>
  /** What the commit added to the event log. */
  events: readonly object[]
}

/** What the collections are read from: the current world of a session. */
export interface DataSource {
  /** The records of a table now, frozen, in order. The event log is the table `events`. */
  records(table: string): readonly object[]
  /**
   * Calls back synchronously after each commit of the current world, or with undefined when the whole world was replaced
   * (reset, restore, scenario switch, state load). Returns a function that unsubscribes.
   */
  onCommit(listener: (commit: Commit | undefined) => void): () => void
}
