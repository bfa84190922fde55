import type { FlagStates } from '../../service/resources/sdk/told-features.js'
import { isSame, show } from '../../support/json.js'
import { didYouMean } from '../../support/nearest.js'
import { MockError } from '../errors/mock-errors.js'
import type { PartialState } from '../state/partial-state.js'
import type { ForceRule } from './force-rule.js'
import { idleRules } from './idle-rules.js'
import { SavedScenarios } from './saved-scenarios.js'
import { type FeatureGeneration, type Latency, parseScenario, type Scenario, scenarioSource } from './scenario.js'
import { stateName } from './selection.js'

/** A scenario, as lists show it. */
export interface ScenarioState {
  name: string
  title: string
  promise: string
  active: boolean
  /** Whether it was saved here, so that users can remove it. */
  saved?: true
}

/** Combined scenarios: the sources of a world. */
export interface Composition {
  names: readonly string[]
  now?: string
  /** The scenario that extends no other: fixtures are added to its data. */
  root: Scenario
  /** The data that the others add, in loading order. */
  seeds: readonly PartialState[]
  generate: readonly FeatureGeneration[]
  /** The names of the scenarios of its root, its seeds and its generated data, in this order. */
  sources: readonly string[]
  /** The states that SDKs are told in place of the data. */
  flags: FlagStates
  /** The last matching rule wins. */
  force: readonly ForceRule[]
  latency?: Latency
  /** Whether the mock's fixtures are included. */
  fixtures: boolean
}

export const DEFAULT_SCENARIO = 'default'

/** The maximum sentences about rules that can never apply: a header contains them. */
const SENTENCES_TOLD = 5

/** The maximum scenarios in a chain of `extends`. */
const LONGEST_LINEAGE = 20

/** A mock's scenarios by name: those given to it, and saved scenarios. A session also has its own. */
export class Catalogue {
  readonly saved: SavedScenarios
  readonly #given = new Map<string, Scenario>()
  readonly #shared: Catalogue | undefined
  readonly #session: string

  /** With a shared catalogue, creates a session's catalogue. */
  constructor(scenarios: readonly Scenario[], shared?: Catalogue, session = '') {
    this.#shared = shared
    this.#session = session
    this.saved = shared?.saved ?? new SavedScenarios()
    this.replace(scenarios)
  }

  /** Replaces all scenarios except saved ones. */
  replace(scenarios: readonly Scenario[]): void {
    this.#given.clear()
    for (const scenario of scenarios) this.#given.set(scenario.name, scenario)
  }

  /** Reads a scenario created from a world, to be kept. Throws `SCENARIO_EXISTS` or `INVALID_SCENARIO`. */
  readNew(given: unknown): Scenario {
    const scenario = parseScenario(given, scenarioSource(given))
    if (this.has(scenario.name)) throw existsAlready(scenario.name)
    return scenario
  }

  /**
   * The catalogue with a scenario from a file, which can replace a saved scenario of its name. Throws `INVALID_SCENARIO`,
   * or `SCENARIO_EXISTS` for the name of a scenario given to the mock.
   */
  with(given: unknown): { scenario: Scenario; isNew: boolean; catalogue: Catalogue } {
    const scenario = parseScenario(given, scenarioSource(given))
    const existing = this.#find(scenario.name)
    const isSaved = existing !== undefined && existing === this.saved.get(scenario.name)?.scenario
    if (existing !== undefined && !isSaved) throw existsAlready(scenario.name)
    const catalogue = new Catalogue([...this.all().filter((one) => one !== existing), scenario])
    return { scenario, isNew: existing === undefined, catalogue }
  }

