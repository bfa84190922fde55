import * as z from 'zod'
import { difference, merge, patchOf } from '../../service/resources/shared/merge-patch.js'
import { type TableName, tables } from '../../service/resources/tables.js'
import type { Contents } from '../../service/store/database.js'
import type { Key } from '../../service/store/table.js'
import { type Frozen, none } from '../../support/freeze.js'
import { createIds } from '../../support/ids.js'
import { isObject, isSame } from '../../support/json.js'
import { faultOf } from '../errors/mock-errors.js'
import { definitionOf } from './draft.js'
import { WorldData } from './state.js'
import { structureFault } from './state-fault.js'

/** The difference of one record from the start. */
export type Difference =
  /** A patch of the start's record, with its key. */
  | { readonly is: 'changed'; readonly value: object }
  /** A new record, or a record that no patch makes. With `replaces`, it isn't the start's record of this key. */
  | { readonly is: 'added'; readonly value: object; readonly replaces?: true }
  | { readonly is: 'removed'; readonly value: Key }

/** The differences of the records, by table and key. */
export type Differences = ReadonlyMap<string, ReadonlyMap<Key, Difference>>

/** What differs in a world from its start. */
export interface Changes {
  readonly records: Differences
  /** The keys of tables with another order than the start's records, followed by the new ones. */
  readonly order: ReadonlyMap<string, readonly Key[]>
}

/** Lists by table. */
function listsOf<Item>(item: z.ZodType<Item>) {
  return z.strictObject(Object.fromEntries(Object.keys(tables).map((name) => [name, z.array(item).optional()])))
}

const lists = listsOf(z.custom<object>(isObject, 'must be an object'))
const keys = listsOf(z.union([z.string(), z.number()]))

/** The saved form of changes. Its records are seed data, and are checked when a world starts with them. */
export const changesShape = z.strictObject({
  changed: lists.optional(),
  added: lists.optional(),
  removed: keys.optional(),
  order: keys.optional(),
})

type SavedChanges = z.infer<typeof changesShape>

/** Changes as lists by table. */
export function savedChanges({ records, order }: Changes): SavedChanges {
  const saved: Record<Difference['is'], Record<string, (object | Key)[]>> = { changed: {}, added: {}, removed: {} }
  const add = (is: Difference['is'], name: string, value: object | Key) => {
    const ofTable = saved[is][name] ?? []
    ofTable.push(value)
    saved[is][name] = ofTable
  }
  for (const [name, ofTable] of records) {
    for (const [key, change] of ofTable) {
      add(change.is, name, change.value)
      if (change.is === 'added' && change.replaces) add('removed', name, key)
    }
  }
  const parts = Object.entries({ ...saved, order: Object.fromEntries(order) })
  return Object.fromEntries(parts.filter(([, part]) => Object.keys(part).length > 0))
}

/** Changes from lists by table. Undefined without changes. */
export function changesFrom({ changed = {}, added = {}, removed = {}, order = {} }: SavedChanges): Changes | undefined {
  const records = new Map<string, Map<Key, Difference>>()
  const add = (name: string, key: Key, change: Difference) => {
    const ofTable = records.get(name) ?? new Map<Key, Difference>()
    const before = ofTable.get(key)
    const replaces = before?.is === 'removed' && change.is === 'added'
    records.set(name, ofTable.set(key, replaces ? { ...change, replaces } : change))
  }
  for (const [name, list] of listsIn(removed)) {
    for (const value of list) add(name, value, { is: 'removed', value })
  }
  for (const [name, list] of listsIn(changed)) {
    for (const [at, value] of list.entries()) add(name, keyOf(name, value, at), { is: 'changed', value })
  }
  for (const [name, list] of listsIn(added)) {
    for (const [at, value] of list.entries()) add(name, keyOf(name, value, at), { is: 'added', value })
  }
  const ordered = new Map(listsIn(order))
  return records.size + ordered.size === 0 ? undefined : { records, order: ordered }
}

function listsIn<Item>(given: Readonly<Record<string, Item[] | undefined>>): [name: string, list: Item[]][] {
  return Object.entries(given).flatMap(([name, list]) => (list === undefined ? [] : [[name, list]]))
}

/** The key of a record. A record without its key, in an edited file, gets its place instead: it is told as an error later. */
function keyOf(name: string, value: object, at: number): Key {
  const key: Key | undefined = definitionOf(name).key(value as Frozen<object>)
  return key ?? `number ${at + 1}`
}

/** Both: the later change of a record counts. */
export function together(one: Changes | undefined, other: Changes | undefined): Changes | undefined {
  if (one === undefined || other === undefined) return one ?? other
  const names = [...new Set([...one.records.keys(), ...other.records.keys()])]
  const records = names.map(
    (name) => [name, new Map([...(one.records.get(name) ?? []), ...(other.records.get(name) ?? [])])] as const,
  )
  return { records: new Map(records), order: new Map([...one.order, ...other.order]) }
}

/** The changes of records that only report events, such as metrics, or of all others. Undefined without any. */
export function changesTo(kinds: 'reports' | 'others', changes: Changes | undefined): Changes | undefined {
  const isMeant = ([name]: readonly [string, unknown]) =>
    (kinds === 'reports') === (definitionOf(name).isReported ?? false)
  const records = new Map([...(changes?.records ?? none)].filter(isMeant))
  const order = new Map([...(changes?.order ?? none)].filter(isMeant))
  return records.size + order.size === 0 ? undefined : { records, order }
}

