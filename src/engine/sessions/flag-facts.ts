import { scenarios } from '../../../scenarios/index.js'
import type { StoredFeature } from '../../service/resources/flags/features.js'
import { GRADUAL_ROLLOUT } from '../../service/resources/flags/strategies.js'
import { variantsOf } from '../../service/resources/sdk/told-features.js'
import type { Tables } from '../../service/resources/tables.js'
import type { Frozen } from '../../support/freeze.js'
import { isObject } from '../../support/json.js'
import { WorldData } from '../state/state.js'
import { type CoverageReport, type FlagCoverage, type ListedFlags, timesAsked } from './flag-coverage.js'
import type { World } from './world.js'

const builtInSeeds: ReadonlySet<unknown> = new Set(scenarios.map(({ seed }) => seed))
const builtIn: ReadonlySet<string> = new Set([...builtInSeeds].flatMap(flagsIn))

/** The names of the features in seed data. */
function flagsIn(seed: unknown): string[] {
  const features = isObject(seed) ? seed.features : undefined
  if (!Array.isArray(features)) return isObject(features) ? Object.keys(features) : []
  return features.flatMap((feature) => (isObject(feature) ? String(feature.name) : []))
}

/** A report with the active features of a world, and what its data say about each feature. */
export function withFacts(report: CoverageReport, world: World, listed?: ListedFlags): CoverageReport {
  const { origin, data } = world
  const isBuiltIn = builtInFlags(world)
  const { tables } = origin.contents === undefined ? data : new WorldData(origin.contents)
  const known = new Map(report.flags.map((flag) => [flag.name, flag]))
  const flags: FlagCoverage[] = []
  for (const feature of data.tables.features.list()) {
    const { name, stale, archived } = feature
    if (archived) continue
    const first = tables.features.get(name)
    const found = known.get(name)
    known.delete(name)
    if (listed !== undefined && first !== undefined && !stale && !isBuiltIn(name)) {
      if (listed.has(name) && (found === undefined || timesAsked(found) + found.unknown === 0)) continue
      listed.add(name)
    }
    const flag = found ?? unasked(name)
    const contexts = { known: flag.contexts.known, with: {} as Record<string, number> }
    for (const field of fieldsNeeded(first ?? feature, tables)) contexts.with[field] = flag.contexts.with[field] ?? 0
    flags.push({
      name,
      exists: true,
      isBuiltIn: isBuiltIn(name),
      isFromTest: first === undefined,
      isStale: stale,
      variants: first === undefined ? [] : variantsGivenBy(first),
      served: flag.served,
      asked: flag.asked,
      seen: flag.seen,
      tests: flag.tests,
      unknown: flag.unknown,
      contexts,
    })
  }
  for (const flag of known.values()) flags.push({ ...flag, contexts: { known: 0, with: {} } })
  return { ...report, flags: flags.sort((one, other) => (one.name < other.name ? -1 : 1)) }
}

/** Tells whether only built-in scenarios of a world contain a feature. */
function builtInFlags({ composition, origin }: World): (name: string) => boolean {
  let own: ReadonlySet<string> | undefined
  const ownFlags = () => {
    const { root, seeds } = composition
    const given = [root.seed, ...seeds].filter((seed) => !builtInSeeds.has(seed))
    return new Set([...given, ...origin.start.fixtures.map(({ state }) => state)].flatMap(flagsIn))
  }
  return (name) => {
    if (!builtIn.has(name)) return false
    own ??= ownFlags()
    return !own.has(name)
  }
}

function unasked(name: string): FlagCoverage {
  return {
    name,
    exists: true,
    isBuiltIn: false,
    isFromTest: false,
    isStale: false,
    variants: [],
    served: { on: 0, off: 0, variants: {} },
    asked: { on: 0, off: 0, variants: {} },
    seen: { on: 0, off: 0, variants: {} },
    tests: { on: 0, off: 0 },
    unknown: 0,
    contexts: { known: 0, with: {} },
  }
}

/** The names of the variants that a feature can give, in all environments. */
export function variantsGivenBy(feature: StoredFeature): string[] {
  return [...new Set(variantsOf(feature).flatMap(({ name, weight }) => (weight > 0 ? [name] : [])))]
}

type StrategyAtStart = StoredFeature['environments'][number]['strategies'][number]

/** The fields of a context that all strategies of a feature need, where it is on. */
function fieldsNeeded({ environments }: StoredFeature, tables: Tables): string[] {
  const active = environments.filter(({ enabled }) => enabled)
  const strategies = active.flatMap((environment) => environment.strategies.filter(({ disabled }) => !disabled))
  const [first, ...others] = strategies.map((strategy) => fieldsOf(strategy, tables))
  return [...new Set(first)].filter((field) => others.every((fields) => fields.includes(field)))
}

/** The fields that every SDK sends. */
const ALWAYS_SENT: ReadonlySet<string> = new Set(['appName', 'environment', 'currentTime', 'sessionId'])

const OF_STRATEGIES: Readonly<Record<string, string>> = {
  userWithId: 'userId',
  gradualRolloutUserId: 'userId',
  remoteAddress: 'remoteAddress',
}

/** The fields without which a strategy is never satisfied. */
function fieldsOf({ name, parameters, constraints, segments }: StrategyAtStart, tables: Tables): string[] {
  const inherited = segments.flatMap((id) => tables.segments.get(id)?.constraints ?? [])
  const stickiness = name === GRADUAL_ROLLOUT ? parameters.stickiness : OF_STRATEGIES[name]
  const sticky = stickiness === undefined || ['default', 'random', ''].includes(stickiness) ? [] : [stickiness]
  const constrained = [...constraints, ...inherited].flatMap((constraint) =>
    isMetWithout(constraint) ? [] : [constraint.contextName],
  )
  return [...sticky, ...constrained].filter((field) => !ALWAYS_SENT.has(field))
}

/** Whether a constraint is satisfied in a context without its field. */
function isMetWithout({ operator, inverted }: Frozen<StrategyAtStart['constraints'][number]>): boolean {
  return (operator === 'NOT_IN') !== (inverted === true)
}
