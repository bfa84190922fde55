import * as z from 'zod'
import { none } from '../../../support/freeze.js'
import { listOf } from '../../shared/given-list.js'
import { fixtureInstantSchema } from '../../shared/schema.js'
import { type FixtureContext, instantOr } from '../../shared/table.js'
import { constraintSchema } from '../../targeting/constraints/schema.js'
import { strategySchema } from '../strategies/schema.js'
import { completeVariants } from '../variants/rules.js'
import { strategyVariantFixtureSchema, variantFixtureSchema } from '../variants/schema.js'
import { type FeatureEnvironment, featureEnvironmentSchema } from './schema.js'

const strategyFixtureSchema = z.strictObject({
  ...strategySchema.partial().shape,
  name: z.string(),
  constraints: listOf(constraintSchema, { by: 'contextName' }).optional(),
  variants: listOf(strategyVariantFixtureSchema, { by: 'name' }).optional(),
  featureName: z.string().optional(),
})

/** A feature's environment as a fixture may give it: only its name is needed. */
export const featureEnvironmentFixtureSchema = z.strictObject({
  ...featureEnvironmentSchema.partial().shape,
  name: z.string(),
  lastSeenAt: fixtureInstantSchema.nullable().optional(),
  strategies: listOf(strategyFixtureSchema, { by: 'id' }).optional(),
  variants: listOf(variantFixtureSchema, { by: 'name' }).optional(),
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

/** Fills in what the fixture of a feature's environment leaves out. */
export function completeFeatureEnvironment(
  given: z.infer<typeof featureEnvironmentFixtureSchema>,
  { name: featureName, enabled = false }: { name: string; enabled?: boolean | undefined },
  context: FixtureContext,
): FeatureEnvironment {
  return {
    name: given.name,
    enabled: given.enabled ?? enabled,
    lastSeenAt: instantOr(given.lastSeenAt, null, context),
    variants: given.variants ? completeVariants(given.variants) : none,
    strategies:
      given.strategies?.map((strategy, position) => ({
        id: strategy.id ?? newId(context),
        name: strategy.name,
        title: strategy.title ?? null,
        disabled: strategy.disabled ?? false,
        sortOrder: strategy.sortOrder ?? position,
        segments: strategy.segments ?? none,
        constraints: strategy.constraints ?? none,
        variants: strategy.variants ? completeVariants(strategy.variants) : none,
        parameters: strategy.parameters ?? defaultParameters(strategy.name, featureName),
      })) ?? none,
  }
}

function defaultParameters(strategy: string, featureName: string): Record<string, string> {
  return strategy === 'flexibleRollout' ? { rollout: '100', stickiness: 'default', groupId: featureName } : {}
}

function newId({ ids, now }: FixtureContext): string {
  return ids.ulid(now.getTime())
}