/** The number of changed records, without reports such as metrics. */
export function countOf(changes: Changes | undefined): number {
  let count = 0
  for (const ofTable of changesTo('others', changes)?.records.values() ?? none) count += ofTable.size
  return count
}

/** The found difference of a record from the start's record, and the form in which it is shown. */
interface KnownDifference {
  readonly before: Frozen<object> | undefined
  readonly shown: object
  /** Undefined if both are equal. */
  readonly change: Difference | undefined
}

/** Finds what differs in a world from its start. It remembers the difference of a record as long as the record. */
export class ChangeFinder {
  readonly #found = new WeakMap<object, KnownDifference>()

  /** Undefined without changes. */
  since(contents: Contents, data: WorldData): Changes | undefined {
    const start = new WorldData(contents)
    const records = new Map<string, Map<Key, Difference>>()
    const order = new Map<string, readonly Key[]>()
    for (const [name, ofTable] of data.changesSince(contents)) {
      const found = new Map<Key, Difference>()
      for (const { key, before, after } of ofTable) {
        const change: Difference | undefined =
          after === undefined ? { is: 'removed', value: key } : this.#changeOf(name, { before, after }, start, data)
        if (change !== undefined) found.set(key, change)
      }
      if (found.size > 0) records.set(name, found)
      const keysNow = orderIn(name, data)
      const first = [...(contents.get(name)?.entries().keys() ?? none)]
      if (keysNow !== undefined && isReordered(first, keysNow)) order.set(name, keysNow)
    }
    return records.size + order.size === 0 ? undefined : { records, order }
  }

  #changeOf(
    name: string,
    { before, after }: { before?: Frozen<object> | undefined; after: Frozen<object> },
    start: WorldData,
    { tables: now }: WorldData,
  ): Difference | undefined {
    const shown = (definitionOf(name).show?.(after, now) ?? after) as object
    const earlier = this.#found.get(after)
    if (earlier !== undefined && earlier.before === before && isSame(earlier.shown, shown)) return earlier.change
    const change = isSame(before, after)
      ? undefined
      : differenceOfRecord(name, before, { record: after, shown }, { start, tables: now })
    this.#found.set(after, { before, shown, change })
    return change
  }
}

function differenceOfRecord(
  name: string,
  before: Frozen<object> | undefined,
  { record, shown }: { record: Frozen<object>; shown: object },
  { start, tables }: { start: WorldData; tables: object },
): Difference {
  if (before === undefined) return { is: 'added', value: shown }
  // An event never changes: another one with its number replaces it.
  if (isLog(name)) return { is: 'added', value: shown, replaces: true }
  const { key, show } = definitionOf(name)
  const old = (show?.(before, start.tables) ?? before) as object
  const patch = patchBetween(name, old, shown)
  // A key can contain optional fields, which a patch lacks.
  const isOfRecord = patch !== undefined && key(patch as Frozen<object>) === key(record)
  const isRight = isOfRecord && isSame(patched(name, old, patch, tables), record)
  return isRight ? { is: 'changed', value: patch } : { is: 'added', value: shown }
}

/** The patch from one record to another, with the fields that seed data always needs. Undefined if there is none. */
function patchBetween(name: string, old: object, shown: object): object | undefined {
  const { fixture } = definitionOf(name)
  const found = difference(fixture, old, shown)
  if (!isObject(found) || !(fixture instanceof z.ZodObject)) return undefined
  const needed = Object.entries(fixture.shape).flatMap(([field, shape]) =>
    shape instanceof z.ZodOptional ? [] : field,
  )
  const fields = Object.entries(shown).filter(([field]) => needed.includes(field))
  const patch = { ...Object.fromEntries(fields), ...found }
  return structureFault(patch) === undefined ? patch : undefined
}

/** The record that a patch makes, as loading seed data makes it. Undefined if it is invalid. */
function patched(name: string, old: object, patch: object, known: object): object | undefined {
  const { fixture, complete, implies } = definitionOf(name)
  const { data, success } = z.safeParse(patchOf(fixture), patch)
  if (!success) return undefined
  const implied = implies?.(old, data as object)
  let made: object | undefined
  faultOf(() => {
    const merged = merge(fixture, implied ? merge(fixture, old, implied) : old, data)
    made = complete(merged, { now: new Date(0), ids: createIds(0), ...known })
  })
  return made
}

/** The keys of a table in order. Undefined for a log, which is always in the order of its keys. */
function orderIn(name: string, { tables }: WorldData): readonly Key[] | undefined {
  const table: { list(): readonly Frozen<object>[] } = tables[name as TableName]
  return isLog(name) ? undefined : table.list().map(definitionOf(name).key)
}

function isLog(name: string): boolean {
  const { log }: { log?: true } = tables[name as TableName] as object
  return log === true
}

/** Whether keys are in another order than the earlier ones that are left, followed by the new ones. */
function isReordered(before: readonly Key[], now: readonly Key[]): boolean {
  const [known, left] = [new Set(before), new Set(now)]
  const expected = [...before.filter((key) => left.has(key)), ...now.filter((key) => !known.has(key))]
  return expected.some((key, at) => key !== now[at])
}
