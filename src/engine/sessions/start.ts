import { scenarios as builtIn } from '../../../scenarios/index.js'
import type { Contents } from '../../service/store/database.js'
import { none } from '../../support/freeze.js'
import { sha256Hex } from '../../support/hash.js'
import type { Ids } from '../../support/ids.js'
import { listFaults, sentence } from '../../support/text.js'
import { MockError } from '../errors/mock-errors.js'
import type { Composition } from '../scenarios/catalogue.js'
import type { FeatureGeneration } from '../scenarios/scenario.js'
import { invalidState, loadState } from '../state/load-state.js'
import type { PartialState } from '../state/partial-state.js'
import { takeSnapshot, WorldData } from '../state/state.js'
import { danglingReference } from '../state/state-fault.js'
import { readServiceFile } from '../transfer/read-file.js'
import type { ServiceFile } from '../transfer/service-file.js'

/** Start data of all worlds of a mock, with the name of its source. */
export interface SourcedFixture {
  state: PartialState | ServiceFile
  source: string
}

/** Generates features. Returns a promise if the code has to be loaded first. */
export type Generate = (what: FeatureGeneration, now: Date) => Iterable<PartialState> | Promise<Iterable<PartialState>>

/** The start of a world. */
export interface Start {
  composition: Composition
  /** The start time, by its clock. */
  time: number
  /** The data below the data of its scenarios. */
  fixtures: readonly SourcedFixture[]
  /** Its records. Undefined while data is generated, and for saved worlds. */
  contents?: Contents | undefined
  /** A hash of the fixtures, scenarios and seed behind its data, computed on first use. */
  hash: () => string
}

const hashes = new WeakMap<object, string>()

/** Computes `Start.hash`. Worlds share fixtures and scenarios, so each is hashed once. */
export function hashOfStart(
  { root, seeds, generate }: Composition,
  fixtures: readonly SourcedFixture[],
  seed: string | number | undefined,
): string {
  const given = [root.seed ?? none, ...seeds, generate, ...fixtures.map(({ state }) => state)]
  const parts = given.map((part) => {
    const hash = hashes.get(part) ?? sha256Hex(JSON.stringify(part))
    hashes.set(part, hash)
    return hash
  })
  return sha256Hex([seed, ...parts].join()).slice(0, 16)
}

type Loading = Omit<Parameters<typeof loadState>[2], 'now' | 'ids'>

/**
 * Loads the start data of scenarios. Its dates count from the start, however long loading takes: the same start gives the
 * same data. Returns a promise if data has to be generated. Throws `INVALID_STATE` or `INVALID_SCENARIO`.
 */
export function loadStart(
  { composition, time, fixtures }: Start,
  { ids, generate }: { ids: Ids; generate: Generate },
): Contents | Promise<Contents> {
  const data = new WorldData()
  const now = new Date(time)
  const load = (given: unknown, options: Loading) => loadState(data, given, { ...options, now, ids })
  const loadSeed = (state: PartialState) =>
    load(state, {
      source: `The scenario "${composition.names.join(',')}"`,
      replacesAll: false,
      checked: true,
      locate: (path) => path.replace('$', '$.seed'),
    })
  const loadFixture = ({ state, source }: SourcedFixture) =>
    loadGiven(state, { source, replacesAll: false }, () => takeSnapshot(data), load)
  loadGround(composition, fixtures, { loadSeed, loadFixture })
  for (const seed of composition.seeds) loadSeed(seed)
  const batches = composition.generate.map((what) => generate(what, now))
  const finish = (lists: readonly Iterable<PartialState>[]) => {
    for (const [at, list] of lists.entries()) {
      const { project = 'default' } = composition.generate[at] ?? {}
      if (!data.tables.projects.has(project)) throw unknownProject(project, data)
      for (const batch of list) loadSeed(batch)
    }
    return data.contents()
  }
  const areReady = (lists: typeof batches): lists is Iterable<PartialState>[] =>
    lists.every((list) => !(list instanceof Promise))
  return areReady(batches) ? finish(batches) : Promise.all(batches).then(finish)
}

/** Loads seed data, or an export file of Unleash. */
export function loadGiven(
  given: unknown,
  options: Loading,
  snapshot: Parameters<typeof readServiceFile>[1],
  load: (given: unknown, options: Loading) => void,
): void {
  const file = options.replacesAll ? undefined : readServiceFile(given, snapshot)
  if (file === undefined) load(given, options)
  else if (file.faults.length > 0) throw invalidState(file.faults, options)
  else load(file.state, { ...options, locate: file.locate })
}

interface Ground {
  loadSeed(state: PartialState): void
  loadFixture(fixture: SourcedFixture): void
}

/**
 * Loads the data below the scenarios. Fixtures can change built-in data. A custom scenario changes fixtures, even if it
 * extends nothing. It can contain the projects that fixtures need, so its data also loads before them, unless it needs
 * them itself.
 */
function loadGround({ root }: Composition, fixtures: readonly SourcedFixture[], to: Ground): void {
  const seed = root.seed ?? {}
  const isOwn = !builtIn.includes(root)
  try {
    if (!isOwn || fixtures.length > 0) to.loadSeed(seed)
  } catch (error) {
    if (!isOwn) throw error
  }
  for (const fixture of fixtures) to.loadFixture(fixture)
  if (isOwn) to.loadSeed(seed)
}

function unknownProject(project: string, { tables }: WorldData): MockError {
  const known = tables.projects.list().map(({ id }) => id)
  const fault = danglingReference('$.generate.project', 'a project', project, known)
  return new MockError(
    'INVALID_SCENARIO',
    sentence(`Features can't be generated: ${listFaults([fault])}`),
    'Add the project to a fixture or to the seed, or use an existing project.',
    [fault],
  )
}
