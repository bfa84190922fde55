import type { FlagSightings, ReportedFlag, SdkKind } from '../../service/resources/shared/context.js'
import { meantRecord } from '../state/state-fault.js'
import {
  ContextTally,
  type CoverageReport,
  CoverageSum,
  type Evidence,
  type FlagCoverage,
  hasSpace,
  type ListedFlags,
  missingFlags,
  Tally,
} from './flag-coverage.js'
import { withFacts } from './flag-facts.js'
import { type ObservedFlag, type ObservingCoverage, sdkDirectory } from './sdk-directory.js'
import type { World } from './world.js'

/** The maximum sessions whose counts are kept apart, the maximum SDKs of a session, and of its features whose last evaluation is kept. */
const MOST = { sessions: 50, sdks: 1000, asked: 20 } as const

interface CountedSdk {
  kind: SdkKind
  /** Whether it has told which features it asked for. */
  isKnown: boolean
  /** Whether its evaluations are counted at once. */
  isObserved: boolean
}

/** The counts for a feature in a session. */
interface Counted {
  exists: boolean
  readonly served: Partial<Record<SdkKind, Tally>>
  readonly asked: Partial<Record<SdkKind, Tally>>
  /** How often an SDK asked before it had features. */
  early: number
  /** The contexts of an observed SDK of a server. */
  contexts: ContextTally | undefined
}

/** The features that SDKs got from a session and asked for, since its last reset. */
export class SessionCoverage implements FlagSightings {
  readonly #flags = new Map<string, Counted>()
  /** By the API and the ID of the connection, whether an SDK has told which features it asked for. */
  readonly #sdks: Record<SdkKind, Map<string, CountedSdk>> = { frontend: new Map(), server: new Map() }
  readonly #contexts = new ContextTally()
  readonly #coverage: CoverageCounter
  readonly #session: string
  /** The last list for servers, and how often it was served since it was counted. */
  #list: { body: object; features: Iterable<readonly [name: string, isOn: boolean]>; times: number } | undefined
  /** The names of features that don't exist. */
  readonly #missing = new Set<string>()
  #otherNames = 0
  /** The last evaluation of each feature that was observed lately. */
  readonly asked = new Map<string, ObservedFlag>()

  constructor(coverage: CoverageCounter, session: string) {
    this.#coverage = coverage
    this.#session = session
  }

