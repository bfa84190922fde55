import type { StoredFeature } from '../../service/resources/flags/features.js'
import { connectFeature, disconnectFeature } from '../../service/resources/projects/project-environments.js'
import type { StoredProject } from '../../service/resources/projects/projects.js'
import { inOrder } from '../../service/resources/shared/checks.js'
import { merge } from '../../service/resources/shared/merge-patch.js'
import type { DataFault, KnownRecords } from '../../service/resources/shared/table.js'
import { type TableName, tables } from '../../service/resources/tables.js'
import { realTime } from '../../support/clock.js'
import { createIds, type Ids, RecordIds } from '../../support/ids.js'
import { listFaults, sentence } from '../../support/text.js'
import { MockError } from '../errors/mock-errors.js'
import { faultsByHand } from './by-hand.js'
import { Draft, definitionOf } from './draft.js'
import { findFaults, type Loaded, type LoadedRecord } from './faults.js'
import { checkState, type GivenKind, type GivenRecord, readKind } from './given.js'
import { removeRecords } from './removal.js'
import { WorldData } from './state.js'
import type { FaultList } from './state-fault.js'

const FIRST = ['environments', 'roles', 'users', 'projects'] as const satisfies (keyof KnownRecords)[]

/** Kinds on which others depend come first, each after its own dependencies. */
export const loadOrder = [...new Set([...FIRST, ...(Object.keys(tables) as TableName[])])]

interface LoadOptions {
  now: Date
  ids: Ids
  /** The source of the data, for error messages: a file's name, `restore()` … */
  source: string
  /** The file that an error names, if the data comes from one. */
  file?: string | undefined
  /** Whether the data replaces all existing data, or is added to it. */
  replacesAll: boolean
  /** Whether its shape has been checked already, like a scenario's. */
  checked?: boolean
  /** Whether a test has found no error in it, as in a built-in scenario's. */
  isFaultless?: boolean
  /** Whether it is in the mock's own format, which takes no values that only other versions of Unleash know. */
  isByHand?: boolean
  /** Whether it is a world's own changes, which were valid on another start. */
  areChanges?: boolean
  /** Whether nobody else uses it. */
  isUnshared?: boolean
  /** The hint of an error. Default: to fix the fields. */
  hint?: string | undefined
  /** The original place of a path, for error messages. Default: the path itself. */
  locate?: ((path: string) => string) | undefined
}

/**
 * Loads seed data: checks it, merges it with existing data, completes it, and stores it in one step. Throws a `MockError`
 * `INVALID_STATE` that lists the errors with their places, and changes nothing.
 */
export function loadState(data: WorldData, given: unknown, options: LoadOptions): void {
  const { state, faults, broken } = checkState(given, options)
  const draft = new Draft(data, options)
  const read = loadOrder.map((name) => [name, readKind(name, state[name], draft.kind(name), options, faults)] as const)
  if (options.isByHand && !options.isFaultless) faults.addAll(faultsByHand(state))
  loadKinds(new Map(read), draft, { ...options, faults, broken })
}

/** The records of kinds that are loaded, and the errors found in them so far. */
interface KindOptions extends LoadOptions {
  faults: FaultList
  /** Records left out because of errors. References to them are no errors. */
  broken: ReadonlyMap<string, readonly unknown[]>
}

/** Loads the records of all kinds, in load order, as `loadState` does. */
export function loadKinds(kinds: ReadonlyMap<string, GivenKind>, draft: Draft, options: KindOptions): void {
  const { replacesAll, isFaultless = false, areChanges = false, faults, broken } = options
  const removed = new Map([...kinds].flatMap(([name, kind]) => (kind.removed.size > 0 ? [[name, kind.removed]] : [])))
  removeRecords(removed, draft, faults)
  const known = Object.fromEntries(FIRST.map((name) => [name, draft.kind(name)]))
  const before = Object.fromEntries(FIRST.map((name) => [name, draft.kind(name).before]))
  const context = { now: options.now, ids: options.ids, ...known }
  const loaded: Loaded = new Map(
    [...kinds].map(([name, { records }]) => [
      name,
      records.length > 0 ? loadRecords(name, records, draft, { context, before }) : [],
    ]),
  )
  if (!replacesAll) connectFeatures(loaded, draft)
  if (!isFaultless) {
    findFaults(loaded, draft, faults, { replacesAll: replacesAll || areChanges, broken })
    if (faults.count > 0) throw invalidState(sorted(faults.told), options, faults.count)
  }
  draft.commit({ areChanges })
}

