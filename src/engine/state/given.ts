import * as z from 'zod'
import type { DataFault } from '../../service/contract/mock-errors.js'
import { patchOf } from '../../service/resources/shared/merge-patch.js'
import type { FixtureContext } from '../../service/resources/shared/table.js'
import type { Key } from '../../service/store/table.js'
import { isOwn } from '../../support/freeze.js'
import { isObject } from '../../support/json.js'
import { grouped } from '../../support/lists.js'
import { type DraftKind, definitionOf } from './draft.js'
import { stateSchema } from './state.js'
import { checkGiven, FaultList, jsonPath, meantRecord } from './state-fault.js'

/** Given state whose shape has been checked. Records with faults are left out of it. */
interface CheckedState {
  state: Readonly<Record<string, unknown>>
  faults: FaultList
  /** Records that have faults, as they were given, by their kind. */
  broken: ReadonlyMap<string, readonly unknown[]>
}

/** State of our own that has its shape: what the check made of it has taken its place, and is not checked again. */
const wellFormed = new WeakSet<object>()

/** Checks the shape of given state. What is faultless is returned, so that all other faults can be found as well. */
export function checkState(given: unknown, isChecked: boolean): CheckedState {
  const broken = new Map<string, unknown[]>()
  const faults = new FaultList()
  if (isObject(given) && (isChecked || wellFormed.has(given))) return { state: given, faults, broken }
  const found = checkGiven(stateSchema, given)
  if (found.ok) {
    // Records share what they can with it: of a file with 100,000 features, nothing is kept twice.
    if (isObject(given) && isOwn(given)) wellFormed.add(Object.assign(given, found.data))
    return { state: found.data, faults, broken }
  }
  faults.addAll(found.faults)
  faults.count = Math.max(faults.count, found.issues.length)
  // What is nested too deep can't be read on.
  if (found.issues.length === 0) return { state: {}, faults, broken }
  const state: Record<string, unknown> = isObject(given) ? { ...given } : {}
  const paths = found.issues.map(({ path }) => path.map(String))
  for (const [kind, places] of grouped(paths, ([first = '']) => first)) drop(state, kind, places, broken)
  return { state, faults, broken }
}

/** Leaves out the records of a kind that paths lead into; all of them if one leads into none. */
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

/** A record as it is given: where, what it says, and the key by which it merges. */
export interface GivenRecord {
  at: string | number
  given: object
  key: Key
}

/** The given records of a kind, and the keys of those that are to be removed. */
interface GivenKind {
  records: GivenRecord[]
  removed: Set<Key>
}

/** Reads the records of a kind: from a list, or from an object by whose names they are found. */
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
      else faults.add(() => unknownRecord(keyName, path, meantRecord(at, draft.keys.map(String))))
    }
  }
  return read
}

/** A name that no record has is probably a typo, unless the record says by its own key that it is new. */
function unknownRecord(keyName: string, path: string, hint: string): DataFault {
  const rest = hint ? `.${hint} A` : ', or a'
  return { path, message: `must be ${keyName} that exists${rest} new record needs its key as a field` }
}
