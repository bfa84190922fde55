import type * as z from 'zod'
import type { Frozen } from '../../../support/freeze.js'
import { type Failure, found, noAccess, reject } from '../../contract/errors.js'
import { inOrder } from '../shared/checks.js'
import type { OperationContext, Tables } from '../shared/context.js'
import { get, operations, post, view } from '../shared/rows.js'
import {
  bulkToggleFeaturesSchema,
  type FeatureEnvironment,
  readEnvironmentSchema,
  serviceReadEnvironmentSchema,
  turnOnQuerySchema,
} from './feature-environments.js'
import { placesOf, type StoredFeature } from './features.js'
import {
  type FeatureEvent,
  type FeatureParams,
  featurePath,
  findInProject,
  newGroup,
  saveFeature,
} from './features.model.js'
import { defaultStrategy, makeStrategy, nextSortOrder, type Strategy } from './strategies.js'
import { checkStrategy } from './strategies.model.js'

/** The strategies of a feature in an environment, connected or not. */
export function strategiesIn(feature: StoredFeature, environment: string | undefined): Frozen<Strategy>[] {
  return [...(placesOf(feature).find(({ name }) => name === environment)?.strategies ?? [])]
}

/** The feature with other strategies in an environment, connected or not. */
export function withStrategies(
  feature: StoredFeature,
  name: string,
  strategies: readonly Frozen<Strategy>[],
): StoredFeature {
  const connected = feature.environments.find((one) => one.name === name)
  if (connected !== undefined) return replaceEnvironment(feature, { ...connected, strategies })
  const others = (feature.detached ?? []).filter((one) => one.name !== name)
  return { ...feature, detached: [...others, { name, strategies }] }
}

export function replaceEnvironment(feature: StoredFeature, changed: Frozen<FeatureEnvironment>): StoredFeature {
  const environments = feature.environments.map((one) => (one.name === changed.name ? changed : one))
  return { ...feature, environments }
}

export const environmentPath = `${featurePath}/environments/:environment` as const

export interface FeaturePlace extends FeatureParams {
  environment: string
}

interface FoundEnvironment {
  feature: StoredFeature
  environment: Frozen<FeatureEnvironment>
}

/** A feature in an environment. The feature can be archived. */
export function findFeatureEnvironment(tables: Tables, place: FeaturePlace): FoundEnvironment {
  const feature = findInProject(tables, place)
  const { name, environments } = feature
  const environment = environments.find((one) => one.name === place.environment)
  return {
    feature,
    environment: found(environment, () => hasNoEnvironment(name, place.environment)),
  }
}

export function hasNoEnvironment(feature: string, environment: string): string {
  return `The feature "${feature}" has no environment "${environment}".`
}

function turnOff(context: OperationContext, place: FeaturePlace, group: { groupId?: string } = {}): undefined {
  const { feature, environment } = findActive(context, place)
  if (!environment.enabled) return
  const event = { type: 'feature-environment-disabled', data: null, environment: environment.name }
  saveFeature(context, replaceEnvironment(feature, { ...environment, enabled: false }), [event], group)
}

/**
 * Enables a feature in an environment. If it has no enabled strategy there, it gets a strategy for everyone or, on request,
 * its disabled strategies are enabled.
 */
function turnOn(
  context: OperationContext,
  place: FeaturePlace,
  { shouldActivateDisabledStrategies }: z.infer<typeof turnOnQuerySchema>,
  group: { groupId?: string } = {},
): undefined {
  const { feature, environment } = findActive(context, place)
  reject(checkMayAdd(context, feature, environment))
  const enableStrategies = shouldActivateDisabledStrategies === 'true'
  const { strategies, events } = strategiesWhenOn(context, environment, { feature, enableStrategies })
  const switched = { type: 'feature-environment-enabled', data: null, environment: environment.name }
  const enabled = replaceEnvironment(feature, { ...environment, enabled: true, strategies })
  saveFeature(context, enabled, environment.enabled ? events : [...events, switched], group)
}

/** Enabling a feature without strategies adds a strategy, for which the caller needs a permission. */
function checkMayAdd(
  { caller }: OperationContext,
  { project }: StoredFeature,
  { name: environment, strategies }: Frozen<FeatureEnvironment>,
): Failure | undefined {
  const permission = 'CREATE_FEATURE_STRATEGY'
  if (strategies.length > 0 || caller.may(permission, { project, environment })) return undefined
  return noAccess(permission, environment)
}

function findActive({ tables }: OperationContext, place: FeaturePlace): FoundEnvironment {
  const active = findFeatureEnvironment(tables, place)
  reject(checkSwitchable(active.feature))
  return active
}

