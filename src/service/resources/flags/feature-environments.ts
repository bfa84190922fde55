import * as z from 'zod'
import { completed, given, givenShape, instant } from '../shared/fields.js'
import { named } from '../shared/schema.js'
import type { FixtureContext } from '../shared/table.js'
import { answeredStrategySchema, strategySchema } from './strategies.js'
import { completeVariants, variantFixtureSchema, variantSchema } from './variants.js'

const strategyFixtureSchema = z.strictObject({
  ...givenShape(strategySchema),
  featureName: z.string().optional(),
})

/** A feature in one environment, as stored. */
export const featureEnvironmentSchema = z.object({
  name: z.string(),
  enabled: given(z.boolean(), z.boolean().optional()),
  lastSeenAt: instant(null),
  strategies: given(z.array(strategySchema), z.array(strategyFixtureSchema), []),
  variants: given(z.array(variantSchema), z.array(variantFixtureSchema), []),
})

export type FeatureEnvironment = z.infer<typeof featureEnvironmentSchema>

/** A feature in one environment, in a response. */
export const readEnvironmentSchema = named('readFeatureEnvironmentSchema', {
  name: z.string().meta({ description: 'The name of the feature' }),
  environment: z.string(),
  enabled: z.boolean(),
  strategies: z.array(answeredStrategySchema),
})

/** A feature in one environment, as in Unleash's responses: strategies name the feature and omit their segments. */
export const serviceReadEnvironmentSchema = readEnvironmentSchema
  .extend({
    strategies: z.array(strategySchema.omit({ segments: true }).extend({ featureName: z.string() })),
  })
  .meta({ id: 'serviceFeatureEnvironmentSchema' })

export const turnOnQuerySchema = z.object({ shouldActivateDisabledStrategies: z.string().optional() })

export const bulkToggleFeaturesSchema = named('bulkToggleFeaturesSchema', { features: z.array(z.string()) })

/** A feature's environment in a fixture: only its name is required. */
export const featureEnvironmentFixtureSchema = z.strictObject({
  ...givenShape(featureEnvironmentSchema),
  featureName: z.string().optional(),
  environment: z.string().optional(),
  type: z.string().optional(),
  sortOrder: z.int().optional(),
  variantCount: z.int().optional(),
  hasStrategies: z.boolean().optional(),
  hasEnabledStrategies: z.boolean().optional(),
  yes: z.int().optional(),
  no: z.int().optional(),
})

export function completeFeatureEnvironment(
  given: z.infer<typeof featureEnvironmentFixtureSchema>,
  { name: featureName, enabled = false }: { name: string; enabled?: boolean | undefined },
  context: FixtureContext,
): FeatureEnvironment {
  return completed(featureEnvironmentSchema, given, context, {
    enabled: given.enabled ?? enabled,
    strategies: given.strategies?.map((strategy, position) =>
      completed(strategySchema, strategy, context, {
        id: strategy.id ?? context.ids.ulid(context.now.getTime()),
        sortOrder: strategy.sortOrder ?? position,
        variants: strategy.variants && completeVariants(strategy.variants),
        parameters: strategy.parameters ?? defaultParameters(strategy.name, featureName),
      }),
    ),
    variants: given.variants && completeVariants(given.variants),
  })
}

function defaultParameters(strategy: string, featureName: string): Record<string, string> {
  return strategy === 'flexibleRollout' ? { rollout: '100', stickiness: 'default', groupId: featureName } : {}
}
