import { isForEverybody } from '../../service/resources/flags/for-everybody.js'
import type { Tables } from '../../service/resources/tables.js'
import { didYouMean } from '../../support/nearest.js'
import { counted } from '../../support/text.js'
import { addCounts, type FlagCounts, type FlagCoverage, noCounts } from '../sessions/flag-coverage.js'

/** The coverage of a feature in many mocks. */
export interface SummedCoverage extends FlagCoverage {
  /** The number of mocks in which SDKs asked for the feature, or got it. */
  mocks: { served: number; asked: number }
}

/** The report on flag coverage. */
export interface FlagReport {
  lines: string[]
  /** The percentage of features that were seen both on and off. */
  share: number
}

/** Adds the coverage of mocks, such as those of all tests. */
export function sumOfCoverage(all: readonly (readonly FlagCoverage[])[]): SummedCoverage[] {
  const sums = new Map<string, SummedCoverage>()
  for (const { name, exists, isBuiltIn, served, asked } of all.flat()) {
    const known = sums.get(name)
    const sum = known ?? {
      name,
      exists,
      isBuiltIn,
      served: noCounts(),
      asked: noCounts(),
      mocks: { served: 0, asked: 0 },
    }
    sums.set(name, sum)
    sum.exists ||= exists
    sum.isBuiltIn &&= isBuiltIn
    addCounts(sum.served, served)
    addCounts(sum.asked, asked)
    if (served.on + served.off > 0) sum.mocks.served++
    if (asked.on + asked.off > 0) sum.mocks.asked++
  }
  return [...sums.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/**
 * The features that were not seen both on and off: by the evaluations that SDKs reported or, if none did, by responses.
 * With the data of production, also the features that tests saw only unlike there.
 */
export function reportOf(sums: readonly SummedCoverage[], unit: string, production?: Tables): FlagReport {
  const isAsked = ({ asked }: SummedCoverage) => asked.on + asked.off > 0
  const isReported = sums.some(isAsked)
  const part = isReported ? 'asked' : 'served'
  const own = sums.filter((flag) => flag.exists && (isAsked(flag) || !flag.isBuiltIn))
  const states = new Map(own.map((flag) => [flag.name, flag[part]]))
  const names = sums.filter(({ exists }) => exists).map(({ name }) => name)
  const missing = sums.filter((flag) => !flag.exists && isAsked(flag))
  const rows = [
    ...own.flatMap((flag): [string, string][] => {
      const state = stateOf(flag[part], part)
      if (state === undefined) return []
      const mocks = flag.mocks[part]
      return [[flag.name, mocks === 0 || unit === '' ? state : `${state} (${counted(mocks, unit)})`]]
    }),
    ...missing.map(({ name, asked }): [string, string] => {
      const near = didYouMean(name, names).trim().replace('Did', 'did').replaceAll('"', '')
      return [name, `asked ${counted(asked.on + asked.off, 'time')}, doesn't exist${near && ` (${near})`}`]
    }),
  ]
  const width = Math.max(0, ...rows.map(([name]) => name.length))
  const whole = own.filter((flag) => flag[part].on > 0 && flag[part].off > 0).length
  const share = own.length === 0 ? 0 : Math.floor((100 * whole) / own.length)
  if (own.length + missing.length === 0) {
    return { share, lines: ['Flag coverage: The mock has no flags of yours, and no SDK asked for a flag.'] }
  }
  return {
    share,
    lines: [
      `Flag coverage: ${whole} of ${counted(own.length, 'flag')} seen on and off (${share} %)`,
      ...rows.map(([name, state]) => `  ${name.padEnd(width)}  ${state}`),
      ...(production === undefined ? [] : unlike(states, production).map((line) => `  ${line}`)),
      ...(isReported
        ? []
        : ['  No SDK reported evaluations, so these are states in responses. Set a short metricsInterval in tests.']),
    ],
  }
}

function stateOf({ on, off, variants }: FlagCounts, part: 'asked' | 'served'): string | undefined {
  if (on > 0 && off > 0) return undefined
  const names = Object.keys(variants)
  if (on > 0) return `only ON${names.length === 0 ? '' : `: ${names.join(', ')}`}`
  return off > 0 ? 'only OFF' : `never ${part}`
}

/** The features that all tests saw unlike production. */
function unlike(states: ReadonlyMap<string, FlagCounts>, tables: Tables): string[] {
  const places = new Set(tables.environments.list().flatMap(({ name, type }) => (type === 'production' ? [name] : [])))
  const onlyOff: string[] = []
  const onlyOn: string[] = []
  for (const { name, archived, environments, dependencies } of tables.features.list()) {
    const { on = 0, off = 0 } = states.get(name) ?? {}
    const there = environments.filter((environment) => places.has(environment.name))
    if (archived || there.length === 0) continue
    const isOn = there.every(({ enabled, strategies }) => enabled && strategies.some(isForEverybody))
    if (isOn && dependencies.length === 0 && on === 0 && off > 0) onlyOff.push(name)
    if (there.every(({ enabled }) => !enabled) && on > 0 && off === 0) onlyOn.push(name)
  }
  const line = (names: string[], is: string, seen: string) =>
    names.length === 0
      ? []
      : [
          `${counted(names.length, 'flag')} ${names.length === 1 ? 'is' : 'are'} ${is} in production; your tests only saw ${names.length === 1 ? 'it' : 'them'} ${seen}: ${names.join(', ')}`,
        ]
  return [...line(onlyOff, '100 % on', 'off'), ...line(onlyOn, 'off', 'on')]
}
