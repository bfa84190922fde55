import * as z from 'zod'
import { none } from '../../support/freeze.js'
import { given, givenShape, instant } from '../shared/fields.js'
import { type FixtureContext, instantOr } from '../shared/table.js'
import { answeredStrategySchema, strategySchema } from './strategies.js'
import { completeVariants, variantFixtureSchema, variantSchema } from './variants.js'

const strategyFixtureSchema = z.strictObject({
  ...givenShape(strategySchema),
  /** The name of the feature, as responses have it. */
  featureName: z.string().optional(),
})

/** A feature in one environment, as stored. */
export const featureEnvironmentSchema = z.object({
  /** The name of the environment. */
  name: z.string(),
  /** Whether the feature is on there. Default: the feature's own `enabled`, or false. */
  enabled: given(z.boolean(), z.boolean().optional()),
  /** When an SDK last used it there; null for never. */
  lastSeenAt: instant(null),
  /** Whom it is on for. */
  strategies: given(z.array(strategySchema), z.array(strategyFixtureSchema), []),
  /** The variants of the feature there, with overrides. */
  variants: given(z.array(variantSchema), z.array(variantFixtureSchema), []),
})

export type FeatureEnvironment = z.infer<typeof featureEnvironmentSchema>

/** A feature in one environment, in an answer. */
export const readEnvironmentSchema = z
  .object({
    name: z.string().meta({ description: 'The name of the feature' }),
    environment: z.string(),
    enabled: z.boolean(),
    strategies: z.array(answeredStrategySchema),
  })
  .meta({ id: 'readFeatureEnvironmentSchema' })

/** The same as the running service answers it: strategies name the feature and omit their segments. */
export const serviceReadEnvironmentSchema = readEnvironmentSchema
  .extend({
    strategies: z.array(strategySchema.omit({ segments: true }).extend({ featureName: z.string() })),
  })
  .meta({ id: 'serviceFeatureEnvironmentSchema' })

export const turnOnQuerySchema = z.object({ shouldActivateDisabledStrategies: z.string().optional() })

export const bulkToggleFeaturesSchema = z
  .object({ features: z.array(z.string()) })
  .meta({ id: 'bulkToggleFeaturesSchema' })

/** A feature's environment as a fixture may give it: only its name is needed. */
export const featureEnvironmentFixtureSchema = z.strictObject({
  ...givenShape(featureEnvironmentSchema),
  /** The name of the feature, as responses have it. */
  featureName: z.string().optional(),
  /** The name of the environment again, as responses have it. */
  environment: z.string().optional(),
  /** The type of the environment. It must agree with `environments` of the state. */
  type: z.string().optional(),
  /** The position of the environment. It must agree with `environments` of the state. */
  sortOrder: z.int().optional(),
  /** The number of variants, as responses have it. */
  variantCount: z.int().optional(),
  /** Whether there are strategies, as responses have it. */
  hasStrategies: z.boolean().optional(),
  /** Whether there are strategies that are not disabled, as responses have it. */
  hasEnabledStrategies: z.boolean().optional(),
  /** How often it was on, as responses have it. See `clientMetrics`. */
  yes: z.int().optional(),
  /** How often it was off, as responses have it. See `clientMetrics`. */
  no: z.int().optional(),
})

export function completeFeatureEnvironment(
  given: z.infer<typeof featureEnvironmentFixtureSchema>,
  { name: featureName, enabled = false }: { name: string; enabled?: boolean | undefined },
  context: FixtureContext,
): FeatureEnvironment {
  return {
    name: given.name,
    enabled: given.enabled ?? enabled,
    lastSeenAt: instantOr(given.lastSeenAt, null, context),
    strategies:
      given.strategies?.map((strategy, position) => ({
        id: strategy.id ?? context.ids.ulid(context.now.getTime()),
        name: strategy.name,
        title: strategy.title ?? null,
        disabled: strategy.disabled ?? false,
        sortOrder: strategy.sortOrder ?? position,
        segments: strategy.segments ?? none,
        constraints: strategy.constraints ?? none,
        variants: strategy.variants ? completeVariants(strategy.variants) : none,
        parameters: strategy.parameters ?? defaultParameters(strategy.name, featureName),
      })) ?? none,
    variants: given.variants ? completeVariants(given.variants) : none,
  }
}

function defaultParameters(strategy: string, featureName: string): Record<string, string> {
  return strategy === 'flexibleRollout' ? { rollout: '100', stickiness: 'default', groupId: featureName } : {}
}
