import type { DataFault } from '../../../contract/mock-errors.js'
import type { Permission } from '../../../contract/permissions.js'
import { type Frozen, none } from '../../../support/freeze.js'
import { duplicateFaults } from '../../shared/rules.js'
import type { Actor } from '../../shared/schema.js'
import type { FeatureEnvironment } from '../feature-environments/schema.js'
import { enterStage } from '../lifecycle/rules.js'
import type { Strategy } from '../strategies/schema.js'
import { balanceWeights, hasWholeWeight } from '../variants/rules.js'
import type { FeatureRecord } from './schema.js'

type Source = Frozen<FeatureRecord>

/** Everything about a new feature that a pure rule can't find out itself: the time, the caller, the place and new ids. */
interface CreationContext {
  now: string
  actor: Actor
  project: string
  /** The names of its environments, in order. */
  environments: readonly string[]
  links?: FeatureRecord['links']
  newStrategyId: () => string
}

/** What the caller can set on a new feature. */
interface FeatureInput {
  name: string
  type?: string | undefined
  description?: string | null | undefined
  impressionData?: boolean | undefined
  stale?: boolean | undefined
  archived?: boolean | undefined
  /** As stored: UTC, with milliseconds. */
  createdAt?: string | undefined
  tags?: FeatureRecord['tags'] | undefined
}

/** A new feature: disabled in every environment, without strategies. */
export function createFeatureRecord(
  input: FeatureInput,
  { now, actor, project, environments, links = none }: Omit<CreationContext, 'newStrategyId'>,
): FeatureRecord {
  return {
    name: input.name,
    type: input.type ?? 'release',
    description: input.description || null,
    project,
    stale: input.stale ?? false,
    impressionData: input.impressionData ?? false,
    archived: input.archived ?? false,
    archivedAt: input.archived ? now : null,
    createdAt: input.createdAt ?? now,
    createdBy: actor,
    lastSeenAt: null,
    lifecycle: { stage: 'initial', enteredStageAt: now },
    pastStages: none,
    dependencies: none,
    collaborators: { users: [actor] },
    tags: input.tags ?? none,
    links,
    environments: environments.map((name) => emptyEnvironment(name)),
  }
}

/**
 * A copy of a feature. It keeps what describes the flag (type, strategies, variants, parents …) and nothing of its
 * history: it is disabled everywhere, without tags or favorites, and created now by the caller.
 */
export function cloneFeatureRecord(
  source: Source,
  input: { name: string; replaceGroupId: boolean },
  creation: CreationContext,
): Source {
  const created = createFeatureRecord({ name: input.name, type: source.type }, creation)
  return {
    ...created,
    description: source.description || null,
    stale: source.stale,
    impressionData: source.impressionData,
    dependencies: source.dependencies,
    environments: creation.environments.map((name) => {
      const original = source.environments.find((environment) => environment.name === name)
      if (original === undefined) return emptyEnvironment(name)
      const strategies = original.strategies.map((strategy) => cloneStrategy(strategy, input, creation.newStrategyId()))
      return { name, enabled: false, lastSeenAt: null, strategies, variants: original.variants }
    }),
  }
}

/** Sets the new group id only if the strategy has one already, because the id decides which users get the feature. */
function cloneStrategy(
  strategy: Frozen<Strategy>,
  { name, replaceGroupId }: { name: string; replaceGroupId: boolean },
  id: string,
): Frozen<Strategy> {
  const replace = replaceGroupId && Object.hasOwn(strategy.parameters, 'groupId')
  return {
    ...strategy,
    id,
    variants: hasWholeWeight(strategy.variants) ? strategy.variants : balanceWeights(strategy.variants),
    parameters: replace ? { ...strategy.parameters, groupId: name } : strategy.parameters,
  }
}

export function emptyEnvironment(name: string, enabled = false): FeatureEnvironment {
  return { name, enabled, lastSeenAt: null, strategies: none, variants: none }
}

/** The permissions that a clone needs in each environment of the source. */
export function permissionsToCopy(source: Source): { permission: Permission; environment: string }[] {
  return source.environments.flatMap(({ name: environment, strategies, variants }) => [
    ...(strategies.length > 0 ? [{ permission: 'CREATE_FEATURE_STRATEGY' as const, environment }] : []),
    ...(variants.length > 0 ? [{ permission: 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS' as const, environment }] : []),
  ])
}

/** The feature, archived at an instant and disabled everywhere. */
export function archiveFeatureRecord(feature: Source, now: string): Source {
  return {
    ...feature,
    archived: true,
    archivedAt: now,
    ...enterStage(feature, { stage: 'archived', enteredStageAt: now }),
    environments: feature.environments.map((environment) => ({ ...environment, enabled: false })),
  }
}

/** An archived feature, revived: disabled everywhere, at the first stage of its lifecycle. */
export function reviveFeatureRecord(feature: Source, now: string): Source {
  const lifecycle = { stage: 'initial', enteredStageAt: now } as const
  return { ...feature, archived: false, archivedAt: null, lifecycle, pastStages: [] }
}

/** What the caller of an update can set. Omitted fields return to their defaults. */
interface FeatureUpdate {
  type?: string | undefined
  description?: string | null | undefined
  impressionData?: boolean | undefined
  stale?: boolean | undefined
  archived?: boolean | undefined
}

export function updateFeatureRecord(feature: Source, input: FeatureUpdate, now: string): Source {
  const changed = {
    ...feature,
    type: input.type ?? 'release',
    description: input.description || null,
    impressionData: input.impressionData ?? false,
    stale: input.stale ?? false,
  }
  return input.archived ? archiveFeatureRecord(changed, now) : changed
}

interface GivenFeature {
  archived?: boolean | undefined
  archivedAt?: string | null | undefined
  environments?: readonly { name: string }[] | object | undefined
}

/** What is wrong with a feature in given state, besides what it points at. */
export function faultsOfGiven(
  feature: Source,
  { archived, archivedAt, environments }: GivenFeature,
  find: (name: string) => Source | undefined,
): readonly DataFault[] {
  const faults: DataFault[] = []
  if (archived !== undefined && archivedAt !== undefined && archived !== (archivedAt !== null)) {
    const message = `is ${archived}, but archivedAt is ${archivedAt === null ? 'null' : `"${archivedAt}"`}: give only one of them`
    faults.push({ path: 'archived', message })
  }
  if (Array.isArray(environments) && environments.length > 1) {
    const names = environments.map(({ name }: { name: string }) => name)
    faults.push(...duplicateFaults('environments', names))
  }
  const circle = feature.dependencies.length === 0 ? undefined : circleOf(feature, find)
  if (circle !== undefined) {
    faults.push({ path: 'dependencies', message: `lead in a circle: ${circle.join(' → ')}` })
  }
  return faults
}

/** The names on the way from a feature through its parents back to itself. */
function circleOf(feature: Source, find: (name: string) => Source | undefined): string[] | undefined {
  const seen = new Set<string>()
  const search = (one: Source, path: readonly string[]): string[] | undefined => {
    for (const { feature: parent } of one.dependencies) {
      if (parent === feature.name) return [...path, parent]
      if (seen.has(parent)) continue
      seen.add(parent)
      const next = find(parent)
      const found = next === undefined ? undefined : search(next, [...path, parent])
      if (found !== undefined) return found
    }
    return undefined
  }
  return search(feature, [feature.name])
}
