import { duplicateFaults } from '../../service/resources/shared/checks.js'
import type { AnyTableDefinition, DataFault, Reference } from '../../service/resources/shared/table.js'
import { tables } from '../../service/resources/tables.js'
import type { Key } from '../../service/store/table.js'
import { isObject, show, valueAt } from '../../support/json.js'
import { type Draft, type DraftKind, definitionOf } from './draft.js'
import { danglingReference, type FaultList, hasSecretKey, jsonPath } from './state-fault.js'

/** A record from seed data: its place and value, the completed record, and the record that it was merged into. */
export interface LoadedRecord {
  at: string | number
  given: object
  record: object
  stored: object | undefined
}

export type Loaded = ReadonlyMap<string, readonly LoadedRecord[]>

interface FaultOptions {
  replacesAll: boolean
  /** Records left out because of errors. References to them are no errors. */
  broken: ReadonlyMap<string, readonly unknown[]>
}

/** The maximum records that a message lists by name. */
const DESCRIBED = 20

/** All duplicate keys, dangling references, and other errors that the tables find. */
export function findFaults(
  loaded: Loaded,
  draft: Draft,
  faults: FaultList,
  { replacesAll, broken }: FaultOptions,
): void {
  const isKnown = ({ to, key }: Reference) => draft.kind(to).get(key) !== undefined || isBroken(broken, to, key)
  for (const name of Object.keys(tables)) {
    const records = loaded.get(name) ?? []
    if (records.length === 0) continue
    const { key, references, faults: faultsIn } = definitionOf(name)
    const further = faultsIn?.(draft.kind(name))
    const duplicates = duplicateFaults(
      '',
      records.map(({ record }) => key(record)),
    )
    for (const { path, message: told } of duplicates) {
      const message = hasSecretKey(name) ? 'its secret is already in use' : told
      faults.add(() => ({ path: jsonPath([name, records[Number(path.slice(1, -1))]?.at ?? path]), message }))
    }
    faults.addAll(sharedValues(name, records, draft.kind(name)))
    for (const one of records) {
      for (const reference of references?.(one.record) ?? []) {
        if (isKnown(reference) || (reference.onWriting && (replacesAll || isOld(reference, one, references)))) continue
        faults.add(() => dangling(name, one, reference, draft.kind(reference.to)))
      }
      for (const { path, message } of further?.of(one.record, one.given) ?? []) {
        faults.add(() => ({ path: `${jsonPath([name, one.at])}.${path}`, message }))
      }
    }
  }
}

function isBroken(broken: FaultOptions['broken'], name: string, key: Key): boolean {
  const { key: keyOf } = definitionOf(name)
  return broken.get(name)?.some((given) => isObject(given) && keyOf(given) === key) ?? false
}

/** Whether the stored record already has the reference, whose target Unleash has since removed. */
function isOld(
  { to, key }: Reference,
  { stored }: LoadedRecord,
  references: AnyTableDefinition['references'],
): boolean {
  return stored !== undefined && [...(references?.(stored) ?? [])].some((old) => old.to === to && old.key === key)
}

/** Values that must be unique, such as an email address, and that two records share. */
function sharedValues(name: string, loaded: readonly LoadedRecord[], draft: DraftKind): DataFault[] {
  const { unique = {}, indexes, key } = definitionOf(name)
  return Object.entries(unique).flatMap(([index, what]) => {
    const holders = new Map<Key, Key>()
    for (const record of draft.list()) {
      for (const value of indexes[index]?.(record) ?? []) if (!holders.has(value)) holders.set(value, key(record))
    }
    return loaded.flatMap(({ at, record }) =>
      (indexes[index]?.(record) ?? []).flatMap((value) => {
        const holder = holders.get(value)
        if (holder === undefined || holder === key(record)) return []
        return [
          { path: `${jsonPath([name, at])}.${index}`, message: `${show(value)} is already ${what} of ${show(holder)}` },
        ]
      }),
    )
  })
}

function dangling(
  name: string,
  { at: place, given }: LoadedRecord,
  { at, orAt = at, to, key }: Reference,
  known: DraftKind,
): DataFault {
  const { keyName, nameOf } = definitionOf(to)
  const usual = stepsOf(at)
  const own = valueAt(given, usual) === key ? usual : search(given, key)
  const found = own ?? namePlace(given, stepsOf(orAt))
  const path = jsonPath([name, place, ...(found ?? usual)])
  if (found === undefined) {
    return { path, message: `must be ${keyName} that exists; the default, ${show(key)}, does not` }
  }
  const said = own === undefined ? String(valueAt(given, found)) : key
  const fault = danglingReference(path, keyName, said, known.keys)
  return nameOf === undefined ? fault : { path, message: `${fault.message}; ${described(to, known)}` }
}

/** The records that a reference can name, or give the key of: `there are "Admin" (1) and "Editor" (2)`. */
function described(name: string, known: DraftKind): string {
  const { key, nameOf } = definitionOf(name)
  const all = known.list()
  const shown = all.slice(0, DESCRIBED).map((record) => {
    const text = nameOf?.(record) ?? null
    return text === null ? show(key(record)) : `${show(text)} (${key(record)})`
  })
  const others = all.length - shown.length
  if (shown.length === 0) return 'there is none'
  return `there are ${shown.join(', ')}${others > 0 ? ` and ${others} more` : ''}`
}

/** The place of a name that gave a key: `"role": "Editor"` if the record has `role.id`. */
function namePlace(given: object, path: readonly PropertyKey[]): readonly PropertyKey[] | undefined {
  if (path.length === 0) return undefined
  return typeof valueAt(given, path) === 'string' ? path : namePlace(given, path.slice(0, -1))
}

function stepsOf(at: string): PropertyKey[] {
  const parts = at.split(/[.[\]]+/).filter((part) => part !== '')
  return parts.map((part) => (/^\d+$/.test(part) ? Number(part) : part))
}

/** The place of a key in seed data, or of a value that gave the key. */
function search(value: unknown, wanted: Key, path: readonly PropertyKey[] = []): readonly PropertyKey[] | undefined {
  if (!isObject(value) && !Array.isArray(value)) return undefined
  for (const [name, inner] of Object.entries(value)) {
    const here = [...path, Array.isArray(value) ? Number(name) : name]
    const found = inner === wanted || name === wanted ? here : search(inner, wanted, here)
    if (found !== undefined) return found
  }
  return undefined
}
