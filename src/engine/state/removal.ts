import type { DataFault, Reference } from '../../service/resources/shared/table.js'
import { tables } from '../../service/resources/tables.js'
import type { Key } from '../../service/store/table.js'
import { isObject } from '../../support/json.js'
import { type Draft, definitionOf } from './draft.js'
import type { FaultList } from './state-fault.js'

type Removed = ReadonlyMap<string, ReadonlySet<Key>>

/**
 * Removes records from existing data. List entries that reference a record are also removed: an environment of a project,
 * a parent of a feature. A required reference to it is an error.
 */
export function removeRecords(removed: Removed, draft: Draft, faults: FaultList): void {
  if (removed.size === 0) return
  for (const name of Object.keys(tables)) {
    const { key: keyOf, references } = definitionOf(name)
    const kind = draft.kind(name)
    for (const record of kind.before?.list() ?? []) {
      const key = keyOf(record)
      if (removed.get(name)?.has(key)) {
        kind.remove(key)
        continue
      }
      const broken = [...(references?.(record) ?? [])].filter((one) => isRemoved(one, removed))
      const inLists = broken.filter(({ at }) => at.includes('['))
      for (const one of broken) if (!inLists.includes(one)) faults.add(() => stillNeeded(one, name, key))
      if (inLists.length > 0) kind.put(inLists.reduce<unknown>(withoutReference, record) as object)
    }
  }
}

function isRemoved({ to, key }: Reference, removed: Removed): boolean {
  return removed.get(to)?.has(key) ?? false
}

function stillNeeded({ at, to, key }: Reference, name: string, by: Key): DataFault {
  const message = `can't be removed: it is the ${at} of "${by}" in ${name}. Change or remove that record first`
  return { path: `$.${to}.${key}`, message }
}

/** Marks a removed value in `withoutReference`. */
const GONE = Symbol('gone')

/** A value without the innermost list entries in which a reference leads to its key. */
function withoutReference(value: unknown, { at, key }: Pick<Reference, 'at' | 'key'>): unknown {
  return without(value, fieldsOf(at), key)
}

/** The names in the path of a reference, without list positions. */
function fieldsOf(at: string): string[] {
  return at.replaceAll(/\[\d+\]/g, '').split('.')
}

function without(value: unknown, path: readonly string[], key: Key): unknown {
  if (Array.isArray(value)) return value.map((one) => without(one, path, key)).filter((one) => one !== GONE)
  const [name, ...rest] = path
  if (name === undefined) return value === key ? GONE : value
  if (!isObject(value) || value[name] === undefined) return value
  const inner = without(value[name], rest, key)
  return inner === GONE ? GONE : { ...value, [name]: inner }
}
