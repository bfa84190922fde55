import type { Permission } from '../../../contract/permissions.js'
import { type Frozen, none } from '../../../support/freeze.js'
import type { Actor } from '../../shared/schema.js'
import type { FeatureEnvironment } from '../feature-environments/schema.js'
import { enterStage } from '../lifecycle/rules.js'
import type { Strategy } from '../strategies/schema.js'
import { balanceWeights, hasWholeWeight } from '../variants/rules.js'
import type { FeatureRecord } from './schema.js'

type Source = Frozen<FeatureRecord>

/** Who makes a feature, when, where, and the ids it takes: what a rule must be told, because it reads no clock and no dice. */
export interface Making {
  now: string
  actor: Actor
  project: string
  /** The names of the environments that it is to be in, in their order. */
  environments: readonly string[]
  /** The links that it is given from the start. */
  links?: FeatureRecord['links']
  newStrategyId: () => string
}

/** What a caller can say of a feature to be. */
interface Asked {
  name: string
  type?: string | undefined
  description?: string | null | undefined
  impressionData?: boolean | undefined
  stale?: boolean | undefined
  archived?: boolean | undefined
  /** In stored form. */
  createdAt?: string | undefined
  tags?: FeatureRecord['tags'] | undefined
}

/** A feature as `createFeature` makes it: off everywhere, without strategies. */
export function createFeatureRecord(
  asked: Asked,
  { now, actor, project, environments, links = none }: Omit<Making, 'newStrategyId'>,
): FeatureRecord {
  return {
    name: asked.name,
    type: asked.type ?? 'release',
    description: asked.description || null,
    project,
    stale: asked.stale ?? false,
    impressionData: asked.impressionData ?? false,
    archived: asked.archived ?? false,
    archivedAt: asked.archived ? now : null,
    createdAt: asked.createdAt ?? now,
    createdBy: actor,
    lastSeenAt: null,
    lifecycle: { stage: 'initial', enteredStageAt: now },
    pastStages: none,
    dependencies: none,
    collaborators: { users: [actor] },
    tags: asked.tags ?? none,
    links,
    environments: environments.map(emptyEnvironment),
  }
}

/**
 * The copy of a feature. It takes what describes the flag (type, strategies, variants, parents …) and nothing of its
 * life: it is off everywhere, untagged, nobody's favourite, made now by the caller.
 */
export function cloneFeatureRecord(
  source: Source,
  asked: { name: string; replaceGroupId: boolean },
  making: Making,
): Source {
  const created = createFeatureRecord({ name: asked.name, type: source.type }, making)
  return {
    ...created,
    description: source.description || null,
    stale: source.stale,
    impressionData: source.impressionData,
    dependencies: source.dependencies,
    environments: making.environments.map((name) => {
      const original = source.environments.find((environment) => environment.name === name)
      if (original === undefined) return emptyEnvironment(name)
      const strategies = original.strategies.map((strategy) => cloneStrategy(strategy, asked, making.newStrategyId()))
      return { name, enabled: false, lastSeenAt: null, strategies, variants: original.variants }
    }),
  }
}

/** Only a strategy that has a group id is given the new one: the id decides who gets the feature. */
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

export function emptyEnvironment(name: string): FeatureEnvironment {
  return { name, enabled: false, lastSeenAt: null, strategies: none, variants: none }
}

/** What the caller of a clone must be allowed to do, environment by environment of the source. */
export function permissionsToCopy(source: Source): { permission: Permission; environment: string }[] {
  return source.environments.flatMap(({ name: environment, strategies, variants }) => [
    ...(strategies.length > 0 ? [{ permission: 'CREATE_FEATURE_STRATEGY' as const, environment }] : []),
    ...(variants.length > 0 ? [{ permission: 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS' as const, environment }] : []),
  ])
}

/** The feature, archived at an instant: off everywhere. */
export function archiveFeatureRecord(feature: Source, now: string): Source {
  return {
    ...feature,
    archived: true,
    archivedAt: now,
    ...enterStage(feature, { stage: 'archived', enteredStageAt: now }),
    environments: feature.environments.map((environment) => ({ ...environment, enabled: false })),
  }
}

/** An archived feature as it is once it is brought back: off everywhere, at the first stage of its life. */
export function reviveFeatureRecord(feature: Source, now: string): Source {
  const lifecycle = { stage: 'initial', enteredStageAt: now } as const
  return { ...feature, archived: false, archivedAt: null, lifecycle, pastStages: [] }
}

/** What the caller of an update says of a feature. What is not said is set back. */
interface Update {
  type?: string | undefined
  description?: string | null | undefined
  impressionData?: boolean | undefined
  stale?: boolean | undefined
  archived?: boolean | undefined
}

/** The feature with what was said of it. */
export function updateFeatureRecord(feature: Source, asked: Update, now: string): Source {
  const changed = {
    ...feature,
    type: asked.type ?? 'release',
    description: asked.description || null,
    impressionData: asked.impressionData ?? false,
    stale: asked.stale ?? false,
  }
  return asked.archived ? archiveFeatureRecord(changed, now) : changed
}
