import type { DataFault } from '../contract/mock-errors.js'
import type { KindName } from '../resources/tables.js'
import { isObject } from '../support/json.js'
import { type GivenState, stateSchema } from './state.js'
import { checkGiven } from './state-fault.js'

/** Given state whose shape has been checked. Records with faults are left out of it. */
interface ReadState {
  state: Readonly<Partial<Record<KindName, unknown>>>
  faults: readonly DataFault[]
  /** Records that have faults, as they were given, by their kind. */
  broken: ReadonlyMap<string, readonly unknown[]>
  /** Whether these are all faults of its shape. */
  complete: boolean
}

const NONE: ReadonlyMap<string, readonly unknown[]> = new Map()

/** Checks the shape of given state. What is faultless is returned, so that all other faults can be found as well. */
export function readState(given: unknown, { checked }: { checked?: boolean }): ReadState {
  if (checked) return { state: given as GivenState, faults: [], broken: NONE, complete: true }
  const found = checkGiven(stateSchema, given)
  if (found.ok) return { state: found.data, faults: [], broken: NONE, complete: true }
  if (!found.complete) return { state: {}, faults: found.faults, broken: NONE, complete: false }
  const broken = new Map<string, unknown[]>()
  const state: Record<string, unknown> = isObject(given) ? { ...given } : {}
  for (const { path } of found.issues) drop(state, path, broken)
  return { state, faults: found.faults, broken, complete: true }
}

/** Leaves out the record that a path leads into; all records of the kind if it leads into none. */
function drop(state: Record<string, unknown>, path: readonly PropertyKey[], broken: Map<string, unknown[]>): void {
  const [kind, at] = path.map(String)
  if (kind === undefined) return
  const list = state[kind]
  if (at === undefined || typeof list !== 'object' || list === null) {
    delete state[kind]
    return
  }
  const entries = Object.entries(list)
  const found = entries.find(([place]) => place === at)?.[1]
  if (found !== undefined) broken.set(kind, [...(broken.get(kind) ?? []), found])
  const rest = entries.map(([place, record]) => (place === at ? undefined : record))
  state[kind] = Array.isArray(list) ? rest : Object.fromEntries(entries.map(([place], i) => [place, rest[i]]))
}
