import * as z from 'zod'
import { none } from '../../../support/freeze.js'
import { listOf } from '../../shared/given-list.js'
import { fixtureInstantSchema, openEnum } from '../../shared/schema.js'
import { type FixtureContext, instantOr } from '../../shared/table.js'
import { constraintSchema } from '../../targeting/constraints/schema.js'
import { strategySchema } from '../strategies/schema.js'
import { completeVariants } from '../variants/rules.js'
import { strategyVariantFixtureSchema, variantFixtureSchema } from '../variants/schema.js'
import { type FeatureEnvironment, featureEnvironmentSchema } from './schema.js'

const strategyFixtureSchema = z.strictObject({
  ...strategySchema.partial().shape,
  /** Its type: a built-in one, or one of the `strategyTypes`. */
  name: openEnum<'default' | 'flexibleRollout' | 'userWithId' | 'remoteAddress' | 'applicationHostname'>(),
  /** Conditions that have to hold too. */
  constraints: listOf(constraintSchema, { by: 'contextName' }).optional(),
  /** Its own variants. */
  variants: listOf(strategyVariantFixtureSchema, { by: 'name' }).optional(),
  /** The name of the feature, as responses have it. */
  featureName: z.string().optional(),
})

/** A feature's environment as a fixture may give it: only its name is needed. */
export const featureEnvironmentFixtureSchema = z.strictObject({
  ...featureEnvironmentSchema.partial().shape,
  /** The name of the environment. */
  name: z.string(),
  /** When an SDK last used it there. Default: null, never. */
  lastSeenAt: fixtureInstantSchema.nullable().optional(),
  /** Whom it is on for. Default: no strategies. */
  strategies: listOf(strategyFixtureSchema, { by: 'id' }).optional(),
  /** The variants of the feature there, with overrides. */
  variants: listOf(variantFixtureSchema, { by: 'name' }).optional(),
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
    variants: given.variants ? completeVariants(given.variants) : none,
  }
}

function defaultParameters(strategy: string, featureName: string): Record<string, string> {
  return strategy === 'flexibleRollout' ? { rollout: '100', stickiness: 'default', groupId: featureName } : {}
}

function newId({ ids, now }: FixtureContext): string {
  return ids.ulid(now.getTime())
}
