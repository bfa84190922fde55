import { none } from '../../support/freeze.js'
import { printable } from '../../support/text.js'
import { meantRecord } from '../state/state-fault.js'
import type { World } from './world.js'

/** How often a feature was on and off, and how often it had each variant. */
export interface FlagCounts {
  /** How often it was on. */
  on: number
  /** How often it was off. */
  off: number
  /** How often it had each variant, by name. The name `disabled`, by which SDKs report none, is left out. */
  variants: Record<string, number>
  /** How often it had variants that are left out of `variants`, which has at most 100 names. Missing for none. */
  otherVariants?: number
}

/** What is known about a feature in the tests of a mock: the states in which it was served to SDKs, and in which they asked for it. */
export interface FlagCoverage {
  name: string
  /** Whether there is such a feature. An archived feature counts as gone. */
  exists: boolean
  /** Whether only a built-in scenario contains it. */
  isBuiltIn: boolean
  /** Whether a test created it, such as with `mock.enable`. */
  isFromTest: boolean
  isStale: boolean
  /** The names of the variants that it has without the changes of a test. */
  variants: string[]
  /** In the responses to SDKs. */
  served: FlagCounts
  /** In the evaluations that were observed, or that SDKs reported. For a feature that didn't exist, all are off. */
  asked: FlagCounts
  /** The evaluations that count: for a frontend, only states that the mock has served. */
  seen: FlagCounts
  /** The number of tests in which it was seen on, or off. */
  tests: { on: number; off: number }
  /** The number of tests that were served the feature, but whose SDKs told nothing about it. */
  unknown: number
  /** The known contexts in which SDKs asked for it: their number, and how many had each field that its strategies need. */
  contexts: { known: number; with: Record<string, number> }
}

/** How many tests, or SDKs, got features, and how many of them told which they asked for. */
export interface Evidence {
  all: number
  known: number
}

/** What is known about all features. */
export interface CoverageReport {
  tests: Evidence
  sdks: Evidence
  /** How often SDKs asked for further names of features that don't exist. */
  otherNames: number
  flags: FlagCoverage[]
}

/**
 * The names of features that an earlier report of the same run lists. Another report leaves them out unless an SDK asked for
 * them or kept silent, so that its size follows what a test asked.
 */
export interface ListedFlags {
  has(name: string): boolean
  add(name: string): unknown
}

/** The maximum names of features that don't exist. */
export const MISSING_KEPT = 1000

/** The maximum names of features that exist or existed. */
const NAMES_KEPT = 20_000

/** The maximum names of variants of a feature. */
export const VARIANTS_KEPT = 100

/** The maximum fields of contexts. */
const FIELDS_KEPT = 100

/** The name that SDKs report in place of a variant, if a feature has none. */
const NO_VARIANT = 'disabled'

/** Counts of states. Any text can be the name of a variant. */
export class Tally {
  on = 0
  off = 0
  #variants: Map<string, number> | undefined
  #otherVariants = 0

  add(isOn: boolean, times = 1): void {
    if (isOn) this.on += times
    else this.off += times
  }

