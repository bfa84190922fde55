import type { DataFault } from '../contract/mock-errors.js'
import type { AnyTableDefinition, FixtureContext } from '../resources/shared/table.js'
import { type KindName, kinds } from '../resources/tables.js'
import type { Key } from '../store/table.js'
import { isObject, valueAt } from '../support/json.js'
import { checkGiven, meantRecord } from './state-fault.js'
import type { Stored } from './stored.js'

/** Where a record is given: in a list, or in an object by whose names records are found. */
export function pathTo(name: KindName, at: string | number | undefined): string {
  return typeof at === 'number' ? `$.${name}[${at}]` : `$.${name}.${at}`
}

/** What a given record says, and where. */
interface Place {
  place: string
  said: Key
}

/** Where a given record says something that stands at a path of the completed one; undefined if it doesn't say it. */
export function placeOf({ given }: GivenRecord, at: string, key: Key): Place | undefined {
  const path = pathOf(at)
  if (valueAt(given, path) === key) return { place: at, said: key }
  const found = search(given, key)
  return found === undefined ? undefined : { place: found, said: key }
}

/** The name by which a key was looked up: `"role": "Editor"` where the record has `role.id`. */
export function namePlace({ given }: GivenRecord, at: string): Place | undefined {
  const path = pathOf(at)
  for (let length = path.length; length > 0; length--) {
    const said = valueAt(given, path.slice(0, length))
    if (typeof said === 'string') return { place: textOf(path.slice(0, length)), said }
  }
  return undefined
}

function pathOf(at: string): string[] {
  return at.split(/[.[\]]+/).filter((part) => part !== '')
}

function textOf(path: readonly string[]): string {
  return path.reduce((text, part) => (/^\d+$/.test(part) ? `${text}[${part}]` : `${text}${text && '.'}${part}`), '')
}

function search(value: unknown, wanted: Key): string | undefined {
  if (!isObject(value) && !Array.isArray(value)) return undefined
  for (const [name, inner] of Object.entries(value)) {
    const step = Array.isArray(value) ? `[${name}]` : `.${name}`
    if (inner === wanted || name === wanted) return step.replace(/^\./, '')
    const rest = search(inner, wanted)
    if (rest !== undefined) return `${step}${rest.startsWith('[') ? '' : '.'}${rest}`.replace(/^\./, '')
  }
  return undefined
}

/** A record as it is given: what it says, where it stands, and the stored record that it is laid over. */
export interface GivenRecord {
  at: string | number
  given: unknown
  stored: object | undefined
}

/** The given records of a kind, the keys of those that are to be removed, and what is wrong with them. */
export interface GivenKind {
  records: readonly GivenRecord[]
  removed: readonly Key[]
  faults: readonly DataFault[]
}

type Context = Pick<FixtureContext, 'now' | 'ids'>

/** Reads the records of a kind: from a list, or from an object by whose names they are found. */
export function readKind(name: KindName, value: unknown, stored: Stored, context: Context): GivenKind {
  if (Array.isArray(value)) return readList(name, value, stored, context)
  if (isObject(value)) return readObject(name, value, stored, context)
  return { records: [], removed: [], faults: [] }
}

function readList(name: KindName, list: readonly unknown[], stored: Stored, context: Context): GivenKind {
  const definition: AnyTableDefinition = kinds[name]
  const known = stored.kind(name)
  const keyOf = (given: unknown) => definition.givenKey?.(given, context) ?? definition.key(given as object)
  const records: GivenRecord[] = []
  const removed: Key[] = []
  for (const [at, given] of list.entries()) {
    if (given === undefined) continue
    if (definition.isRemoval?.(given)) removed.push(keyOf(given))
    else records.push({ at, given, stored: known?.get(keyOf(given)) })
  }
  return { records, removed, faults: [] }
}

function readObject(
  name: KindName,
  value: Readonly<Record<string, unknown>>,
  stored: Stored,
  context: Context,
): GivenKind {
  const definition: AnyTableDefinition = kinds[name]
  const records: GivenRecord[] = []
  const removed: Key[] = []
  const faults: DataFault[] = []
  for (const [at, given] of Object.entries(value)) {
    if (given === undefined) continue
    const found = stored.named(name, at)
    const path = `$.${name}.${at}`
    if (given === null) {
      if (name === 'events') faults.push({ path, message: 'is an event: events stay as they are logged' })
      else if (found !== undefined) removed.push(definition.key(found))
    } else if (found !== undefined) {
      faults.push(...keyFaults(definition, found, given, path))
      if (definition.isRemoval?.(given)) removed.push(definition.key(found))
      else records.push({ at, given, stored: found })
    } else {
      const checked = checkGiven(definition.fixture, given)
      if (checked.ok) records.push(...readList(name, [given], stored, context).records.map((one) => ({ ...one, at })))
      else faults.push(unknownRecord(definition, path, at, stored.names(name)))
    }
  }
  return { records, removed, faults }
}

/** A record that is found by its name keeps its key. */
function keyFaults(definition: AnyTableDefinition, found: object, given: unknown, path: string): DataFault[] {
  const key = definition.key({ ...found, ...(given as object) })
  if (key === definition.key(found)) return []
  return [{ path, message: `is "${definition.key(found)}": its key can't be changed to "${key}"` }]
}

function unknownRecord(
  { keyName }: AnyTableDefinition,
  path: string,
  name: string,
  known: readonly string[],
): DataFault {
  const hint = meantRecord(name, known)
  const message = `must be ${keyName} that exists${hint && `.${hint}`}${hint ? ' A' : ', or a'} new record needs its key as a field`
  return { path, message }
}