  /** Adds a scenario that `readNew` or `with` has checked. Throws `TOO_MUCH_DATA`. */
  keep(scenario: Scenario): void {
    this.saved.add({ scenario, session: this.#session })
  }

  /** Throws `UNKNOWN_SCENARIO`, or `INVALID_REQUEST` for a scenario that wasn't saved. */
  expectSaved(name: string): void {
    if (this.saved.get(name)?.scenario === this.get(name)) return
    throw new MockError(
      'INVALID_REQUEST',
      `The scenario "${name}" was not saved here, so it can't be removed.`,
      'Only saved scenarios can be removed.',
    )
  }

  /** Whether this is an unchanged saved scenario. */
  isSaved(scenario: Scenario): boolean {
    const saved = this.saved.get(scenario.name)
    return saved !== undefined && isSame(saved.scenario, scenario)
  }

  /** Adds a scenario, or replaces the scenario with its name. Throws `INVALID_SCENARIO`. */
  add(scenario: Scenario): void {
    const parsed = parseScenario(scenario, scenarioSource(scenario))
    this.#given.set(parsed.name, parsed)
  }

  has(name: string): boolean {
    return this.#find(name) !== undefined
  }

  all(): Scenario[] {
    const known = new Map<string, Scenario>()
    for (const scenario of this.#shared?.all() ?? []) known.set(scenario.name, scenario)
    for (const scenario of this.#given.values()) known.set(scenario.name, scenario)
    for (const scenario of this.saved.all()) if (!known.has(scenario.name)) known.set(scenario.name, scenario)
    return [...known.values()]
  }

  /** All scenarios, with the given ones as active. */
  states(active: readonly string[]): ScenarioState[] {
    return this.all().map(({ name, title, promise }) => ({
      name,
      title,
      promise,
      active: active.includes(name),
      ...(this.saved.get(name) && { saved: true as const }),
    }))
  }

  /** Returns the scenario with this name. Throws `UNKNOWN_SCENARIO` with all names, and the nearest if it is near. */
  get(name: string): Scenario {
    const scenario = this.#find(name)
    if (scenario !== undefined) return scenario
    const names = this.all().map((known) => known.name)
    const joined = name.split(/[\s;+]+/)
    const isList = joined.length > 1 && joined.every((one) => this.has(one))
    const near = isList ? ` Did you mean "${joined.join()}"?` : didYouMean(name, names)
    const meant = isList ? [joined.join()] : names.filter((known) => near.includes(`"${known}"`))
    const [flag = name, state] = name.split('=', 2)
    const other = /\.json$/i.test(name)
      ? ' To use a scenario of a file, load its folder with --scenarios, and write the name in the file.'
      : ` A flag needs a state, such as ${stateName(flag, state || 'off')}.`
    const states = near === '' ? other : ''
    const hint = `Known scenarios: ${names.join(', ')}.${states}`
    throw new MockError('UNKNOWN_SCENARIO', `There is no scenario ${show(name)}.${near}`, hint, [], { meant })
  }

  /**
   * Combines scenarios from left to right; later scenarios win. The first includes everything that it extends. The others
   * add only their own lineage above the root scenario; a scenario that extends nothing replaces the data.
   */
  compose(names: readonly string[]): Composition {
    return combine(names, this.layers(names))
  }

  /**
   * Describes the rules of combined scenarios that can never apply. A scenario that overrides rules of its base does so
   * on purpose.
   */
  idleRules(names: readonly string[]): string | undefined {
    const all = this.layers(names).flatMap(({ name, force = [] }) => force.map((rule) => ({ name, rule })))
    const told = new Map<string, number>()
    for (const { at, by } of idleRules(all.map(({ rule }) => rule))) {
      const name = all[at]?.name ?? ''
      const later = by === undefined ? undefined : all[by]
      const isMeant = later !== undefined && later.name !== name && this.#lineage(later.name).includes(this.get(name))
      if (isMeant) continue
      const reason =
        later === undefined
          ? 'for 0 requests'
          : `a later one of "${later.name}", for "${later.rule.operation}", always applies first`
      const text = `of "${name}" can never apply: ${reason}`
      told.set(text, (told.get(text) ?? 0) + 1)
    }
    const sentences = [...told].map(([text, count]) => `${count} ${count === 1 ? 'rule' : 'rules'} ${text}.`)
    return sentences.length === 0 ? undefined : sentences.slice(0, SENTENCES_TOLD).join(' ')
  }

  #find(name: string): Scenario | undefined {
    return this.#given.get(name) ?? (this.#shared ? this.#shared.#find(name) : this.saved.get(name)?.scenario)
  }

  /** The combined scenarios, with all that they extend, in loading order. */
  layers(names: readonly string[]): Scenario[] {
    const layers: Scenario[] = []
    for (const [position, name] of names.entries()) {
      const [root, ...rest] = this.#lineage(name)
      if (root === undefined) continue
      if (position === 0 || rest.length === 0) layers.push(root)
      layers.push(...rest.filter((scenario) => !layers.includes(scenario)))
    }
    return layers
  }

  /** The scenario, preceded by all that it extends. */
  #lineage(name: string): Scenario[] {
    const lineage: Scenario[] = []
    for (let next: string | undefined = name; next !== undefined; ) {
      const scenario = this.get(next)
      if (lineage.includes(scenario)) {
        throw new MockError(
          'INVALID_SCENARIO',
          `The scenario "${next}" extends itself.`,
          'Remove one extends of the cycle.',
        )
      }
      if (lineage.length === LONGEST_LINEAGE) {
        throw new MockError(
          'INVALID_SCENARIO',
          `The scenario "${name}" extends a chain of ${LONGEST_LINEAGE} or more scenarios.`,
          'Extend a scenario that is closer to the start of the chain.',
        )
      }
      lineage.unshift(scenario)
      next = baseOf(scenario)
    }
    return lineage
  }
}

function existsAlready(name: string): MockError {
  return new MockError('SCENARIO_EXISTS', `The scenario "${name}" already exists.`, 'Use another name.')
}

/** The base of a scenario, explicit or not: without API tokens, its world could authorize no request. */
function baseOf({ name, extends: said, seed }: Scenario): string | undefined {
  if (said !== undefined || name === DEFAULT_SCENARIO) return said
  return seed?.apiTokens === undefined ? DEFAULT_SCENARIO : undefined
}

function combine(names: readonly string[], layers: readonly Scenario[]): Composition {
  const start = layers.findLastIndex((scenario) => baseOf(scenario) === undefined)
  const [root, ...others] = layers.slice(Math.max(start, 0))
  if (root === undefined) throw new Error('There is no scenario to compose.')
  const data = [root, ...others]
  const now = layers.findLast((scenario) => scenario.now !== undefined)?.now
  const latency = layers.findLast((scenario) => scenario.latency !== undefined)?.latency
  return {
    names,
    root,
    fixtures: data.every(({ fixtures }) => fixtures !== false),
    seeds: others.flatMap(({ seed }) => seed ?? []),
    flags: new Map(layers.flatMap(({ flags }) => Object.entries(flags ?? {}))),
    generate: data.flatMap(({ generate }) => generate ?? []),
    sources: [root, ...others.filter(({ seed }) => seed), ...data.filter(({ generate }) => generate)].map(
      ({ name }) => name,
    ),
    force: layers.flatMap(({ force }) => force ?? []),
    ...(now === undefined ? {} : { now }),
    ...(latency === undefined ? {} : { latency }),
  }
}