  addVariant(name: string, times = 1): void {
    if (name === NO_VARIANT) return
    this.#variants ??= new Map()
    const known = this.#variants.get(name)
    if (known === undefined && this.#variants.size >= VARIANTS_KEPT) this.#otherVariants += times
    else this.#variants.set(name, (known ?? 0) + times)
  }

  addCounts({ on, off, variants, otherVariants = 0 }: Readonly<FlagCounts>): void {
    this.on += on
    this.off += off
    this.#otherVariants += otherVariants
    for (const [name, times] of Object.entries(variants)) this.addVariant(name, times)
  }

  /** The counts, without the states and variants that others lack. */
  within(others: Tally | undefined): FlagCounts {
    if (others === undefined) return new Tally().counts()
    const variants = [...(this.#variants ?? none)].filter(([name]) => others.#variants?.has(name))
    return {
      on: others.on > 0 ? this.on : 0,
      off: others.off > 0 ? this.off : 0,
      variants: Object.fromEntries(variants),
    }
  }

  counts(): FlagCounts {
    const variants = this.#variants === undefined ? {} : Object.fromEntries(this.#variants)
    const counts: FlagCounts = { on: this.on, off: this.off, variants }
    if (this.#otherVariants > 0) counts.otherVariants = this.#otherVariants
    return counts
  }
}

/** Counts of the fields that contexts have. */
export class ContextTally {
  known = 0
  readonly #fields = new Map<string, number>()

  add(fields: Iterable<string>): void {
    this.known++
    for (const field of fields) this.#addField(field, 1)
  }

  addAll(known: number, fields: Iterable<readonly [field: string, times: number]>): void {
    this.known += known
    for (const [field, times] of fields) this.#addField(field, times)
  }

  addTally(other: ContextTally): void {
    this.addAll(other.known, other.#fields)
  }

  #addField(field: string, times: number): void {
    const known = this.#fields.get(field)
    if (known !== undefined || this.#fields.size < FIELDS_KEPT) this.#fields.set(field, (known ?? 0) + times)
  }

  counts(): FlagCoverage['contexts'] {
    return { known: this.known, with: Object.fromEntries(this.#fields) }
  }
}

interface Summed extends Pick<FlagCoverage, 'exists' | 'isBuiltIn' | 'isFromTest' | 'isStale' | 'unknown' | 'tests'> {
  variants: Set<string>
  served: Tally
  asked: Tally
  seen: Tally
  contexts: ContextTally
}

/** The sum of reports, such as those of all tests. */
export class CoverageSum {
  readonly #flags = new Map<string, Summed>()
  readonly #tests: Evidence = { all: 0, known: 0 }
  readonly #sdks: Evidence = { all: 0, known: 0 }
  #missing = 0
  #otherNames = 0

  add({ tests, sdks, otherNames, flags }: CoverageReport): this {
    addEvidence(this.#tests, tests)
    addEvidence(this.#sdks, sdks)
    this.#otherNames += otherNames
    for (const flag of flags) this.#add(flag)
    return this
  }

  /** The sum, by name. */
  report(): CoverageReport {
    const flags = [...this.#flags].map(([name, { variants, served, asked, seen, tests, contexts, ...rest }]) => ({
      name,
      ...rest,
      tests: { ...tests },
      variants: [...variants],
      served: served.counts(),
      asked: asked.counts(),
      seen: seen.counts(),
      contexts: contexts.counts(),
    }))
    return {
      tests: { ...this.#tests },
      sdks: { ...this.#sdks },
      otherNames: this.#otherNames,
      flags: flags.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    }
  }

  #add(flag: FlagCoverage): void {
    const { name, exists, served, asked, seen, tests, contexts } = flag
    const sum = this.#flags.get(name) ?? this.#start(flag)
    if (sum === undefined) {
      this.#otherNames += asked.on + asked.off
      return
    }
    // A mock without the feature doesn't know where it comes from.
    if (exists) {
      sum.isBuiltIn = flag.isBuiltIn && (sum.isBuiltIn || !sum.exists)
      sum.isFromTest = flag.isFromTest && (sum.isFromTest || !sum.exists)
      if (!sum.exists) this.#missing--
    }
    sum.exists ||= exists
    sum.isStale ||= flag.isStale
    for (const variant of flag.variants) if (sum.variants.size < VARIANTS_KEPT) sum.variants.add(variant)
    sum.served.addCounts(served)
    sum.asked.addCounts(asked)
    sum.seen.addCounts(seen)
    sum.tests.on += tests.on
    sum.tests.off += tests.off
    sum.unknown += flag.unknown
    sum.contexts.addAll(contexts.known, Object.entries(contexts.with))
  }

  /** Undefined if there are too many names. */
  #start({ name, exists }: FlagCoverage): Summed | undefined {
    if (!hasSpace(exists, this.#missing, this.#flags.size)) return undefined
    const sum = {
      ...{ exists: false, isBuiltIn: false, isFromTest: false, isStale: false, unknown: 0, tests: { on: 0, off: 0 } },
      ...{ variants: new Set<string>(), contexts: new ContextTally() },
      ...{ served: new Tally(), asked: new Tally(), seen: new Tally() },
    }
    this.#missing++
    this.#flags.set(name, sum)
    return sum
  }
}

/** Whether there is space for a name, among names of features that don't exist and all names. */
export function hasSpace(exists: boolean, missing: number, all: number): boolean {
  return exists ? all - missing < NAMES_KEPT : missing < MISSING_KEPT
}

function addEvidence(sum: Evidence, { all, known }: Evidence): void {
  sum.all += all
  sum.known += known
}

/** The coverage of the mock of a test: all of its sessions, and the times between its resets, are the same test. */
export function ofOneTest({ sdks, flags, ...report }: CoverageReport): CoverageReport {
  const once = (count: number) => Math.min(count, 1)
  return {
    ...report,
    tests: { all: once(sdks.all), known: sdks.all > 0 && sdks.all === sdks.known ? 1 : 0 },
    sdks: { all: 0, known: 0 },
    flags: flags.map((flag) => ({
      ...flag,
      tests: { on: once(flag.seen.on), off: once(flag.seen.off) },
      unknown: timesAsked(flag) > 0 ? 0 : once(flag.unknown),
    })),
  }
}

/** The coverage of a mock for several tests, each of which begins with a reset. */
export function ofTests(report: CoverageReport): CoverageReport {
  return { ...report, sdks: { all: 0, known: 0 } }
}

/** The coverage of a server for many tests, which doesn't know where a test begins. */
export function ofServer({ flags, ...report }: CoverageReport): CoverageReport {
  return {
    ...report,
    tests: { all: 0, known: 0 },
    flags: flags.map((flag) => ({ ...flag, tests: { on: 0, off: 0 } })),
  }
}

/** How often SDKs asked for a feature. */
export function timesAsked({ asked }: Pick<FlagCoverage, 'asked'>): number {
  return asked.on + asked.off
}

/** A sentence about features that SDKs asked for though they don't exist. Undefined for none. */
export function missingFlags(names: readonly string[], known: readonly string[]): string | undefined {
  const [name] = names
  if (name === undefined) return undefined
  return names.length === 1
    ? `The app asked for ${printable(name)}, which doesn't exist.${meantRecord(name, known)}`
    : `The app asked for flags that don't exist: ${listFlags(names, known)}.`
}

/** A sentence about the features that `mock.enable`, `mock.disable` and `mock.setVariant` created. Undefined without any. */
export function createdFlags({ data, created }: Pick<World, 'data' | 'created'>): string | undefined {
  const all = data.tables.features.list().map(({ name }) => name)
  const names = all.filter((name) => created.has(name))
  const others = all.filter((name) => !created.has(name))
  return names.length === 0 ? undefined : `The test created flags that didn't exist: ${listFlags(names, others)}.`
}

/** The maximum names in a sentence. */
const NAMES_LISTED = 10

function listFlags(names: readonly string[], known: readonly string[]): string {
  const shown = names.slice(0, NAMES_LISTED).map((name) => {
    const meant = meantRecord(name, known).trim().replace('Did', 'did')
    return meant === '' ? printable(name) : `${printable(name)} (${meant})`
  })
  const rest = names.length - shown.length
  return `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
