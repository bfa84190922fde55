import { scenarios } from '../../../scenarios/index.js'
import { operations } from '../../service/api/operations.js'
import type { StoredFeature } from '../../service/resources/flags/features.js'
import type { StoredEvent } from '../../service/resources/instance/events.js'
import type { Contents } from '../../service/store/database.js'
import { fileOf } from '../../support/freeze.js'
import { Catalogue, type Composition, DEFAULT_SCENARIO } from '../scenarios/catalogue.js'
import type { JournalEntry } from '../sessions/journal-entry.js'
import { World } from '../sessions/world.js'
import { definitionOf } from '../state/draft.js'
import { WorldData } from '../state/state.js'
import { changesBetween, lasting } from './saved-scenario.js'

/** The seed of a copied test's mock. */
export const SEED = 1

const ANY_GENERATED = /01[0-9A-HJKMNP-TV-Z]{24}/g

/** The data that a copied test needs: scenario and fixtures to start with, and what to add to these. */
export class CopiedData {
  readonly scenario: string
  readonly fixtures: World['fixtures']
  readonly #start: Contents
  readonly #now: Date
  /** The ids that requests name. */
  readonly #ids: ReadonlySet<string>
  /** What requests name, if each is about one feature only. */
  readonly #names: ReadonlySet<string> | undefined

  /** For requests that were sent to a world. */
  constructor(world: World, sent: readonly JournalEntry[]) {
    const base = baseOf(world)
    this.#ids = new Set(sent.flatMap(idsSentWith))
    this.#names = namesIn(sent)
    this.#now = new Date(world.startedAt)
    const begin = (fixtures: World['fixtures']) =>
      new World(base, { seed: SEED, now: this.#now, fixtures, generate: () => Promise.resolve([]) })
    // Few of the records of a fixture without a file may be needed: then these are added.
    const fixtures = world.fixtures.filter(({ state }) => this.#names === undefined || fileOf(state) !== undefined)
    let start: World
    try {
      start = begin(fixtures)
    } catch {
      // They need what lies below them, which the test does not start with.
      start = begin([])
    }
    this.scenario = start.name
    this.fixtures = start.fixtures
    this.#start = start.data.contents()
  }

  /** How the test's mock gets to hold what its requests need of some data: a method, and what it takes. */
  given(before: WorldData): { call: 'add' | 'restore'; state: object } {
    const wanted = withIdsOf(this.#start, before.contents(), this.#ids)
    // Whether a project takes one more feature depends on all of them.
    const isLimited = before.tables.projects.list().some(({ featureLimit }) => featureLimit !== null)
    const fewer = this.#names === undefined || isLimited ? [] : [onlyNamed(this.#start, wanted, this.#names)]
    for (const choice of [...fewer, wanted]) {
      const after = new WorldData()
      after.replaceBy(choice)
      const state = changesBetween(this.#start, after, this.#now)
      if (state !== undefined) return { call: 'add', state }
    }
    return { call: 'restore', state: lasting(before) }
  }
}

/**
 * The scenarios that a test starts with: those of a world if everybody has them and they only give data, else the one that
 * they build on.
 */
function baseOf({ composition: { names, root } }: World): Composition {
  const builtIn = new Catalogue(scenarios)
  const usual = builtIn.compose([builtIn.has(root.name) ? root.name : DEFAULT_SCENARIO])
  if (!names.every((name) => builtIn.has(name))) return usual
  const base = builtIn.compose(names)
  return base.force.length + base.generate.length === 0 && base.latency === undefined ? base : usual
}

/**
 * The names in requests and their answers, as JSON, if each request is about one feature: then the others don't matter.
 * Undefined if an answer may list or count them.
 */
function namesIn(sent: readonly JournalEntry[]): Set<string> | undefined {
  const names = new Set<string>()
  for (const { operation, path, requestBody, responseBody } of sent) {
    const template = operations.find(({ id }) => id === operation)?.path ?? ''
    const isOfOne = operation === 'createFeature' || template.includes('/:featureName')
    if (!isOfOne || path.includes('%')) return undefined
    for (const part of path.split(/[/?&=]/)) names.add(JSON.stringify(part))
    for (const name of stringsIn(requestBody)) names.add(name)
    for (const name of stringsIn(responseBody)) names.add(name)
  }
  return names
}

/** The texts inside a value, as JSON. A text may be JSON itself. */
function stringsIn(value: unknown): string[] {
  const json = typeof value === 'string' ? value : JSON.stringify(value)
  return json.match(/"(?:[^"\\]|\\.)*"/g) ?? []
}

/**
 * Some data in which the features that no request names are as at the start, and so are the events about them. The last
 * event stays: the next one's number follows from it.
 */
function onlyNamed(start: Contents, current: Contents, names: ReadonlySet<string>): Contents {
  const last = current.get('events')?.at(-1)
  const isNamed = (name: unknown) => names.has(JSON.stringify(name))
  const isNeeded = (record: Partial<StoredFeature & StoredEvent>) =>
    record === last ||
    [record.name, record.featureName].some(isNamed) ||
    record.dependencies?.some((one) => isNamed(one.feature))
  const lists = [...current].map(([name, list]) => {
    if (name !== 'features' && name !== 'events') return [name, list] as const
    const { key } = definitionOf(name)
    const atStart = start.get(name) ?? []
    const known = new Set(atStart.map(key))
    const byKey = new Map(list.map((record) => [key(record), record]))
    const kept = atStart.flatMap((record) => {
      const now = byKey.get(key(record))
      return isNeeded(now ?? record) ? (now ?? []) : record
    })
    return [name, [...kept, ...list.filter((record) => !known.has(key(record)) && isNeeded(record))]] as const
  })
  return new Map(lists)
}

/** Records as they were at the start if only generated ids differ, of which no request names one. */
function withIdsOf(start: Contents, current: Contents, named: ReadonlySet<string>): Contents {
  const records = [...current].map(([name, list]) => {
    const { key } = definitionOf(name)
    const atStart = new Map(start.get(name)?.map((record) => [key(record), record]))
    const chosen = list.map((record) => {
      const earlier = atStart.get(key(record))
      return earlier !== undefined && isSameBut(earlier, record, named) ? earlier : record
    })
    return [name, chosen] as const
  })
  return new Map(records)
}

/** Whether nothing but generated ids differs, and none of the second record's is needed. */
function isSameBut(one: object, other: object, needed: ReadonlySet<string>): boolean {
  const [first, second] = [JSON.stringify(one), JSON.stringify(other)]
  if (first === second) return true
  const areSame = first.replaceAll(ANY_GENERATED, '') === second.replaceAll(ANY_GENERATED, '')
  return areSame && !second.match(ANY_GENERATED)?.some((id) => needed.has(id))
}

/** The generated ids that a request names. */
export function idsSentWith({ path, requestBody }: JournalEntry): string[] {
  return JSON.stringify([path, requestBody]).match(ANY_GENERATED) ?? []
}