  fetched(kind: SdkKind, headers: Headers, fields?: readonly string[]): void {
    const id = idOf(headers)
    const sdk = this.#sdk(kind, id)
    sdk.isKnown ||= sdkDirectory().isObserved(id)
    sdkDirectory().serve(id, this.#coverage, this.#session)
    if (fields !== undefined) this.#contexts.add(fields)
  }

  served(kind: SdkKind, name: string, isOn: boolean, variant?: string): void {
    this.#countServed(kind, name, isOn)
    if (variant !== undefined) this.#flags.get(name)?.served[kind]?.addVariant(variant)
  }

  servedList(body: object, features: () => Iterable<readonly [name: string, isOn: boolean]>): void {
    if (this.#list?.body !== body) {
      this.#countList()
      this.#list = { body, features: features(), times: 0 }
    }
    this.#list.times++
  }

  reported(kind: SdkKind, headers: Headers, flags: readonly ReportedFlag[]): void {
    const sdk = this.#sdk(kind, idOf(headers))
    sdk.isKnown = true
    // Its evaluations have already been counted.
    if (sdk.isObserved) return
    const missing: string[] = []
    for (const { name, exists, yes, no, variants } of flags) {
      const isNew = !exists && !this.#flags.has(name)
      const flag = this.#of(name, exists)
      if (flag === undefined) {
        this.#otherNames += yes + no
        continue
      }
      flag.asked[kind] ??= new Tally()
      flag.asked[kind].addCounts({ on: yes, off: no, variants: { ...variants } })
      if (isNew) missing.push(name)
    }
    if (missing.length > 0) this.#coverage.onMissing(missing)
  }

  /** An evaluation was observed in an SDK. */
  observed(evaluation: ObservedFlag): void {
    const { kind, id, name, isOn, variant, isEarly, fields } = evaluation
    this.asked.delete(name)
    this.asked.set(name, evaluation)
    const [oldest = ''] = this.asked.size > MOST.asked ? this.asked.keys() : []
    if (oldest !== '') this.asked.delete(oldest)
    const sdk = this.#sdk(kind, id)
    sdk.isKnown = true
    sdk.isObserved = true
    if (!this.#flags.has(name)) this.#countList()
    const flag = this.#of(name, this.#flags.get(name)?.exists ?? false)
    if (flag === undefined) this.#otherNames++
    else if (isEarly) flag.early++
    else {
      flag.asked[kind] ??= new Tally()
      flag.asked[kind].add(isOn)
      if (isOn && variant !== undefined) flag.asked[kind].addVariant(variant)
      if (fields === undefined) return
      flag.contexts ??= new ContextTally()
      flag.contexts.add(fields)
    }
  }

  /** The number of SDKs of pages, and of those that have sent a report. */
  get pages(): Evidence {
    const pages = [...this.#sdks.frontend.values()]
    return { all: pages.length, known: pages.filter(({ isKnown }) => isKnown).length }
  }

  /** The names of features that SDKs asked for, although they don't exist in a world. */
  missingIn({ data: { tables } }: World): string[] {
    const isGone = (name: string) => tables.features.get(name)?.archived !== false
    return [...this.#missing].filter(isGone)
  }

  report(listed?: ListedFlags): CoverageReport {
    this.#countList()
    const sdks = [...this.#sdks.frontend.values(), ...this.#sdks.server.values()]
    const known = sdks.filter(({ isKnown }) => isKnown)
    const silent = new Set(sdks.filter(({ isKnown }) => !isKnown).map(({ kind }) => kind))
    const isLeftOut = (name: string, { asked, early }: Counted) =>
      silent.size === 0 &&
      early === 0 &&
      asked.frontend === undefined &&
      asked.server === undefined &&
      listed?.has(name)
    const test = { all: sdks.length > 0 ? 1 : 0, known: sdks.length > 0 && silent.size === 0 ? 1 : 0 }
    return {
      tests: test,
      sdks: { all: sdks.length, known: known.length },
      otherNames: this.#otherNames,
      flags: [...this.#flags].flatMap(([name, counted]) =>
        isLeftOut(name, counted) ? [] : this.#presented(name, counted, silent),
      ),
    }
  }

  #presented(name: string, counted: Counted, silent: ReadonlySet<SdkKind>): FlagCoverage {
    const { exists, early } = counted
    const { frontend, server } = counted.served
    const served = sumOf(frontend, server)
    const asked = sumOf(counted.asked.frontend, counted.asked.server)
    const seen = new Tally()
    if (counted.asked.frontend !== undefined) seen.addCounts(counted.asked.frontend.within(frontend))
    if (counted.asked.server !== undefined) seen.addCounts(counted.asked.server.counts())
    asked.off += early
    const isAsked = asked.on + asked.off > 0
    const isSilent =
      (frontend !== undefined && silent.has('frontend')) || (server !== undefined && silent.has('server'))
    return {
      name,
      exists,
      isBuiltIn: false,
      isFromTest: false,
      isStale: false,
      variants: [],
      served: served.counts(),
      asked: asked.counts(),
      seen: seen.counts(),
      tests: { on: seen.on > 0 ? 1 : 0, off: seen.off > 0 ? 1 : 0 },
      unknown: isSilent && !isAsked ? 1 : 0,
      contexts: isAsked ? this.#contextsOf(counted) : { known: 0, with: {} },
    }
  }

  #contextsOf({ asked, contexts }: Counted): FlagCoverage['contexts'] {
    const sum = new ContextTally()
    if (asked.frontend !== undefined) sum.addTally(this.#contexts)
    if (contexts !== undefined) sum.addTally(contexts)
    return sum.counts()
  }

  #sdk(kind: SdkKind, id: string): CountedSdk {
    const sdks = this.#sdks[kind]
    const key = sdks.size < MOST.sdks ? id : ''
    let sdk = sdks.get(key)
    if (sdk === undefined) {
      sdk = { kind, isKnown: false, isObserved: false }
      sdks.set(key, sdk)
    }
    return sdk
  }

  #countServed(kind: SdkKind, name: string, isOn: boolean, times = 1): void {
    const flag = this.#of(name, true)
    if (flag === undefined) return
    flag.served[kind] ??= new Tally()
    flag.served[kind].add(isOn, times)
  }

  /** The counts for a feature. Undefined if there are too many. */
  #of(name: string, exists: boolean): Counted | undefined {
    let flag = this.#flags.get(name)
    if (flag === undefined) {
      if (!hasSpace(exists, this.#missing.size, this.#flags.size)) return undefined
      if (!exists) this.#missing.add(name)
      flag = { exists, served: {}, asked: {}, early: 0, contexts: undefined }
      this.#flags.set(name, flag)
    }
    if (exists && !flag.exists) {
      flag.exists = true
      this.#missing.delete(name)
    }
    return flag
  }

  #countList(): void {
    const { features, times } = this.#list ?? { features: [], times: 0 }
    this.#list = undefined
    for (const [name, isOn] of features) this.#countServed('server', name, isOn, times)
  }
}

function idOf(headers: Headers): string {
  return headers.get('unleash-connection-id') ?? ''
}

function sumOf(...tallies: readonly (Tally | undefined)[]): Tally {
  const sum = new Tally()
  for (const tally of tallies) if (tally !== undefined) sum.addCounts(tally.counts())
  return sum
}

/** The flag coverage of a mock: of each session since its last reset, and of everything before. */
export class CoverageCounter implements ObservingCoverage {
  readonly #before = new CoverageSum()
  #hasClosed = false
  /** The recently used sessions, the longest unused first. */
  readonly #sessions = new Map<string, SessionCoverage>()
  #last: { session: string; coverage: SessionCoverage } | undefined
  /** The last sentence about missing features, because it compares each name with all others. */
  #sentence: { basis: string; text: string | undefined } = { basis: '', text: undefined }
  /** Called for the names that an SDK reports for the first time though there are no such features. */
  onMissing: (names: readonly string[]) => void = () => {}
  /** Whether its test has ended, so that the SDKs that it served belong to another one. */
  isClosed = false

  /** The coverage of a session since its last reset. */
  forSession(session: string): SessionCoverage {
    // Observed SDKs ask often.
    if (this.#last?.session === session) return this.#last.coverage
    const coverage = this.#sessions.get(session) ?? new SessionCoverage(this, session)
    this.#last = { session, coverage }
    this.#sessions.delete(session)
    this.#sessions.set(session, coverage)
    if (this.#sessions.size > MOST.sessions) {
      const [longestUnused = ''] = this.#sessions.keys()
      this.close(longestUnused)
    }
    return coverage
  }

  /** Adds a session's coverage to the sum. The session starts at zero. */
  close(session: string): void {
    const coverage = this.#sessions.get(session)
    if (coverage === undefined) return
    this.#sessions.delete(session)
    if (this.#last?.session === session) this.#last = undefined
    this.#before.add(coverage.report())
    this.#hasClosed = true
  }

  /** The coverage of all sessions, with the features of a world. */
  report(world: World, listed?: ListedFlags): CoverageReport {
    const reports = [...this.#sessions.values()].map((coverage) => coverage.report(listed))
    if (this.#hasClosed) reports.push(this.#before.report())
    const [first, ...others] = reports
    return withFacts(first !== undefined && others.length === 0 ? first : sumOfReports(reports), world, listed)
  }

  /** The coverage of a session since its last reset, with the features of its world. */
  reportOf(session: string, world: World, listed?: ListedFlags): CoverageReport {
    return withFacts(this.forSession(session).report(listed), world, listed)
  }

  /** A sentence about the features that a session asked for since its reset, or all sessions, though a world lacks them. */
  missingIn(world: World, session?: string): string | undefined {
    const asked = session === undefined ? [...this.#sessions.values()] : [this.#sessions.get(session)]
    const names = new Set(asked.flatMap((coverage) => coverage?.missingIn(world) ?? []))
    if (names.size === 0) return undefined
    const basis = JSON.stringify([world.data.tables.features.version, world.name, ...names])
    if (basis !== this.#sentence.basis) {
      const all = namesIn(world)
      const others = all.filter((name) => !world.created.has(name))
      // A flag that a test created can have a misspelt name itself.
      const known = all.filter((name) => !world.created.has(name) || meantRecord(name, others) === '')
      this.#sentence = { basis, text: missingFlags([...names].toSorted(), known) }
    }
    return this.#sentence.text
  }
}

function sumOfReports(reports: readonly CoverageReport[]): CoverageReport {
  const sum = new CoverageSum()
  for (const report of reports) sum.add(report)
  return sum.report()
}

/** The names of the active features of a world. */
export function namesIn({ data }: World): string[] {
  return data.tables.features.list().flatMap(({ name, archived }) => (archived ? [] : [name]))
}
