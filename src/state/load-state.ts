import { type DataFault, MockError } from '../contract/mock-errors.js'
import type { AnyTableDefinition, Known, KnownKind } from '../resources/shared/table.js'
import { type KindName, kinds } from '../resources/tables.js'
import type { Key } from '../store/table.js'
import type { Frozen } from '../support/freeze.js'
import type { Ids } from '../support/ids.js'
import { listFaults, parseLarge } from '../support/parse.js'
import { sentence } from '../support/sentence.js'
import { loadOrder } from './load-order.js'
import { findReferenceFaults } from './references.js'
import { type GivenState, stateSchema, type WorldData } from './state.js'
import { describeIssue } from './state-fault.js'

export interface LoadOptions {
  now: Date
  ids: Ids
  /** Where the state comes from, for the error message: a file's name, `restore()` … */
  source: string
  /** Whether the state takes the place of everything that is there, or is added to it. */
  replacesAll: boolean
  /** Whether its shape has been checked already, as that of a scenario has. */
  checked?: boolean
}

/** Completed records by the name of their kind. */
export type CompletedRecords = Readonly<Record<string, readonly Frozen<object>[]>>

const order = loadOrder(kinds)

/**
 * Loads given state: checks it, fills in what it leaves out, and puts it in place in one step.
 * Throws a `MockError` `INVALID_STATE` that says what is wrong and where. Then nothing has changed.
 */
export function loadState(data: WorldData, given: unknown, options: LoadOptions): void {
  const { replacesAll, checked } = options
  const state = checked ? (given as GivenState) : parseState(given, options)
  const existing = replacesAll ? undefined : data
  const { events = [], ...records } = completeState(state, existing, options)
  const faults = findReferenceFaults({ ...records, events }, existing)
  if (faults.length > 0) throw invalidState(faults, options)
  data.load(records, events as Parameters<WorldData['load']>[1], { replacesAll })
}

function parseState(given: unknown, options: LoadOptions): GivenState {
  const parsed = parseLarge(stateSchema, given)
  if (parsed.success) return parsed.data
  const faults = parsed.issues.map((issue) => describeIssue(issue, given))
  throw invalidState(faults, options, parsed.complete)
}

function completeState(
  state: GivenState,
  existing: WorldData | undefined,
  { now, ids }: Pick<LoadOptions, 'now' | 'ids'>,
): CompletedRecords {
  const completed: Record<string, readonly Frozen<object>[]> = {}
  const known = (kind: KnownKind) => overlay(completed[kind] ?? [], kinds[kind], existing?.tables[kind])
  for (const name of order) {
    const { needs = [], complete }: AnyTableDefinition = kinds[name as KindName]
    const needed = Object.fromEntries(needs.map((kind) => [kind, known(kind)]))
    const context = { now, ids, ...needed }
    completed[name] = givenRecords(state, name as KindName).map((given) => complete(given, context))
  }
  return completed
}

function givenRecords(state: GivenState, name: KindName): readonly unknown[] {
  if (name !== 'environments') return state[name] ?? []
  return (state.environments ?? []).filter(({ exists }) => exists !== false)
}

/** The records that there will be: those that exist, and the given ones, which take precedence. */
function overlay(
  given: readonly Frozen<object>[],
  { key }: Pick<AnyTableDefinition, 'key'>,
  existing: Known<object> | undefined,
) {
  const byKey = new Map<Key, Frozen<object>>(given.map((record) => [key(record), record]))
  const others = () => (existing?.list() ?? []).filter((record) => !byKey.has(key(record)))
  return {
    get: (wanted: Key) => byKey.get(wanted) ?? existing?.get(wanted),
    list: () => [...others(), ...given],
  }
}

function invalidState(
  faults: readonly DataFault[],
  { source }: Pick<LoadOptions, 'source'>,
  complete = true,
): MockError {
  return new MockError(
    'INVALID_STATE',
    sentence(`${source} can't be loaded: ${listFaults(faults, complete)}`),
    'Nothing was loaded. Fix the fields above and load it again.',
    faults,
  )
}
