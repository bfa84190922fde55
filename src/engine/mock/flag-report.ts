import { isForEverybody } from '../../service/resources/flags/for-everybody.js'
import type { Tables } from '../../service/resources/tables.js'
import { none } from '../../support/freeze.js'
import { didYouMean } from '../../support/nearest.js'
import { counted, printable } from '../../support/text.js'
import { type CoverageReport, type Evidence, type FlagCoverage, timesAsked } from '../sessions/flag-coverage.js'
import { variantsGivenBy } from '../sessions/flag-facts.js'

/** The variable that tells the workers of a runner that a reporter wants the flag coverage. */
export const COVERAGE_WANTED = '__FLAGDOUBLE_FLAG_COVERAGE'

/** The report on flag coverage, in words. */
export interface FlagReport {
  lines: string[]
  /** The percentage of the features of fixtures that were seen both on and off. */
  share: number
}

/** The states of a feature in production. */
interface InProduction {
  /** Whether it is off everywhere. */
  isOff: boolean
  /** Whether it is on for everyone, everywhere. */
  isOnForEverybody: boolean
  variants: readonly string[]
}

/** The kinds of findings, the most harmful first. */
const KINDS = [
  'missing',
  'production',
  'context',
  'only off',
  'only on',
  'variants',
  'early',
  'never asked',
  'from a test',
  'stale',
  'unknown',
] as const

interface FlagFinding {
  kind: (typeof KINDS)[number]
  text: string
}

/** The maximum comparisons of names for suggestions: each takes several microseconds. */
const COMPARISONS = 50_000

/** The report in words: the features that were not seen in all their states, the most harmful findings first. */
export function wordsOf(report: CoverageReport, production?: Tables): FlagReport {
  const there = production === undefined ? undefined : statesIn(production)
  const shown = report.flags.filter((flag) => (flag.exists && !flag.isBuiltIn) || timesAsked(flag) > 0)
  const own = shown.filter(({ exists, isFromTest }) => exists && !isFromTest)
  const whole = own.filter(({ seen }) => seen.on > 0 && seen.off > 0).length
  const share = own.length === 0 ? 0 : Math.floor((100 * whole) / own.length)
  if (report.tests.all + report.sdks.all === 0) {
    const flags = own.length === 0 ? 'your flags' : `your ${counted(own.length, 'flag')}`
    return { share, lines: [`Flag coverage: No SDK got flags from the mock, so nothing is known about ${flags}.`] }
  }
  const names = report.flags.filter(({ exists }) => exists).map(({ name }) => name)
  const missing = shown.filter(({ exists }) => !exists)
  const compared = new Set(missing.slice(0, Math.floor(COMPARISONS / Math.max(1, names.length))))
  const rows = shown
    .map((flag) => ({
      name: printable(flag.name),
      findings: findingsOf(flag, compared.has(flag) ? names : none, there),
    }))
    .filter(({ findings }) => findings.length > 0)
    .toSorted((one, other) => rankOf(one.findings) - rankOf(other.findings))
  const width = Math.max(0, ...rows.map(({ name }) => name.length))
  const { otherNames } = report
  return {
    share,
    lines: [
      own.length === 0
        ? 'Flag coverage: Your fixtures have no flags.'
        : `Flag coverage: ${whole} of ${counted(own.length, 'flag')} seen on and off (${share} %)`,
      ...evidenceLines(report),
      ...rows.map(({ name, findings }) => `  ${name.padEnd(width)}  ${findings.map(({ text }) => text).join(', ')}`),
      ...(otherNames > 0 ? [`  Names that don't exist were asked for ${counted(otherNames, 'more time')}.`] : []),
    ],
  }
}

function rankOf(findings: readonly FlagFinding[]): number {
  return Math.min(...findings.map(({ kind }) => KINDS.indexOf(kind)))
}

const ADVICE =
  '  To know more, call observeFlags in a setup file of the tests, or let SDKs send their metrics before they stop.'

function evidenceLines({ tests, sdks }: CoverageReport): string[] {
  const words = [countOf(tests, 'test'), countOf(sdks, 'SDK')].filter((text) => text !== undefined)
  const silent = [
    silentOf(
      tests,
      "the other one's SDK reported nothing",
      (count) => `the SDKs of the other ${count} reported nothing`,
    ),
    silentOf(sdks, 'the other one reported nothing', (count) => `the other ${count} reported nothing`),
  ].filter((text) => text !== undefined)
  return [`  Evidence: ${[words.join(' and '), ...silent].join('; ')}`, ...(silent.length > 0 ? [ADVICE] : [])]
}

