import * as z from 'zod'
import { patchOf } from '../../service/resources/shared/merge-patch.js'
import type { DataFault, FixtureContext } from '../../service/resources/shared/table.js'
import type { Key } from '../../service/store/table.js'
import { isObject } from '../../support/json.js'
import { grouped } from '../../support/lists.js'
import { FAULTS_TOLD } from '../../support/text.js'
import { type DraftKind, definitionOf } from './draft.js'
import { stateSchema } from './state.js'
import { checkGiven, FaultList, fieldIn, jsonPath, meantRecord } from './state-fault.js'

/** Seed data of a checked shape, without invalid records. */
interface CheckedState {
  state: Readonly<Record<string, unknown>>
  faults: FaultList
  /** Invalid records, unchanged, by table. */
  broken: ReadonlyMap<string, readonly unknown[]>
}

/** Unshared seed data of a checked shape: the parsed data has replaced it, and is not checked again. */
const wellFormed = new WeakSet<object>()

/**
 * Checks the shape of seed data. Returns the valid part, so that later checks can find all other errors. Unshared data is
 * replaced by its checked form.
 */
export function checkState(given: unknown, { checked: isChecked = false, isUnshared = false }): CheckedState {
  const broken = new Map<string, unknown[]>()
  const faults = new FaultList()
  if (isObject(given) && (isChecked || wellFormed.has(given))) return { state: given, faults, broken }
  const { data, failure } = checkGiven(stateSchema, given)
  if (failure === undefined) {
    // The records share their values with it: even a file with 100,000 features is in memory only once.
    if (isObject(given) && isUnshared) wellFormed.add(Object.assign(given, data))
    return { state: data, faults, broken }
  }
  faults.addAll(failure.faults)
  faults.count = Math.max(faults.count, failure.issues.length)
  // Data that is nested too deeply can't be checked further, and data with so many errors wasn't checked as a whole.
  if (failure.issues.length === 0 || failure.issues.length >= FAULTS_TOLD) return { state: {}, faults, broken }
  const state: Record<string, unknown> = isObject(given) ? { ...given } : {}
  const paths = failure.issues.map(({ path }) => path.map(String))
  for (const [kind, places] of grouped(paths, ([first = '']) => first)) drop(state, kind, places, broken)
  return { state, faults, broken }
}

/** Leaves out the records of a kind with errors at given paths; all records if a path is of the kind itself. */
function drop(
  state: Record<string, unknown>,
  kind: string,
  paths: readonly (readonly string[])[],
  broken: Map<string, unknown[]>,
): void {
  const given = state[kind]
  const places = new Set(paths.map(([, at]) => at))
  if (places.has(undefined) || typeof given !== 'object' || given === null) {
    delete state[kind]
    return
  }
  const entries = Object.entries(given)
  const left = entries.map(([place, record]) => [place, places.has(place) ? undefined : record] as const)
  broken.set(
    kind,
    entries.flatMap(([place, record]) => (places.has(place) ? [record] : [])),
  )
  state[kind] = Array.isArray(given) ? left.map(([, record]) => record) : Object.fromEntries(left)
}

/** A record in seed data: its place, its value, and its merge key. */
export interface GivenRecord {
  at: string | number
  given: object
  key: Key
  /** Whether it replaces the stored record, in place of being merged into it. */
  isWhole?: boolean
}

/** The seed records of a kind, and the keys of the records to remove. */
export interface GivenKind {
  records: GivenRecord[]
  removed: Set<Key>
}

/** Reads the records of a kind: from a list, or from an object that names them. */
export function readKind(
  name: string,
  value: unknown,
  draft: DraftKind,
  context: Pick<FixtureContext, 'now' | 'ids'>,
  faults: FaultList,
): GivenKind {
  const { key, givenKey = key, isRemoval, fixture, keyName } = definitionOf(name)
  const read: GivenKind = { records: [], removed: new Set() }
  const add = (at: string | number, given: object, found = givenKey(given, context)) => {
    if (isRemoval?.(given)) read.removed.add(found)
    else read.records.push({ at, given, key: found })
  }
  if (Array.isArray(value)) {
    for (const [at, given] of value.entries()) if (given !== undefined) add(at, given)
  }
  for (const [at, given] of isObject(value) ? Object.entries(value) : []) {
    const path = jsonPath([name, at])
    const found = draft.called(at)
    if (given === null) {
      if (name === 'events')
        faults.add(() => ({ path, message: 'is an event, and no request can change a logged event' }))
      else if (found !== undefined) read.removed.add(found)
    } else if (isObject(given)) {
      if (found !== undefined) {
        const other = key({ ...draft.get(found), ...given })
        if (other === found) add(at, given, found)
        else faults.add(() => ({ path, message: `is "${found}": its key can't be changed to "${other}"` }))
      } else if (z.safeParse(patchOf(fixture), given).success) add(at, given)
      else faults.add(() => unknownRecord(keyName, path, fieldIn(name, at), meantRecord(at, draft.keys.map(String))))
    }
  }
  return read
}

/** The name of an unknown record is probably a typo, unless the record has its own key, and so is new. */
function unknownRecord(keyName: string, path: string, own: string, hint: string): DataFault {
  const rest = hint ? `.${hint} A` : ', or a'
  return { path, message: `must be ${keyName} that exists${rest} new record needs its key as a field${own}` }
}
