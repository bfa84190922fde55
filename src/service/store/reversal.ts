import type { Frozen } from '../../support/freeze.js'
import { grouped } from '../../support/lists.js'
import type { Change, Commit, Key } from './table.js'

/** A table, as far as it has to be known to undo what removes records from it. */
interface RemovedFrom {
  oldestFirst(): Iterable<Frozen<object>>
  keyOf(record: Frozen<object>): Key
}

/** A commit that is about to be made, with what it takes to undo it: which records it removes, and where they are. */
export function reversible(commit: Commit, tables: ReadonlyMap<string, RemovedFrom>): Commit {
  const { changes, replacesAll } = commit
  const isRemoval = ({ after }: Change) => after === undefined
  // Most commits remove nothing, and are as they must be.
  if (!replacesAll && ![...changes.values()].some((ofTable) => ofTable.some(isRemoval))) return commit
  const whole = new Map<string, readonly Change[]>()
  for (const [name, table] of tables) {
    const ofTable = changes.get(name) ?? []
    const stays = ofTable.filter((change) => !isRemoval(change))
    const gone = new Set(ofTable.filter(isRemoval).map(({ key }) => key))
    const removals = replacesAll || gone.size > 0 ? removalsFrom(table, replacesAll ? undefined : gone) : []
    if (stays.length + removals.length > 0) whole.set(name, [...removals, ...stays])
  }
  return { changes: whole, replacesAll }
}

/** The changes that remove records, in the order in which the records stand. Undefined: all of them. */
function removalsFrom(table: RemovedFrom, keys: ReadonlySet<Key> | undefined): Change[] {
  const removals: (Change & { next?: Key })[] = []
  let placed = 0
  for (const record of table.oldestFirst()) {
    if (placed === keys?.size) break
    const key = table.keyOf(record)
    if (keys === undefined || keys.has(key)) removals.push({ key, before: record, after: undefined })
    else while (placed < removals.length) Object.assign(removals[placed++] ?? {}, { next: key })
  }
  return removals
}

/** The commit that undoes another one. */
export function inverse({ changes, replacesAll }: Commit): Commit {
  const back = new Map<string, readonly Change[]>()
  for (const [name, ofTable] of changes) {
    const swapped = ofTable.map((change) => ({ ...change, before: change.after, after: change.before }))
    const isRemoval = ({ after }: Change) => after === undefined
    back.set(name, [...swapped.filter(isRemoval), ...swapped.filter((change) => !isRemoval(change))])
  }
  return { changes: back, replacesAll }
}

/** The records that come back with some changes, and of each the key of the record in front of which it was. */
export function placesIn(changes: readonly Change[]): [key: Key, next: Key][] {
  return changes.flatMap(({ key, after, next }) => (after === undefined || next === undefined ? [] : [[key, next]]))
}

/** Moves entries of a map in front of others, which stay, those of the same one in the order in which they are given. */
export function moveInFront<Value>(map: Map<Key, Value>, places: readonly (readonly [key: Key, next: Key])[]): void {
  const moving = new Set(places.map(([key]) => key))
  const nexts = new Map(places.filter(([key, next]) => map.has(key) && map.has(next) && !moving.has(next)))
  const groups = grouped(nexts, ([, next]) => next)
  const before = new Map(map)
  map.clear()
  for (const [key, value] of before) {
    if (nexts.has(key)) continue
    for (const [moved] of groups.get(key) ?? []) map.set(moved, before.get(moved) as Value)
    map.set(key, value)
  }
}