/** Merges seed records with existing records, completes them, and puts them into the draft. */
function loadRecords(
  name: string,
  records: readonly GivenRecord[],
  draft: Draft,
  { context, before }: { context: object & { ids: Ids }; before: object },
): LoadedRecord[] {
  const { fixture, complete, show, implies } = definitionOf(name)
  const kind = draft.kind(name)
  return records.map(({ at, given, key, isWhole = false }) => {
    if (context.ids instanceof RecordIds) context.ids.startRecord(name, key)
    const stored = isWhole ? undefined : kind.get(key)
    // Derived fields about other changed records refer to their earlier state.
    const around = stored === kind.before?.get(key) ? before : context
    const shown = stored && ((show?.(stored, around) ?? stored) as object)
    const implied = shown && implies?.(shown, given)
    const merged = merge(fixture, implied ? merge(fixture, shown, implied) : shown, given)
    const record = complete(merged, context)
    kind.put(record)
    return { at, given, record, stored }
  })
}

/** As in Unleash, the features of a project join each environment that the project gets, and leave each that it loses. */
function connectFeatures(loaded: Loaded, draft: Draft): void {
  const given = new Set(loaded.get('features')?.map(({ record }) => (record as StoredFeature).name))
  for (const { record, stored } of loaded.get('projects') ?? []) {
    const { id, environments } = record as StoredProject
    const before = (stored as StoredProject | undefined)?.environments ?? environments
    const added = environments.filter((name) => !before.includes(name))
    const lost = before.filter((name) => !environments.includes(name))
    if (added.length + lost.length === 0) continue
    const all = inOrder(draft.kind('environments').list() as readonly (object & { name: string; sortOrder: number })[])
    const places = new Map(all.map(({ name }, place) => [name, place]))
    for (const feature of draft.kind('features').list() as readonly StoredFeature[]) {
      if (feature.project !== id || given.has(feature.name)) continue
      const joined = added.reduce((one, name) => connectFeature(one, name, places), feature)
      const moved = lost.reduce(disconnectFeature, joined)
      if (moved !== feature) draft.kind('features').put(moved)
    }
  }
}

/** Errors in the order of the kinds. */
function sorted(faults: readonly DataFault[]): DataFault[] {
  const names = Object.keys(tables)
  const rank = ({ path }: DataFault) => names.indexOf(/^\$\.(\w+)/.exec(path)?.[1] ?? '')
  return faults.toSorted((one, other) => rank(one) - rank(other))
}

const IN_LISTS = ' Records belong in lists, such as { "features": [{ "name": "new-checkout" }] }.'

/** Whether an error is about a field outside the lists that isn't the misspelt name of a list. */
function isOutsideLists({ path, message }: DataFault): boolean {
  return path === '$' && message.endsWith('is unknown')
}

export function invalidState(
  found: readonly DataFault[],
  {
    source,
    file,
    hint = `Fix the fields above and load it again.${found.some(isOutsideLists) ? IN_LISTS : ''}`,
    locate = (path) => path,
  }: Pick<LoadOptions, 'source' | 'file' | 'hint' | 'locate'>,
  count = found.length,
): MockError {
  const faults = found.map(({ path, message }) => ({ path: locate(path), message }))
  return new MockError(
    'INVALID_STATE',
    sentence(`${source} can't be loaded: ${listFaults(faults, count)}`),
    `Nothing was loaded. ${hint}`,
    faults,
    { file },
  )
}

/** The data of a world from a snapshot. Throws `INVALID_STATE`, with the source in the message. */
export function dataFrom(snapshot: unknown, source: string): WorldData {
  const data = new WorldData()
  loadState(data, snapshot, { now: new Date(realTime()), ids: createIds(), source, replacesAll: true })
  return data
}