/** Fails for an archived feature, which can't be enabled or disabled. */
export function checkSwitchable({ name, archived }: StoredFeature): Failure | undefined {
  if (!archived) return undefined
  return { kind: 'archivedFeature', message: `The feature "${name}" is archived, so it can't be enabled or disabled.` }
}

/** The strategies of a feature after enabling it in an environment, and the events of changed strategies. */
export function strategiesWhenOn(
  { ids, now, tables }: OperationContext,
  { name: environment, strategies }: Frozen<FeatureEnvironment>,
  { feature, enableStrategies }: { feature: StoredFeature; enableStrategies: boolean },
): { strategies: Frozen<FeatureEnvironment['strategies']>; events: FeatureEvent[] } {
  if (enableStrategies && strategies.length > 0) {
    const disabled = strategies.filter((strategy) => strategy.disabled)
    for (const strategy of disabled) reject(checkStrategy(tables, strategy, feature.project))
    const { name: featureName } = feature
    const updates = disabled.map((preData) => ({
      type: 'feature-strategy-update',
      data: makeStrategy({ name: preData.name, disabled: false }, preData, featureName),
      preData,
      environment,
    }))
    const enabled = new Map(updates.map(({ data }) => [data.id, data]))
    return { strategies: strategies.map((one) => enabled.get(one.id) ?? one), events: updates }
  }
  if (strategies.some(({ disabled }) => !disabled)) return { strategies, events: [] }
  const id = ids.ulid(now.getTime())
  const ofProject = tables.projects.get(feature.project)?.defaultStrategies?.[environment]
  const added = defaultStrategy(feature.name, { id, sortOrder: nextSortOrder(strategies) }, ofProject)
  reject(checkStrategy(tables, { ...added, segments: ofProject?.segments ?? [] }, feature.project))
  const events = [{ type: 'feature-strategy-add', data: added, environment }]
  return { strategies: inOrder([...strategies, added]), events }
}

const readEnvironmentView = view<FoundEnvironment>({
  documented: {
    schema: readEnvironmentSchema,
    present: ({ feature: { name }, environment }) => present(name, environment),
  },
  'unleash-8': {
    schema: serviceReadEnvironmentSchema,
    present: ({ feature: { name }, environment }) => ({
      ...present(name, environment),
      strategies: environment.strategies.map(({ segments: _, ...strategy }) => ({ ...strategy, featureName: name })),
    }),
  },
})

function present(name: string, { name: environment, enabled, strategies }: Frozen<FeatureEnvironment>) {
  return { name, environment, enabled, strategies }
}

export const featureEnvironmentOperations = operations('Features', {
  getFeatureEnvironment: get(environmentPath, {
    summary: 'Get a feature in one environment',
    success: { status: 200, description: 'The feature in the environment', view: readEnvironmentView },
    run: ({ params, context }) => ({ body: findFeatureEnvironment(context.tables, params) }),
  }),

  toggleFeatureEnvironmentOn: post(`${environmentPath}/on`, {
    summary: 'Enable a feature in an environment; if it has no enabled strategy there, one for everyone is added',
    permission: 'UPDATE_FEATURE_ENVIRONMENT',
    query: turnOnQuerySchema,
    success: { status: 200, description: 'The feature is enabled' },
    run: ({ params, query, context }) => turnOn(context, params, query),
  }),

  toggleFeatureEnvironmentOff: post(`${environmentPath}/off`, {
    summary: 'Disable a feature in an environment',
    permission: 'UPDATE_FEATURE_ENVIRONMENT',
    success: { status: 200, description: 'The feature is disabled' },
    run: ({ params, context }) => turnOff(context, params),
  }),

  bulkToggleFeaturesEnvironmentOn: post('/api/admin/projects/:projectId/bulk_features/environments/:environment/on', {
    summary: 'Enable several features in an environment',
    permission: 'UPDATE_FEATURE_ENVIRONMENT',
    body: bulkToggleFeaturesSchema,
    query: turnOnQuerySchema,
    success: { status: 200, description: 'The features are enabled' },
    run: ({ params, body, query, context }) => {
      const group = newGroup(context)
      for (const featureName of body.features) turnOn(context, { ...params, featureName }, query, group)
    },
  }),

  bulkToggleFeaturesEnvironmentOff: post('/api/admin/projects/:projectId/bulk_features/environments/:environment/off', {
    summary: 'Disable several features in an environment',
    permission: 'UPDATE_FEATURE_ENVIRONMENT',
    body: bulkToggleFeaturesSchema,
    success: { status: 200, description: 'The features are disabled' },
    run: ({ params, body, context }) => {
      const group = newGroup(context)
      for (const featureName of body.features) turnOff(context, { ...params, featureName }, group)
    },
  }),
})
