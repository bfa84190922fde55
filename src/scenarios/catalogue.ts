import { MockError } from '../contract/mock-errors.js'
import type { PartialState } from '../state/partial-state.js'
import { contains, show } from '../support/json.js'
import { nearestOf } from '../support/nearest.js'
import type { ForceRule } from './force-rule.js'
import { idleRules } from './idle-rules.js'
import { type Generate, type Latency, parseScenario, type Scenario, scenarioSource } from './scenario.js'

/** Scenarios that can be combined. */
export const MOST_SCENARIOS = 10

/**
 * `'expired-token, slow'` → `['expired-token', 'slow']`. Of a name that is given twice, the last one counts. Throws
 * `TOO_MANY_SCENARIOS`, without reading on to the end of a long list.
 */
export function scenarioNames(text: string): string[] {
  const names: string[] = []
  for (const [part] of text.matchAll(/[^,]+/g)) {
    const name = part.trim()
    if (name !== '') names.push(name)
    if (names.length > MOST_SCENARIOS) break
  }
  return distinctNames(names)
}

/** The names, each once. Of a name that is given twice, the last one counts. Throws `TOO_MANY_SCENARIOS`. */
export function distinctNames(names: readonly string[]): string[] {
  if (names.length > MOST_SCENARIOS) {
    throw new MockError(
      'TOO_MANY_SCENARIOS',
      `At most ${MOST_SCENARIOS} scenarios can be combined.`,
      'Define a scenario that extends one of them and does what the others do.',
    )
  }
  return names.filter((name, i) => names.lastIndexOf(name) === i)
}

/** Combined scenarios: what a world is made from. */
export interface Composition {
  names: readonly string[]
  now?: string
  /** The scenario that builds on no other: fixtures are added to its data. */
  root: Scenario
  /** What the others add to that, in loading order. */
  seeds: readonly PartialState[]
  generate: readonly Generate[]
  /** The last one wins. */
  force: readonly ForceRule[]
  latency?: Latency
  /** Whether the fixtures of the mock are part of it. */
  fixtures: boolean
}

export const DEFAULT_SCENARIO = 'default'

/** Sentences about rules that can never apply: they go out in a header. */
const SENTENCES_TOLD = 5

/** Scenarios in a chain of `extends`, from the one that is named to the one that extends nothing. */
export const LONGEST_LINEAGE = 20

/** The scenarios that an instance knows, by name. */
export class Catalogue {
  readonly #scenarios = new Map<string, Scenario>()
  /** Those that were saved from worlds. */
  readonly #saved = new Map<string, Scenario>()
  /** The names of those that came by a link. */
  readonly #fromLinks = new Set<string>()

  constructor(scenarios: readonly Scenario[]) {
    this.replace(scenarios)
  }

