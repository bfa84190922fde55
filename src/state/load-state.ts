import { type DataFault, MockError } from '../contract/mock-errors.js'
import type { AnyTableDefinition, KnownKind, KnownRecords } from '../resources/shared/table.js'
import { type KindName, kinds } from '../resources/tables.js'
import type { Ids } from '../support/ids.js'
import { listFaults } from '../support/parse.js'
import { sentence } from '../support/text.js'
import { findContradictions } from './contradictions.js'
import { findFaults } from './faults.js'
import { type GivenKind, type GivenRecord, pathTo, readKind } from './given.js'
import { type Loaded, type LoadedKind, overlay, put } from './loaded.js'
import { lay, planOf, settle } from './merge.js'
import { readState } from './read-state.js'
import { removeRecords } from './removal.js'
import type { WorldData } from './state.js'
import { checkGiven } from './state-fault.js'
import { Stored } from './stored.js'

/**
 * The names of the kinds in an order in which each comes after those that its completion needs.
 * Throws if two kinds need each other.
 */
export function loadOrder(kinds: Readonly<Record<string, Pick<AnyTableDefinition, 'needs'>>>): string[] {
  const order: string[] = []
  const place = (name: string, path: readonly string[]): void => {
    if (order.includes(name)) return
    if (path.includes(name)) throw new Error(`Kinds of records need each other: ${[...path, name].join(' → ')}.`)
    for (const needed of kinds[name]?.needs ?? []) place(needed, [...path, name])
    order.push(name)
  }
  for (const name of Object.keys(kinds)) place(name, [])
  return order
}

interface LoadOptions {
  now: Date
  ids: Ids
  /** Where the state comes from, for the error message: a file's name, `restore()` … */
  source: string
  /** Whether the state takes the place of everything that is there, or is added to it. */
  replacesAll: boolean
  /** Whether its shape has been checked already, as that of a scenario has. */
  checked?: boolean
  /** Where what stands at a path came from, for the error message. Default: it is given as it is. */
  locate?: ((path: string) => string) | undefined
}

const order = loadOrder(kinds) as KindName[]

/** Seeds of which a new world was made without faults. Nobody changes them, so they are searched for faults only once. */
const faultless = new WeakSet<object>()

/**
 * Loads given state: checks it, lays it over what is there, fills in what is left out, and puts it in place in one step.
 * Throws a `MockError` `INVALID_STATE` that says what is wrong and where. Then nothing has changed.
 */
export function loadState(data: WorldData, given: unknown, options: LoadOptions): void {
  const stored = new Stored(options.replacesAll ? undefined : data)
  const { state, faults, broken, complete } = readState(given, options)
  const read = order.map((name) => [name, readKind(name, state[name], stored, options)] as const)
  const removed = new Map(read.flatMap(([name, { removed: keys }]) => (keys.length > 0 ? [[name, new Set(keys)]] : [])))
  const removal = removeRecords(removed, stored)
  const loaded = completeKinds(read, stored, options)
  const isSeed = options.checked === true && data.isEmpty
  if (!isSeed || !faultless.has(state)) {
    const found = [...faults, ...removal.faults, ...findFaults(loaded, stored, { ...options, broken })]
    if (found.length === 0) found.push(...findContradictions(data, loaded, removal, options))
    if (found.length > 0) throw invalidState(inOrder(found), options, complete)
    if (isSeed) faultless.add(state)
  }
  put(data, loaded, removal, options)
}

function completeKinds(
  read: readonly (readonly [KindName, GivenKind])[],
  stored: Stored,
  { now, ids }: Pick<LoadOptions, 'now' | 'ids'>,
): Loaded {
  const loaded: Partial<Record<KindName, LoadedKind>> = {}
  const known = (kind: KnownKind) => overlay(loaded[kind]?.completed ?? [], kinds[kind], stored.kind(kind))
  const shownWith = () =>
    ({
      environments: known('environments'),
      projects: known('projects'),
      users: known('users'),
      roles: known('roles'),
    }) as KnownRecords
  for (const [name, { records, removed, faults: ofKind }] of read) {
    if (records.length + removed.length + ofKind.length === 0) continue
    const { needs = [], complete }: AnyTableDefinition = kinds[name]
    const context: Record<string, unknown> = { now, ids }
    for (const needed of needs) context[needed] = known(needed)
    const laid = records.map((record) => ({ record, ...layRecord(name, record, shownWith) }))
    const whole = laid.filter(({ faults }) => faults.length === 0)
    loaded[name] = {
      removed,
      faults: [...ofKind, ...laid.flatMap(({ faults }) => faults)],
      records: whole.map(({ record }) => record),
      completed: whole.map(({ fields }) => complete(fields, context)),
      broken: laid.flatMap(({ record, faults }) => (faults.length === 0 ? [] : [record.given])),
    }
  }
  return loaded
}

const NONE: readonly DataFault[] = []

/** A given record laid over the stored one, with lists in place of the objects that stand for them. */
function layRecord(
  name: KindName,
  { at, given, stored }: GivenRecord,
  shownWith: () => KnownRecords,
): { fields: unknown; faults: readonly DataFault[] } {
  const { fixture, show, beneath }: AnyTableDefinition = kinds[name]
  const plan = planOf(fixture)
  const shown = stored && ((show?.(stored, shownWith()) ?? stored) as object)
  const settled = settle(plan, given)
  const fields = shown === undefined ? settled : lay(plan, beneath?.(shown, given) ?? shown, given)
  if (settled === given) return { fields, faults: NONE }
  // An object may change part of an item, so only now is it known whether a new item is complete.
  const checked = checkGiven(fixture, fields)
  const place = pathTo(name, at)
  const faults = checked.ok ? NONE : checked.faults.map((fault) => ({ ...fault, path: place + fault.path.slice(1) }))
  return { fields, faults }
}

/** Faults in the order of the kinds, however they were found. */
function inOrder(faults: readonly DataFault[]): DataFault[] {
  const names = Object.keys(kinds)
  const rank = ({ path }: DataFault) => names.indexOf(/^\$\.(\w+)/.exec(path)?.[1] ?? '')
  return faults.toSorted((one, other) => rank(one) - rank(other))
}

/** The error for state that can't be loaded. */
export function invalidState(
  found: readonly DataFault[],
  { source, locate = (path) => path }: Pick<LoadOptions, 'source' | 'locate'>,
  complete: boolean,
): MockError {
  const faults = found.map(({ path, message }) => ({ path: locate(path), message }))
  return new MockError(
    'INVALID_STATE',
    sentence(`${source} can't be loaded: ${listFaults(faults, complete)}`),
    'Nothing was loaded. Fix the fields above and load it again.',
    faults,
  )
}
