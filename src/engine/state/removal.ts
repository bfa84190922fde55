import type { DataFault } from '../../service/contract/mock-errors.js'
import type { Reference } from '../../service/resources/shared/table.js'
import { tables } from '../../service/resources/tables.js'
import type { Key } from '../../service/store/table.js'
import { deepCopy } from '../../support/freeze.js'
import { type Draft, definitionOf } from './draft.js'
import type { FaultList } from './state-fault.js'

type Removed = ReadonlyMap<string, ReadonlySet<Key>>

/**
 * Removes records from what is there. An entry of a list that points at one goes with it: an environment of a project, a
 * parent of a feature. Something that can't be without it is a fault.
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
      const needed = broken.filter(({ at }) => !at.includes('['))
      for (const one of needed) faults.add(() => stillNeeded(one, name, key))
      if (broken.length > needed.length) kind.put(withoutEntries(record, broken))
    }
  }
}

function isRemoved({ to, key }: Reference, removed: Removed): boolean {
  return removed.get(to)?.has(key) ?? false
}

function stillNeeded({ at, to, key }: Reference, name: string, by: Key): DataFault {
  const message = `can't be removed: it is the ${at} of "${by}" in ${name}. Change or remove that one too`
  return { path: `$.${to}.${key}`, message }
}

const GONE = Symbol('gone')

/** A copy without the innermost entries of lists that the references are in. */
function withoutEntries(record: object, references: readonly Reference[]): object {
  const copy = deepCopy(record)
  for (const { at } of references) {
    const path = at.slice(0, at.lastIndexOf(']')).split(/[.[\]]+/)
    const last = path.pop() ?? ''
    const list = path.reduce<unknown>((inside, key) => (inside as Record<string, unknown> | undefined)?.[key], copy)
    if (Array.isArray(list)) list[Number(last)] = GONE
  }
  return sweep(copy) as object
}

function sweep(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== GONE).map(sweep)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, sweep(inner)]))
}
