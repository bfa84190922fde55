import type * as z from 'zod'
import { patchOf } from '../../service/resources/shared/merge-patch.js'
import type { TableName } from '../../service/resources/tables.js'
import type { Contents } from '../../service/store/database.js'
import type { Change, Key } from '../../service/store/table.js'
import { deepFreeze, type Frozen, none } from '../../support/freeze.js'
import type { Ids } from '../../support/ids.js'
import { faultOf } from '../errors/mock-errors.js'
import type { Changes, Difference, Differences } from './changes.js'
import { Draft, definitionOf } from './draft.js'
import type { GivenKind } from './given.js'
import { loadKinds, loadOrder } from './load-state.js'
import { WorldData } from './state.js'
import { checkGiven, FaultList, jsonPath } from './state-fault.js'

/** Changes that don't fit their start. They come back when they fit. */
export interface Sleeping {
  readonly changes: Changes
  /** The first reason, as the end of a sentence. Undefined for reports and records that are gone anyway. */
  readonly reason: string | undefined
}

interface PutOn {
  /** The records of the start with the changes that fit. */
  contents: Contents
  asleep: Sleeping | undefined
}

interface LoadContext {
  now: Date
  ids: Ids
}

/** Puts changes on a start. Those that don't fit stay asleep, each with the changes that need it. */
export function putOn(contents: Contents, changes: Changes, context: LoadContext): PutOn {
  const start = withOwnEvents(contents, changes.records)
  let awake = changes.records
  const asleep = new Map<string, Map<Key, Difference>>()
  let reason: string | undefined
  for (;;) {
    const tried = tryOn(start, awake, context)
    if (tried.misfits.size === 0) {
      reorder(tried.data, changes.order)
      const sleeping = asleep.size === 0 ? undefined : { changes: { records: asleep, order: new Map() }, reason }
      return { contents: tried.data.contents(), asleep: sleeping }
    }
    reason ??= tried.reason
    const left = new Map([...awake].map(([name, ofTable]) => [name, new Map(ofTable)] as const))
    for (const [name, keys] of tried.misfits) {
      for (const key of keys) {
        const change = left.get(name)?.get(key)
        left.get(name)?.delete(key)
        // Reports, such as metrics, don't sleep.
        if (change === undefined || definitionOf(name).isReported) continue
        asleep.set(name, (asleep.get(name) ?? new Map<Key, Difference>()).set(key, change))
      }
    }
    awake = left
  }
}

interface Tried {
  data: WorldData
  /** The keys of the changes that don't fit, by table. */
  misfits: ReadonlyMap<string, ReadonlySet<Key>>
  reason: string | undefined
}

/** Loads changes on top of a start, or finds those that don't fit. */
function tryOn(start: Contents, records: Differences, { now, ids }: LoadContext): Tried {
  const data = new WorldData(start)
  const draft = new Draft(data, { replacesAll: false })
  const faults = new FaultList(Number.POSITIVE_INFINITY)
  const gone: [name: string, key: Key][] = []
  const kinds = loadOrder.map((name) => {
    const kind: GivenKind = { records: [], removed: new Set() }
    const isThere = (key: Key) => draft.kind(name).get(key) !== undefined
    for (const [at, [key, change]] of [...(records.get(name) ?? none)].entries()) {
      if (change.is === 'removed') {
        if (isThere(key)) kind.removed.add(key)
        else gone.push([name, key])
        continue
      }
      const { data: given, failure } = checkGiven(
        patchOf(definitionOf(name).fixture) as z.ZodType<object>,
        change.value,
      )
      const path = jsonPath([name, at])
      if (failure !== undefined)
        faults.addAll(failure.faults.map((fault) => ({ ...fault, path: fault.path.replace('$', () => path) })))
      else if (change.is === 'changed' && !isThere(key)) faults.add(() => ({ path, message: 'is gone' }))
      else kind.records.push({ at, given, key, isWhole: change.is === 'added' })
    }
    return [name, kind] as const
  })
  const options = { now, ids, source: 'The changes', replacesAll: false, areChanges: true, faults, broken: new Map() }
  faultOf(() => loadKinds(new Map(kinds), draft, options))
  const found = faults.told.map((fault) => ({ ...fault, of: changeAt(fault.path, records) }))
  const misfits = grouped([...gone, ...found.flatMap(({ of }) => (of === undefined ? [] : [of]))])
  const [first] = found
  if (first !== undefined && misfits.size === 0) throw new Error(`No change is behind ${first.path}: ${first.message}`)
  return { data, misfits, reason: first && `${placeOf(first.path, first.of)} ${first.message}` }
}

/** The change behind an error: records have numbers in its path, removals their keys. */
function changeAt(path: string, records: Differences): [name: string, key: Key] | undefined {
  const [, name = '', at] = /^\$\.(\w+)\[(\d+)\]/.exec(path) ?? []
  const key = [...(records.get(name)?.keys() ?? none)][Number(at)]
  if (key !== undefined) return [name, key]
  for (const [table, ofTable] of records) {
    for (const [removed, { is }] of ofTable)
      if (is === 'removed' && path === `$.${table}.${removed}`) return [table, removed]
  }
  return undefined
}

/** The place of an error for users: the key of the record in place of its number. */
function placeOf(path: string, of: readonly [name: string, key: Key] | undefined): string {
  const named = of === undefined ? path : path.replace(/^\$\.\w+\[\d+\]/, () => `$.${of.join('.')}`)
  return named.replace(/^\$\./, '')
}

function grouped(found: readonly (readonly [name: string, key: Key])[]): Map<string, Set<Key>> {
  const keys = new Map<string, Set<Key>>()
  for (const [name, key] of found) keys.set(name, (keys.get(name) ?? new Set<Key>()).add(key))
  return keys
}

/**
 * A start whose events have no number of a world's own events: they get the next free numbers. As any difference from the
 * start, they belong to the world from then on, so they keep their numbers.
 */
function withOwnEvents(start: Contents, records: Differences): Contents {
  const own = [...(records.get('events') ?? none)].flatMap(([id, change]) =>
    change.is === 'added' ? [[id, change] as const] : [],
  )
  const data = new WorldData(start)
  const taken = own.flatMap(([id, { replaces }]) => (replaces ? [] : (data.tables.events.get(Number(id)) ?? [])))
  if (taken.length === 0) return start
  const used = new Set([...own.map(([id]) => Number(id)), ...data.tables.events.list().map(({ id }) => id)])
  let free = 0
  const changes = taken.flatMap((event): Change[] => {
    free = Math.max(free, event.id)
    while (used.has(free)) free++
    used.add(free)
    return [
      { key: event.id, before: event, after: undefined },
      { key: free, before: undefined, after: deepFreeze({ ...event, id: free }) },
    ]
  })
  data.apply({ changes: new Map([['events', changes]]) })
  return data.contents()
}

function reorder(data: WorldData, order: Changes['order']): void {
  const changes = [...order].map(([name, keys]) => {
    const table: { get(key: Key): Frozen<object> | undefined; list(): readonly Frozen<object>[] } =
      data.tables[name as TableName]
    const all = new Set([...keys, ...table.list().map(definitionOf(name).key)])
    const ofTable = [...all].flatMap((key, at): Change[] => {
      const record = table.get(key)
      return record === undefined ? [] : [{ key, before: record, after: record, to: at + 1 }]
    })
    return [name, ofTable] as const
  })
  if (changes.length > 0) data.apply({ changes: new Map(changes) })
}
