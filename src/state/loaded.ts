import { type Sequence, sequencesAfter } from '../resources/shared/sequences.js'
import type { AnyTableDefinition, Known } from '../resources/shared/table.js'
import { type KindName, kinds } from '../resources/tables.js'
import type { Key } from '../store/table.js'
import type { Frozen } from '../support/freeze.js'
import type { GivenKind } from './given.js'
import type { Removal } from './removal.js'
import type { WorldData } from './state.js'

/** A kind of given records, each completed: with what it leaves out taken from the stored one, or from the defaults. */
export interface LoadedKind extends GivenKind {
  completed: readonly Frozen<object>[]
  /** Given records that can't be completed. What points at them is no fault. */
  broken: readonly unknown[]
}

export type Loaded = Readonly<Partial<Record<KindName, LoadedKind>>>

/** The records that there will be: those that exist, and the given ones, which take precedence. */
export function overlay(
  given: readonly Frozen<object>[],
  { key }: Pick<AnyTableDefinition, 'key'>,
  existing: Known<object> | undefined,
): Known<object> {
  let byKey: Map<Key, Frozen<object>> | undefined
  const keyed = () => {
    byKey ??= new Map(given.map((record) => [key(record), record]))
    return byKey
  }
  const others = () => (existing?.list() ?? []).filter((record) => !keyed().has(key(record)))
  return {
    get: (wanted: Key) => keyed().get(wanted) ?? existing?.get(wanted),
    list: () => [...others(), ...given],
  }
}

/** Puts checked records in place. */
export function put(
  data: WorldData,
  loaded: Loaded,
  { changed }: Removal,
  { replacesAll }: { replacesAll: boolean },
): void {
  const records: Record<string, readonly Frozen<object>[]> = {}
  const removed: Record<string, readonly Key[]> = {}
  for (const name of Object.keys(kinds) as KindName[]) {
    const { completed = [], removed: keys = [] } = loaded[name] ?? {}
    const others = changed.get(name)
    if (others !== undefined) records[name] = [...without(others, completed, kinds[name]), ...completed]
    else if (completed.length > 0) records[name] = completed
    if (keys.length > 0) removed[name] = keys
  }
  const stored = replacesAll ? [] : data.tables.sequences.list()
  records.sequences = sequencesAfter((records.sequences ?? []) as Sequence[], removed, stored)
  const { events = [], ...others } = records
  data.load(others, events as Parameters<WorldData['load']>[1], { replacesAll, removed })
}

/** The changed records, less those that are given. */
function without(
  changed: ReadonlyMap<Key, object>,
  given: readonly Frozen<object>[],
  { key }: Pick<AnyTableDefinition, 'key'>,
): object[] {
  const keys = new Set(given.map((record) => key(record)))
  return [...changed].flatMap(([other, record]) => (keys.has(other) ? [] : [record]))
}
