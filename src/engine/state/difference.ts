import { type Mark, namesMarked } from '../../service/resources/shared/fields.js'
import { difference, merge } from '../../service/resources/shared/merge-patch.js'
import type { AnyTableDefinition } from '../../service/resources/shared/table.js'
import { type TableName, tables } from '../../service/resources/tables.js'
import { deepCopy, none } from '../../support/freeze.js'
import { createIds, isGenerated } from '../../support/ids.js'
import { contains, isObject, isSame } from '../../support/json.js'
import { definitionOf } from './draft.js'
import { takeSnapshot, type WorldData } from './state.js'

/** The kinds of records. */
const kinds = Object.entries(tables) as [TableName, AnyTableDefinition][]
const records = Object.values(tables).map(({ record }) => record)
const marked = new Map<Mark, ReadonlySet<string>>()

/** Whether a field of this name has a mark. The names are collected on first use, because that builds every shape. */
function has(mark: Mark, name: string): boolean {
  const names = marked.get(mark) ?? new Set(records.flatMap((record) => namesMarked(mark, record)))
  marked.set(mark, names)
  return names.has(name)
}

/** The additions that turn some data into other data, except for later writes since a time, in milliseconds since 1970. */
export function differenceOf(before: WorldData, after: WorldData, since: number): Record<string, object> {
  const changes: Record<string, object> = {}
  for (const [name, ofTable] of after.changesSince(before.contents())) {
    const { fixture, references, isReported = false } = definitionOf(name)
    const ofKind = new Map<string, unknown>()
    for (const { key, before: old, after: record } of ofTable) {
      // A record that points at others is removed, even if seed data can't contain its kind: the others can be removed with it.
      if (record === undefined && (!isReported || references !== undefined)) ofKind.set(String(key), null)
      if (record === undefined || isReported) continue
      const was = old && shownIn(before, name, old)
      const given = asGiven(shownIn(after, name, record), was, since)
      const change =
        was === undefined ? inBrief(name, given, after) : difference(fixture, asGiven(was, was, since), given)
      if (change !== undefined) ofKind.set(String(key), change)
    }
    if (ofKind.size > 0) changes[name] = Object.fromEntries(ofKind)
  }
  return changes
}

/** Whether two worlds have the same data, without the details that don't depend on seed data. */
export function haveSameData(one: WorldData, other: WorldData): boolean {
  return kinds.every(([name, { isReported = false }]) => {
    const records: readonly object[] = one.tables[name].list()
    const others: readonly object[] = other.tables[name].list()
    const isEqual = (record: object, counterpart: object) =>
      record === counterpart || isSame(settled(shownIn(one, name, record)), settled(shownIn(other, name, counterpart)))
    return (
      isReported ||
      (records.length === others.length && others.every((counterpart, at) => isEqual(records[at] ?? none, counterpart)))
    )
  })
}

/** A copy of a record as a snapshot shows it. */
function shownIn({ tables }: WorldData, name: string, record: object): object {
  return deepCopy(definitionOf(name).show?.(record, tables) ?? record) as object
}

/** A value with the earlier contents of fields that Unleash has written since a time. */
function asGiven(value: unknown, was: unknown, since: number): unknown {
  if (Array.isArray(value)) {
    const before = Array.isArray(was) ? was.filter(isObject) : []
    return value.map((item, at) => {
      // Each world generates a new ID.
      if (isSameSettled(item, before[at])) return before[at]
      const old = isObject(item) ? before.find(({ name, id }) => id === item.id && name === item.name) : undefined
      const { id, ...rest } = isObject(item) ? item : {}
      return asGiven(old === undefined && isGenerated(String(id)) ? rest : item, old, since)
    })
  }
  if (!isObject(value)) return value
  const before = isObject(was) ? was : {}
  const isMade = typeof value.createdAt === 'string' && Date.parse(value.createdAt) >= since
  const fields = Object.entries(value).flatMap(([name, field]) => {
    const isWritten = has('consequent', name) || (has('written', name) && (isMade || isSince(field, since)))
    const given = isWritten ? before[name] : name === 'detached' ? field : asGiven(field, before[name], since)
    return given === undefined ? [] : [[name, given]]
  })
  return Object.fromEntries(fields)
}

function isSameSettled(one: unknown, other: unknown): boolean {
  return isObject(one) && JSON.stringify(settled(one)) === JSON.stringify(settled(other))
}

/** Whether a date, or a date inside a value, is at or after a time. */
function isSince(value: unknown, since: number): boolean {
  if (typeof value === 'string') return Date.parse(value) >= since
  return typeof value === 'object' && value !== null && Object.values(value).some((inner) => isSince(inner, since))
}

/** A new record without derived fields, if completing it gives the same record. */
function inBrief(kind: string, record: unknown, { tables }: WorldData): unknown {
  const { fixture, complete, show } = definitionOf(kind)
  const brief = withoutEmpty(record)
  try {
    const stored = complete(merge(fixture, undefined, brief), { now: new Date(0), ids: createIds(0), ...tables })
    const shown = show?.(stored, tables) ?? stored
    return contains(settled(shown), settled(record)) ? brief : record
  } catch {
    return record
  }
}

function withoutEmpty(value: unknown, at?: number): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty)
  if (!isObject(value)) return value
  const fields = Object.entries(value).flatMap(([name, field]) => {
    const parts = has('whole', name) ? field : withoutEmpty(field)
    const brief = name === 'environments' && Array.isArray(parts) ? withoutLast(parts) : parts
    return isEmpty(brief) || (name === 'sortOrder' && brief === at) ? [] : [[name, brief]]
  })
  return Object.fromEntries(fields)
}

/** A feature is always in all environments of its project: the omitted ones come last. */
function withoutLast(environments: readonly unknown[]): readonly unknown[] {
  const isNameOnly = (one: unknown) => isObject(one) && Object.keys(one).join() === 'name'
  return environments.slice(0, environments.findLastIndex((one) => !isNameOnly(one)) + 1)
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === false) return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

/** A value without the details that don't depend on its seed data. */
function settled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(settled)
  if (!isObject(value)) return value
  const fields = Object.entries(value).filter(
    ([name, field]) =>
      !has('consequent', name) && !has('written', name) && !(name === 'id' && isGenerated(String(field))),
  )
  return Object.fromEntries(fields.map(([name, field]) => [name, settled(field)]))
}

/** A snapshot without records that only report events. */
export function lasting(data: WorldData): object {
  const { version: _, ...state } = takeSnapshot(data)
  return Object.fromEntries(Object.entries(state).filter(([name]) => !definitionOf(name).isReported))
}
