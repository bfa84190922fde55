import type { TableName } from '../resources/tables.js'
import type { Commit } from '../store/commit.js'

/** A world, as the collections read it. */
export interface DataWorld {
  readonly tables: Readonly<Record<TableName, { list(): readonly object[] }>>
  /** The event log, oldest first. */
  readonly events: readonly object[]
  /** Calls back synchronously after each commit. Returns a function that unsubscribes. */
  onCommit(listener: (commit: Commit) => void): () => void
}

/** The records of a kind, in order. */
export function recordsOf({ tables, events }: DataWorld, name: string): readonly object[] {
  return name === 'events' ? events : tables[name as TableName].list()
}

/** Whether a commit changed records of a kind. */
export function changes({ changes, events, replacesAll }: Commit, name: string): boolean {
  return replacesAll || changes.has(name) || (name === 'events' && events.length > 0)
}