function countOf({ all, known }: Evidence, noun: string): string | undefined {
  return all === 0 ? undefined : `${known.toLocaleString('en')} of ${counted(all, noun)}`
}

function silentOf({ all, known }: Evidence, one: string, many: (count: number) => string): string | undefined {
  const count = all - known
  if (count === 0) return undefined
  return count === 1 ? one : many(count)
}

function findingsOf(
  flag: FlagCoverage,
  names: readonly string[],
  production: ReadonlyMap<string, InProduction> | undefined,
): FlagFinding[] {
  const { name, exists, seen, unknown, isFromTest } = flag
  const there = production?.get(name)
  if (!exists) return [{ kind: 'missing', text: whyMissing(name, names, there) }]
  const isAsked = timesAsked(flag) > 0
  const findings: FlagFinding[] = []
  const add = (kind: FlagFinding['kind'], text: string) => findings.push({ kind, text })
  if (seen.on > 0 && seen.off === 0) add('only on', `only ON${inTests(flag.tests.on)}`)
  if (seen.off > 0 && seen.on === 0) add('only off', `only OFF${inTests(flag.tests.off)}`)
  if (seen.on + seen.off === 0) add(...unseen(flag, isAsked))
  if (isAsked) {
    if (seen.on > 0 && seen.off === 0 && there?.isOff) add('production', 'but off in production')
    if (seen.off > 0 && seen.on === 0 && there?.isOnForEverybody) add('production', 'but on for everyone in production')
    const given = there?.variants.filter((variant) => !Object.hasOwn(seen.variants, variant)) ?? []
    if (given.length > 0) add('production', `variants of production never seen: ${list(given)}`)
    const others = flag.variants.filter((variant) => !Object.hasOwn(seen.variants, variant) && !given.includes(variant))
    if (others.length > 0) add('variants', `variants never seen: ${list(others)}`)
    const lacking = Object.entries(flag.contexts.with).flatMap(([field, times]) => (times === 0 ? [field] : []))
    if (flag.contexts.known > 0 && lacking.length > 0)
      add('context', `asked only without ${list(lacking)} (a strategy needs it)`)
    if (unknown > 0 && seen.on + seen.off > 0 && (seen.on === 0 || seen.off === 0))
      add('unknown', `unknown${inTests(unknown)}`)
  }
  if (flag.isStale) add('stale', 'stale')
  if (isFromTest && isAsked && findings.length > 0) add('from a test', 'made by a test')
  return findings
}

/** The finding about a feature of which no state was seen. */
function unseen({ unknown, isFromTest }: FlagCoverage, isAsked: boolean): [FlagFinding['kind'], string] {
  if (isAsked) return ['early', 'asked only before the SDK got flags']
  if (unknown > 0) return ['unknown', `unknown${inTests(unknown)}`]
  return isFromTest ? ['from a test', 'made by a test (mock.enable), never asked'] : ['never asked', 'never asked']
}

function whyMissing(name: string, names: readonly string[], there: InProduction | undefined): string {
  if (there !== undefined) return 'is in production, but not in your fixtures'
  const near = didYouMean(name, names).trim().replace('Did', 'did').replaceAll('"', '')
  return `doesn't exist${near && ` (${printable(near)})`}`
}

function inTests(count: number): string {
  return count === 0 ? '' : ` (${counted(count, 'test')})`
}

function list(names: readonly string[]): string {
  return names.map(printable).join(', ')
}

function statesIn({ environments, features }: Tables): Map<string, InProduction> {
  const places = new Set(environments.list().flatMap(({ name, type }) => (type === 'production' ? [name] : [])))
  const active = features.list().filter(({ archived }) => !archived)
  return new Map(
    active.map((feature) => {
      const there = feature.environments.filter(({ name }) => places.has(name))
      const isOn = there.every(
        ({ enabled, strategies }) => enabled && (strategies.length === 0 || strategies.some(isForEverybody)),
      )
      const state = {
        isOff: there.length > 0 && there.every(({ enabled }) => !enabled),
        isOnForEverybody: there.length > 0 && isOn && feature.dependencies.length === 0,
        variants: variantsGivenBy({ ...feature, environments: there.filter(({ enabled }) => enabled) }),
      }
      return [feature.name, state]
    }),
  )
}
