import * as z from 'zod'
import type { Frozen } from '../../../support/freeze.js'
import { found, reject } from '../../contract/errors.js'
import { inOrder } from '../shared/checks.js'
import type { OperationContext } from '../shared/context.js'
import { revive } from './archive.js'
import type { FeatureEnvironment } from './feature-environments.js'
import { createFeatureRecord, featureName, type StoredFeature } from './features.js'
import { creationIn, type FeatureEvent, findFeature, logCreation, saveFeature } from './features.model.js'
import { defaultStrategy, GRADUAL_ROLLOUT, nextSortOrder, type Strategy } from './strategies.js'
import { completeVariant, sentVariantSchema, type Variant, WHOLE } from './variants.js'

const variantName = z.string().min(1)

/** A variant for everyone: its name, or its name and payload. */
export const givenVariantSchema = z.union([
  variantName,
  z.strictObject({ ...sentVariantSchema.pick({ payload: true }).shape, name: variantName }),
])

export type VariantForAll = z.infer<typeof givenVariantSchema>

/**
 * Enables a feature for everyone in every environment, optionally with a variant. It keeps its strategies, and gets a
 * strategy for everyone if it has none. Creates a missing feature, and revives an archived feature.
 */
export function enableForEverybody(context: OperationContext, name: string, given?: VariantForAll): void {
  const feature = findOrCreate(context, name)
  if (feature.archived) revive(context, feature)
  const variant =
    given === undefined
      ? undefined
      : completeVariant({ ...(typeof given === 'string' ? { name: given } : given), weight: WHOLE })
  change(context, name, (environment) => {
    const served = withVariant(environment, variant)
    const switched = { type: 'feature-environment-enabled', data: null, environment: environment.name }
    if (served.environment.strategies.some(isForEverybody)) {
      return {
        environment: { ...served.environment, enabled: true },
        events: environment.enabled ? served.events : [...served.events, switched],
      }
    }
    const { strategies } = served.environment
    const id = context.ids.ulid(context.now.getTime())
    const added = defaultStrategy(name, { id, sortOrder: nextSortOrder(strategies) })
    const adding = { type: 'feature-strategy-add', data: added, environment: environment.name }
    return {
      environment: { ...served.environment, enabled: true, strategies: inOrder([...strategies, added]) },
      events: [...served.events, adding, ...(environment.enabled ? [] : [switched])],
    }
  })
}

/** Disables a feature in every environment. Creates a missing feature. */
export function disableForEverybody(context: OperationContext, name: string): void {
  findOrCreate(context, name)
  change(context, name, (environment) => ({
    environment: { ...environment, enabled: false },
    events: environment.enabled
      ? [{ type: 'feature-environment-disabled', data: null, environment: environment.name }]
      : [],
  }))
}

interface ChangedEverywhere {
  environment: Frozen<FeatureEnvironment>
  events: FeatureEvent[]
}

function change(
  context: OperationContext,
  name: string,
  changeOne: (environment: Frozen<FeatureEnvironment>) => ChangedEverywhere,
): void {
  const feature = findFeature(context.tables, name)
  const changed = feature.environments.map(changeOne)
  const environments = changed.map(({ environment }) => environment)
  saveFeature(
    context,
    { ...feature, environments },
    changed.flatMap(({ events }) => events),
  )
}

function findOrCreate(context: OperationContext, name: string): StoredFeature {
  const { projects, features } = context.tables
  const existing = features.get(name)
  if (existing !== undefined) return existing
  reject(featureName.check(name))
  const project = found(projects.get('default') ?? projects.list()[0], () => 'There is no project to create it in.')
  const feature = createFeatureRecord({ name }, creationIn(context, project.id, name))
  features.insert(feature)
  logCreation(context, feature)
  return feature
}

/** The environment with one variant. Removes the variants of its strategies, because SDKs prefer them. */
function withVariant(environment: Frozen<FeatureEnvironment>, variant: Frozen<Variant> | undefined): ChangedEverywhere {
  if (variant === undefined) return { environment, events: [] }
  const { name, variants, strategies } = environment
  const updates = strategies
    .filter((strategy) => strategy.variants.length > 0)
    .map((preData) => ({
      type: 'feature-strategy-update',
      data: { ...preData, variants: [] },
      preData,
      environment: name,
    }))
  return {
    environment: {
      ...environment,
      variants: [variant],
      strategies: strategies.map((strategy) => ({ ...strategy, variants: [] })),
    },
    events: [
      ...updates,
      {
        type: 'feature-environment-variants-updated',
        data: { variants: [variant] },
        preData: { variants },
        environment: name,
      },
    ],
  }
}

/** Whether a strategy is satisfied for everyone. */
export function isForEverybody({ name, disabled, parameters, constraints, segments }: Frozen<Strategy>): boolean {
  if (disabled || constraints.length > 0 || segments.length > 0) return false
  if (name !== GRADUAL_ROLLOUT) return name === 'default'
  return Number(parameters.rollout) === 100 && ['default', 'random', ''].includes(parameters.stickiness ?? '')
}
