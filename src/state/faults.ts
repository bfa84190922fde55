import type { DataFault } from '../contract/mock-errors.js'
import { duplicateFaults } from '../resources/shared/rules.js'
import type { AnyTableDefinition, Known, Reference } from '../resources/shared/table.js'
import { type KindName, kinds } from '../resources/tables.js'
import type { Key } from '../store/table.js'
import { none } from '../support/freeze.js'
import { isObject, show } from '../support/json.js'
import { type GivenRecord, namePlace, pathTo, placeOf } from './given.js'
import { type Loaded, type LoadedKind, overlay } from './loaded.js'
import { danglingReference } from './state-fault.js'
import type { Stored } from './stored.js'

interface FaultOptions {
  replacesAll: boolean
  /** Records that are left out because of faults. What points at them is no fault. */
  broken: ReadonlyMap<string, readonly unknown[]>
}

/** Records that a message lists by name. */
const DESCRIBED = 20

/** Faults after which no more are looked for: a hint at what was meant costs time. */
const MOST_FAULTS = 100

/** Every key that is given twice, everything that points nowhere, and what else the tables find wrong. */
export function findFaults(loaded: Loaded, stored: Stored, options: FaultOptions): DataFault[] {
  const keys = new KnownKeys(loaded, stored, options.broken)
  const faults: DataFault[] = []
  for (const name of Object.keys(kinds) as KindName[]) {
    const kind = loaded[name]
    if (kind === undefined || (kind.records.length === 0 && kind.faults.length === 0)) continue
    faults.push(...kind.faults.slice(0, MOST_FAULTS), ...duplicatesIn(name, kind), ...sharedValues(name, kind, stored))
    faults.push(...faultsOfRecords(name, kind, { keys, stored, options }))
    if (faults.length >= MOST_FAULTS) break
  }
  return faults
}

function duplicatesIn(name: KindName, { records, completed }: LoadedKind): DataFault[] {
  const { key }: AnyTableDefinition = kinds[name]
  const faults = duplicateFaults(
    '',
    completed.map((record) => key(record)),
  )
  return faults.map(({ path, message }) => ({ path: pathTo(name, records[Number(path.slice(1, -1))]?.at), message }))
}

function faultsOfRecords(
  name: KindName,
  { records, completed }: LoadedKind,
  { keys, stored, options }: { keys: KnownKeys; stored: Stored; options: FaultOptions },
): DataFault[] {
  const definition: AnyTableDefinition = kinds[name]
  const known = overlay(completed, definition, stored.kind(name))
  const faults: DataFault[] = []
  for (const [i, record] of completed.entries()) {
    if (faults.length >= MOST_FAULTS) return faults
    const given = records[i] as GivenRecord
    for (const reference of definition.references?.(record) ?? []) {
      if (keys.has(reference)) continue
      if (reference.isLoose && (options.replacesAll || isOld(reference, given, definition))) continue
      if (reference.unlessNone && keys.isEmpty(reference.to)) continue
      faults.push(dangling(name, given, reference, keys))
    }
    for (const { path, message } of definition.faults?.(record, { given: given.given, known }) ?? []) {
      faults.push({ path: `${pathTo(name, given.at)}.${path}`, message })
    }
  }
  return faults
}

/** Whether the stored record already points there, since when the service has removed what was there. */
function isOld({ to, key }: Reference, { stored }: GivenRecord, { references }: AnyTableDefinition): boolean {
  if (stored === undefined) return false
  return [...(references?.(stored) ?? [])].some((old) => old.to === to && old.key === key)
}

