import { scenarios } from '../../../scenarios/index.js'
import type { FlagSightings } from '../../service/resources/shared/context.js'
import type { Tables } from '../../service/resources/tables.js'
import { isObject } from '../../support/json.js'
import type { Composition } from '../scenarios/catalogue.js'
import { meantRecord } from '../state/state-fault.js'

/** How often a feature was on and off, and how often it had each variant. */
export interface FlagCounts {
  on: number
  off: number
  variants: Record<string, number>
}

/** The states in which the responses of a mock and the reports of SDKs had a feature. */
export interface FlagCoverage {
  name: string
  /** Whether there is such a feature. An archived feature counts as gone. */
  exists: boolean
  /** Whether only a built-in scenario contains it. */
  isBuiltIn: boolean
  /** In the responses to SDKs. */
  served: FlagCounts
  /** In the evaluations that SDKs reported. For a feature that didn't exist, all are off. */
  asked: FlagCounts
}

const builtInSeeds: ReadonlySet<unknown> = new Set(scenarios.map(({ seed }) => seed))
const builtIn: ReadonlySet<string> = new Set([...builtInSeeds].flatMap(flagsIn))

/** The names of the features in seed data. */
function flagsIn(seed: unknown): string[] {
  const features = isObject(seed) ? seed.features : undefined
  if (!Array.isArray(features)) return isObject(features) ? Object.keys(features) : []
  return features.flatMap((feature) => (isObject(feature) ? String(feature.name) : []))
}

/** A world, as far as the coverage needs it. */
interface CoveredWorld {
  data: { tables: Tables }
  composition: Composition
  origin: { start: { fixtures: readonly { state: unknown }[] } }
}

/** A sentence about a feature that SDKs asked for though it doesn't exist. */
export function missingFlag(name: string, coverage: readonly FlagCoverage[]): string {
  return `The app asked for ${name}, which doesn't exist.${meantRecord(name, existing(coverage))}`
}

/** A sentence about all features that SDKs asked for though they don't exist. Undefined without any. */
export function missingFlags(coverage: readonly FlagCoverage[]): string | undefined {
  const names = coverage.filter(({ exists, asked }) => !exists && asked.on + asked.off > 0).map(({ name }) => name)
  const [name] = names
  if (name === undefined) return undefined
  return names.length === 1
    ? missingFlag(name, coverage)
    : `The app asked for flags that don't exist: ${listFlags(names, existing(coverage))}.`
}

/** A sentence about the features that `mock.enable`, `mock.disable` and `mock.setVariant` created. Undefined without any. */
export function createdFlags({ data, created }: { data: CoveredWorld['data']; created: ReadonlySet<string> }) {
  const all = data.tables.features.list().map(({ name }) => name)
  const names = all.filter((name) => created.has(name))
  const others = all.filter((name) => !created.has(name))
  return names.length === 0 ? undefined : `The test created flags that didn't exist: ${listFlags(names, others)}.`
}

function existing(coverage: readonly FlagCoverage[]): string[] {
  return coverage.filter(({ exists }) => exists).map(({ name }) => name)
}

/** The maximum names in a sentence. */
const NAMES_LISTED = 10

function listFlags(names: readonly string[], known: readonly string[]): string {
  const shown = names.slice(0, NAMES_LISTED).map((name) => {
    const meant = meantRecord(name, known).trim().replace('Did', 'did')
    return meant === '' ? name : `${name} (${meant})`
  })
  const rest = names.length - shown.length
  return `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

type Seen = Pick<FlagCoverage, 'exists' | 'served' | 'asked'>

/** The maximum names of features that don't exist. */
const UNKNOWN_KEPT = 1000

/** The name that SDKs report in place of a variant, if a feature has none. */
const NO_VARIANT = 'disabled'

/** Counts for each feature of a mock, in all its sessions. */
export class CoverageCounter implements FlagSightings {
  readonly #seen = new Map<string, Seen>()
  /** The last list for SDKs that evaluate features, and how often it was served since it was counted. */
  #list: { body: object; features: Iterable<readonly [name: string, isOn: boolean]>; times: number } | undefined
  #unknown = 0
  /** Called once for each name that SDKs ask for though there is no such feature. */
  onMissing: (name: string) => void = () => {}

  served(name: string, isOn: boolean, variant?: string): void {
    const variants = variant === undefined ? {} : { [variant]: 1 }
    addCounts(this.#of(name, true).served, { on: isOn ? 1 : 0, off: isOn ? 0 : 1, variants })
  }

  servedList(body: object, features: () => Iterable<readonly [name: string, isOn: boolean]>): void {
    if (this.#list?.body !== body) {
      this.#countList()
      this.#list = { body, features: features(), times: 0 }
    }
    this.#list.times++
  }

  asked(name: string, exists: boolean, { yes, no, variants }: Parameters<FlagSightings['asked']>[2]): void {
    const isNew = !exists && !this.#seen.has(name)
    if (isNew && this.#unknown >= UNKNOWN_KEPT) return
    addCounts(this.#of(name, exists).asked, { on: yes, off: no, variants: { ...variants } })
    if (isNew) this.onMissing(name)
  }

  /** The coverage of the active features of a world, and of all others that were served or asked for, by name. */
  of({ data, composition, origin: { start } }: CoveredWorld): FlagCoverage[] {
    this.#countList()
    const { root, seeds } = composition
    const given = [root.seed, ...seeds].filter((seed) => !builtInSeeds.has(seed))
    const own = new Set([...given, ...start.fixtures.map(({ state }) => state)].flatMap(flagsIn))
    const active = data.tables.features.list().filter(({ archived }) => !archived)
    const all = new Map(active.map(({ name }) => [name, { ...emptySeen(), exists: true }]))
    for (const [name, seen] of this.#seen) all.set(name, { ...seen, exists: seen.exists || all.has(name) })
    const named = [...all].map(
      ([name, seen]): FlagCoverage => ({
        name,
        isBuiltIn: builtIn.has(name) && !own.has(name),
        ...structuredClone(seen),
      }),
    )
    return named.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  }

  #of(name: string, exists: boolean): Seen {
    let seen = this.#seen.get(name)
    if (seen === undefined) {
      if (!exists) this.#unknown++
      seen = { ...emptySeen(), exists }
      this.#seen.set(name, seen)
    }
    seen.exists ||= exists
    return seen
  }

  #countList(): void {
    const { features, times } = this.#list ?? { features: [], times: 0 }
    this.#list = undefined
    for (const [name, isOn] of features) {
      addCounts(this.#of(name, true).served, { on: isOn ? times : 0, off: isOn ? 0 : times, variants: {} })
    }
  }
}

export function noCounts(): FlagCounts {
  return { on: 0, off: 0, variants: {} }
}

/** Adds counts to others. */
export function addCounts(sum: FlagCounts, { on, off, variants }: Readonly<FlagCounts>): void {
  sum.on += on
  sum.off += off
  for (const [name, times] of Object.entries(variants)) {
    if (name !== NO_VARIANT) sum.variants[name] = (sum.variants[name] ?? 0) + times
  }
}

function emptySeen(): Seen {
  return { exists: false, served: noCounts(), asked: noCounts() }
}
