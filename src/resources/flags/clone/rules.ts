import type { Permission } from '../../../contract/permissions.js'
import type { Frozen } from '../../../support/freeze.js'
import { type CreationContext, createFeatureRecord, emptyEnvironment, type Source } from '../features/rules.js'
import type { Strategy } from '../strategies/schema.js'
import { balanceWeights, hasWholeWeight } from '../variants/rules.js'

/**
 * A copy of a feature. It keeps what describes the flag (type, strategies, variants, parents …) and nothing of its
 * history: it is disabled everywhere, without tags or favorites, and created now by the caller.
 */
export function cloneFeatureRecord(
  source: Source,
  input: { name: string; replaceGroupId: boolean },
  creation: CreationContext,
): Source {
  const { type, description, stale, impressionData, dependencies } = source
  const created = createFeatureRecord({ name: input.name, type, description, stale, impressionData }, creation)
  return {
    ...created,
    dependencies,
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
  const { title, disabled, sortOrder, segments, constraints, variants, parameters } = strategy
  const replaces = replaceGroupId && Object.hasOwn(parameters, 'groupId')
  return {
    id,
    name: strategy.name,
    title,
    disabled,
    sortOrder,
    segments,
    constraints,
    variants: hasWholeWeight(variants) ? variants : balanceWeights(variants),
    parameters: replaces ? { ...parameters, groupId: name } : parameters,
  }
}

/** A permission that a clone needs in an environment of the source. */
interface Needed {
  permission: Permission
  environment: string
}

/** The permissions that a clone needs in each environment of the source. */
export function permissionsToCopy(source: Source): Needed[] {
  const needed: Needed[] = []
  for (const { name: environment, strategies, variants } of source.environments) {
    if (strategies.length > 0) needed.push({ permission: 'CREATE_FEATURE_STRATEGY', environment })
    if (variants.length > 0) needed.push({ permission: 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS', environment })
  }
  return needed
}