function dangling(
  name: KindName,
  given: GivenRecord,
  { at, orAt = at, to, key }: Reference,
  keys: KnownKeys,
): DataFault {
  const { keyName, nameOf }: AnyTableDefinition = kinds[to as KindName]
  const { place, said = key } = placeOf(given, at, key) ?? namePlace(given, orAt) ?? {}
  const path = `${pathTo(name, given.at)}.${place ?? at}`
  if (place === undefined) {
    return { path, message: `must be ${keyName} that exists; the default, ${show(key)}, does not` }
  }
  const fault = danglingReference(path, keyName, said, keys.list(to))
  return nameOf === undefined ? fault : { path, message: `${fault.message}; ${keys.described(to)}` }
}

/** Values that only one record may have, such as an e-mail, and that two have. */
function sharedValues(name: KindName, { records, completed }: LoadedKind, stored: Stored): DataFault[] {
  const { unique = {}, indexes, key }: AnyTableDefinition = kinds[name]
  return Object.entries(unique).flatMap(([index, what]) => {
    const given = new Set(completed.map((record) => key(record)))
    const others = (stored.kind(name)?.list() ?? []).filter((record) => !given.has(key(record)))
    const holders = new Map<Key, Key>()
    for (const record of others) for (const value of indexes[index]?.(record) ?? []) holders.set(value, key(record))
    return completed.flatMap((record, i) =>
      (indexes[index]?.(record) ?? []).flatMap((value) => {
        const holder = holders.get(value)
        if (holder === undefined) holders.set(value, key(record))
        if (holder === undefined || holder === key(record)) return []
        const path = `${pathTo(name, records[i]?.at)}.${index}`
        return [{ path, message: `${show(value)} is already ${what} of ${show(holder)}` }]
      }),
    )
  })
}

/** The keys that records may point at. */
class KnownKeys {
  readonly #given = new Map<string, Set<Key>>()
  readonly #empty = new Map<string, boolean>()
  readonly #completed = new Map<string, readonly object[]>()
  readonly #stored: Stored

  constructor(loaded: Loaded, stored: Stored, broken: FaultOptions['broken']) {
    this.#stored = stored
    for (const name of Object.keys(kinds) as KindName[]) {
      const { completed = none, broken: ownBroken = none } = loaded[name] ?? {}
      const others = [...ownBroken, ...(broken.get(name) ?? none)]
      this.#completed.set(name, completed)
      if (completed.length + others.length === 0) continue
      const { key }: AnyTableDefinition = kinds[name]
      const keys = new Set<Key>()
      for (const record of completed) keys.add(key(record))
      for (const one of others) if (isObject(one)) keys.add(key(one))
      this.#given.set(name, keys)
    }
  }

  has({ to, key }: Reference): boolean {
    return this.#given.get(to)?.has(key) || this.#table(to)?.get(key) !== undefined
  }

  isEmpty(name: string): boolean {
    let isEmpty = this.#empty.get(name)
    if (isEmpty === undefined) {
      isEmpty = this.list(name).length === 0
      this.#empty.set(name, isEmpty)
    }
    return isEmpty
  }

  list(name: string): Key[] {
    const { key }: AnyTableDefinition = kinds[name as KindName]
    return [...(this.#given.get(name) ?? []), ...(this.#table(name)?.list() ?? []).map((record) => key(record))]
  }

  /** The records that may be pointed at by name or by key: `there are 1 ("Admin") and 2 ("Editor")`. */
  described(name: string): string {
    const { key, nameOf }: AnyTableDefinition = kinds[name as KindName]
    const records = [...(this.#completed.get(name) ?? []), ...(this.#table(name)?.list() ?? [])]
    const known = new Map(records.map((record) => [key(record), nameOf?.(record) ?? null]))
    const shown = [...known]
      .slice(0, DESCRIBED)
      .map(([id, text]) => (text === null ? show(id) : `${show(text)} (${id})`))
    const others = known.size - shown.length
    if (shown.length === 0) return 'there is none'
    return `there are ${shown.join(', ')}${others > 0 ? ` and ${others} more` : ''}`
  }

  #table(name: string): Known<object> | undefined {
    return this.#stored.kind(name as KindName)
  }
}