  /** Replaces all scenarios but those that were saved. */
  replace(scenarios: readonly Scenario[]): void {
    this.#scenarios.clear()
    for (const scenario of [...this.#saved.values(), ...scenarios]) this.#scenarios.set(scenario.name, scenario)
  }

  /** Adds a scenario that was made from a world. Throws `SCENARIO_EXISTS` or `INVALID_SCENARIO`. */
  save(given: unknown): Scenario {
    const scenario = parseScenario(given, scenarioSource(given))
    const { name } = scenario
    if (this.has(name)) {
      throw new MockError('SCENARIO_EXISTS', `There is a scenario "${name}" already.`, 'Give it another name.')
    }
    this.#saved.set(name, scenario)
    this.#scenarios.set(name, scenario)
    return scenario
  }

  /**
   * Adds a scenario that a link brought, under the next name that is free, such as `shared-2`. One that is there already,
   * with the same content, is not added again. By its name, nobody starts it.
   */
  openBeside(given: unknown): { name: string; isNew: boolean } {
    const scenario = parseScenario(given, scenarioSource(given))
    for (let number = 1; ; number++) {
      const name = number === 1 ? scenario.name : `${scenario.name}-${number}`
      const there = this.#scenarios.get(name)
      if (there !== undefined && this.#fromLinks.has(name) && isSame(there, { ...scenario, name })) {
        return { name, isNew: false }
      }
      if (there !== undefined) continue
      this.save({ ...scenario, name })
      this.#fromLinks.add(name)
      return { name, isNew: true }
    }
  }

  /** Whether a scenario came by a link. */
  isFromLink(name: string): boolean {
    return this.#fromLinks.has(name)
  }

  /** Throws `UNKNOWN_SCENARIO` if one of these came by a link: only the page of that link asks before it starts. */
  assertNoneFromLink(names: readonly string[]): void {
    const name = names.find((one) => this.#fromLinks.has(one))
    if (name === undefined) return
    throw new MockError(
      'UNKNOWN_SCENARIO',
      `The scenario "${name}" came by a link, and starts only by that link.`,
      'Open the link again, or save what you see as a scenario of your own.',
    )
  }

  /** Whether this is one that was saved, as it was saved. */
  isSaved(scenario: Scenario): boolean {
    const saved = this.#saved.get(scenario.name)
    return saved !== undefined && isSame(saved, scenario)
  }

  /** Takes back what was saved under a name. */
  forget(name: string): void {
    this.#saved.delete(name)
    this.#fromLinks.delete(name)
    this.#scenarios.delete(name)
  }

  /** Adds a scenario, or replaces the one with its name. Throws `INVALID_SCENARIO`. */
  add(scenario: Scenario): void {
    const parsed = parseScenario(scenario, scenarioSource(scenario))
    this.#scenarios.set(parsed.name, parsed)
  }

  has(name: string): boolean {
    return this.#scenarios.has(name)
  }

  all(): Scenario[] {
    return [...this.#scenarios.values()]
  }

  /** Returns the scenario with this name. Throws `UNKNOWN_SCENARIO` with the nearest name and all names. */
  get(name: string): Scenario {
    const scenario = this.#scenarios.get(name)
    if (scenario !== undefined) return scenario
    const names = [...this.#scenarios.keys()]
    throw new MockError(
      'UNKNOWN_SCENARIO',
      `There is no scenario ${show(name)}. The nearest one is "${nearestOf(name, names)}".`,
      `Known scenarios: ${names.join(', ')}.`,
    )
  }

  /**
   * Combines scenarios from left to right; later ones win. The first includes everything it extends. The others add
   * only their own lineage above the root scenario; one that extends nothing replaces the data.
   */
  compose(names: readonly string[]): Composition {
    return combine(names, this.#layers(names))
  }

  /**
   * Tells of the rules of combined scenarios that can never apply. A scenario that answers in place of one that it
   * extends means to.
   */
  idleRules(names: readonly string[]): string | undefined {
    const all = this.#layers(names).flatMap(({ name, force = [] }) => force.map((rule) => ({ name, rule })))
    const told = new Map<string, number>()
    for (const { at, by } of idleRules(all.map(({ rule }) => rule))) {
      const name = all[at]?.name ?? ''
      const later = by === undefined ? undefined : all[by]
      const isMeant = later !== undefined && later.name !== name && this.#lineage(later.name).includes(this.get(name))
      if (isMeant) continue
      const reason =
        later === undefined
          ? 'for 0 requests'
          : `a later one of "${later.name}", for "${later.rule.operation}", always answers first`
      const text = `of "${name}" can never apply: ${reason}`
      told.set(text, (told.get(text) ?? 0) + 1)
    }
    const sentences = [...told].map(([text, count]) => `${count} ${count === 1 ? 'rule' : 'rules'} ${text}.`)
    return sentences.length === 0 ? undefined : sentences.slice(0, SENTENCES_TOLD).join(' ')
  }

  #layers(names: readonly string[]): Scenario[] {
    const layers: Scenario[] = []
    for (const [position, name] of names.entries()) {
      const [root, ...rest] = this.#lineage(name)
      if (root === undefined) continue
      if (position === 0 || rest.length === 0) layers.push(root)
      layers.push(...rest.filter((scenario) => !layers.includes(scenario)))
    }
    return layers
  }

  /** The scenario, preceded by all those it extends. */
  #lineage(name: string): Scenario[] {
    const lineage: Scenario[] = []
    for (let next: string | undefined = name; next !== undefined; ) {
      const scenario = this.get(next)
      if (lineage.includes(scenario)) {
        throw new MockError('INVALID_SCENARIO', `The scenario "${next}" extends itself.`, 'Break the cycle of extends.')
      }
      if (lineage.length === LONGEST_LINEAGE) {
        throw new MockError(
          'INVALID_SCENARIO',
          `The scenario "${name}" extends ${LONGEST_LINEAGE} scenarios or more, one through the other.`,
          'Let it extend one that is nearer to the beginning of the chain.',
        )
      }
      lineage.unshift(scenario)
      next = baseOf(scenario)
    }
    return lineage
  }
}

function isSame(one: Scenario, other: Scenario): boolean {
  return contains(one, other) && contains(other, one)
}

/** What a scenario extends, explicitly or not: without keys of its own, no request to its world could be authorized. */
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
    generate: data.flatMap(({ generate }) => generate ?? []),
    force: layers.flatMap(({ force }) => force ?? []),
    ...(now === undefined ? {} : { now }),
    ...(latency === undefined ? {} : { latency }),
  }
}
