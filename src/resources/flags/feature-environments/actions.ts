import { type Failure, noAccess } from '../../../contract/errors.js'
import type { Frozen } from '../../../support/freeze.js'
import { fail, type Result } from '../../../support/result.js'
import type { OperationContext } from '../../shared/context.js'
import { type FeatureEvent, saveFeature } from '../features/actions.js'
import type { FeatureRecord } from '../features/schema.js'
import { defaultStrategy, inOrder, nextSortOrder } from '../strategies/rules.js'
import { type FeaturePlace, type FoundEnvironment, findFeatureEnvironment } from './lookup.js'
import { replaceEnvironment } from './rules.js'
import type { FeatureEnvironment } from './schema.js'

/** Disables a feature in an environment. */
export function turnOff(context: OperationContext, place: FeaturePlace): Failure | undefined {
  const found = findActive(context, place)
  if (!found.ok) return found.failure
  const { feature, environment } = found.value
  if (!environment.enabled) return undefined
  saveFeature(context, replaceEnvironment(feature, { ...environment, enabled: false }), [
    { type: 'feature-environment-disabled', data: null, environment: environment.name },
  ])
  return undefined
}

/**
 * Enables a feature in an environment. If it has no enabled strategy there, adds one that is on for everybody; or, if
 * asked, enables the disabled ones instead.
 */
export function turnOn(
  context: OperationContext,
  place: FeaturePlace,
  { enableStrategies }: { enableStrategies: boolean },
): Failure | undefined {
  const found = findActive(context, place)
  if (!found.ok) return found.failure
  const { feature, environment } = found.value
  const forbidden = checkMayAdd(context, feature, environment)
  if (forbidden) return forbidden
  const { strategies, events } = strategiesWhenOn(context, environment, { feature, enableStrategies })
  if (environment.enabled && events.length === 0) return undefined

  const changed = replaceEnvironment(feature, { ...environment, enabled: true, strategies })
  const switched = { type: 'feature-environment-enabled', data: null, environment: environment.name }
  saveFeature(context, changed, environment.enabled ? events : [...events, switched])
  return undefined
}

/** Enabling a feature that has no strategy at all adds one, for which the caller needs a permission. */
function checkMayAdd(
  { caller }: OperationContext,
  { project }: Frozen<FeatureRecord>,
  { name: environment, strategies }: Frozen<FeatureEnvironment>,
): Failure | undefined {
  const permission = 'CREATE_FEATURE_STRATEGY'
  if (strategies.length > 0 || caller.may(permission, { project, environment })) return undefined
  return noAccess(permission, environment)
}

function findActive({ tables }: OperationContext, place: FeaturePlace): Result<FoundEnvironment, Failure> {
  const found = findFeatureEnvironment(tables, place)
  if (!found.ok || !found.value.feature.archived) return found
  const message = `The feature "${place.featureName}" is archived, so it can't be enabled or disabled.`
  return fail({ kind: 'archivedFeature', message })
}

interface Strategies {
  strategies: Frozen<FeatureEnvironment['strategies']>
  events: FeatureEvent[]
}

/** The strategies of a feature that is enabled in an environment, and the events of those that change for it. */
export function strategiesWhenOn(
  { ids, now, tables }: OperationContext,
  { name: environment, strategies }: Frozen<FeatureEnvironment>,
  { feature, enableStrategies }: { feature: Frozen<FeatureRecord>; enableStrategies: boolean },
): Strategies {
  if (enableStrategies && strategies.length > 0) {
    const enabled = strategies.map((strategy) => (strategy.disabled ? { ...strategy, disabled: false } : strategy))
    const events = strategies
      .filter(({ disabled }) => disabled)
      .map((preData) => ({
        type: 'feature-strategy-update',
        data: { ...preData, disabled: false },
        preData,
        environment,
      }))
    return { strategies: enabled, events }
  }
  if (strategies.some(({ disabled }) => !disabled)) return { strategies, events: [] }
  const id = ids.ulid(now.getTime())
  const ofProject = tables.projects.get(feature.project)?.defaultStrategies?.[environment]
  const added = defaultStrategy(feature.name, { id, sortOrder: nextSortOrder(strategies) }, ofProject)
  const events = [{ type: 'feature-strategy-add', data: added, environment }]
  return { strategies: inOrder([...strategies, added]), events }
}
