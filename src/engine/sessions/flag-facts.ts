import { scenarios } from '../../../scenarios/index.js'
import type { StoredFeature } from '../../service/resources/flags/features.js'
import { GRADUAL_ROLLOUT } from '../../service/resources/flags/strategies.js'
import { variantsOf } from '../../service/resources/sdk/told-features.js'
import type { Tables } from '../../service/resources/tables.js'
import type { Frozen } from '../../support/freeze.js'
import { isObject } from '../../support/json.js'
import { WorldData } from '../state/state.js'
import { type CoverageReport, type FlagCoverage, Tally } from './flag-coverage.js'
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
export function withFacts(report: CoverageReport, world: World): CoverageReport {
  const { composition, origin, data } = world
  const { root, seeds } = composition
  const given = [root.seed, ...seeds].filter((seed) => !builtInSeeds.has(seed))
  const own = new Set([...given, ...origin.start.fixtures.map(({ state }) => state)].flatMap(flagsIn))
  const { tables } = origin.contents === undefined ? data : new WorldData(origin.contents)
  const known = new Map(report.flags.map((flag) => [flag.name, flag]))
  const active = data.tables.features.list().filter(({ archived }) => !archived)
  const facts = active.map((feature): FlagCoverage => {
    const { name } = feature
    const first = tables.features.get(name)
    const needs = fieldsNeeded(first ?? feature, tables)
    const flag = known.get(name) ?? unasked(name)
    known.delete(name)
    return {
      ...flag,
      exists: true,
      isBuiltIn: builtIn.has(name) && !own.has(name),
      isFromTest: first === undefined,
      isStale: feature.stale,
      variants: first === undefined ? [] : variantsGivenBy(first),
      contexts: {
        known: flag.contexts.known,
        with: Object.fromEntries(needs.map((field) => [field, flag.contexts.with[field] ?? 0])),
      },
    }
  })
  const others = [...known.values()].map((flag) => ({ ...flag, contexts: { known: 0, with: {} } }))
  return { ...report, flags: [...facts, ...others].toSorted((one, other) => (one.name < other.name ? -1 : 1)) }
}

function unasked(name: string): FlagCoverage {
  return {
    ...{ name, exists: true, isBuiltIn: false, isFromTest: false, isStale: false, variants: [] },
    ...{ served: new Tally().counts(), asked: new Tally().counts(), seen: new Tally().counts() },
    ...{ tests: { on: 0, off: 0 }, unknown: 0, contexts: { known: 0, with: {} } },
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
