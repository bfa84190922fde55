import * as z from 'zod'
import { completed, computed, field, given, givenShape, instant, written } from '../shared/fields.js'
import { object, strictObject } from '../shared/object.js'
import { named } from '../shared/schema.js'
import type { FixtureContext } from '../shared/table.js'
import { answeredStrategySchema, completeRollout, GRADUAL_ROLLOUT, strategySchema } from './strategies.js'
import { completeVariants, variantFixtureSchema, variantSchema } from './variants.js'

const strategyFixtureSchema = strictObject(() => ({
  ...givenShape(strategySchema),
  featureName: computed(z.string(), 'The name of the feature, as in responses.'),
}))

/** A feature in one environment, as stored. */
export const featureEnvironmentSchema = object(() => ({
  name: field(z.string(), 'The name of the environment.'),
  enabled: given(
    z.boolean(),
    z.boolean().optional(),
    "Whether the feature is on there. Default: the feature's own `enabled`, or false.",
  ),
  lastSeenAt: written(instant(null, 'The time of the last use by an SDK there; null for never.')),
  strategies: given(
    z.array(strategySchema),
    z.array(strategyFixtureSchema),
    [],
    'The strategies, which select the users that it is on for.',
  ),
  variants: given(
    z.array(variantSchema),
    z.array(variantFixtureSchema),
    [],
    "The feature's variants there, with overrides.",
  ),
}))

export type FeatureEnvironment = z.infer<typeof featureEnvironmentSchema>

/** A feature in one environment, in a response. */
export const readEnvironmentSchema = named('readFeatureEnvironmentSchema', () => ({
  name: z.string().meta({ description: 'The name of the feature' }),
  environment: z.string(),
  enabled: z.boolean(),
  strategies: z.array(answeredStrategySchema),
}))

/** A feature in one environment, as in Unleash's responses: strategies name the feature and omit their segments. */
export const serviceReadEnvironmentSchema = named(
  'serviceFeatureEnvironmentSchema',
  () =>
    readEnvironmentSchema.extend({
      strategies: z.array(strategySchema.omit({ segments: true }).extend({ featureName: z.string() })),
    }).shape,
)

export const turnOnQuerySchema = object(() => ({ shouldActivateDisabledStrategies: z.string().optional() }))

export const bulkToggleFeaturesSchema = named('bulkToggleFeaturesSchema', () => ({ features: z.array(z.string()) }))

/** A feature's environment in a fixture: only its name is required. */
export const featureEnvironmentFixtureSchema = strictObject(() => ({
  ...givenShape(featureEnvironmentSchema),
  featureName: computed(z.string(), 'The name of the feature, as in responses.'),
  environment: computed(z.string(), 'The name of the environment, as in responses.'),
  type: computed(z.string(), "The type of the environment. Must agree with the state's `environments`."),
  sortOrder: computed(z.int(), "The position of the environment. Must agree with the state's `environments`."),
  variantCount: computed(z.int(), 'The number of variants, as in responses.'),
  hasStrategies: computed(z.boolean(), 'Whether it has strategies, as in responses.'),
  hasEnabledStrategies: computed(z.boolean(), 'Whether it has enabled strategies, as in responses.'),
  yes: computed(z.int(), 'How often it was on, as in responses. See `clientMetrics`.'),
  no: computed(z.int(), 'How often it was off, as in responses. See `clientMetrics`.'),
}))

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
        parameters: strategy.parameters ?? (strategy.name === GRADUAL_ROLLOUT ? completeRollout({}, featureName) : {}),
      }),
    ),
    variants: given.variants && completeVariants(given.variants),
  })
}
