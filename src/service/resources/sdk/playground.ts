import * as z from 'zod'
import type { Frozen } from '../../../support/freeze.js'
import { strategySchema } from '../flags/strategies.js'
import { payloadSchema, strategyVariantSchema, variantSchema } from '../flags/variants.js'
import { named } from '../shared/schema.js'
import { constraintSchema } from '../targeting/constraints.js'
import { contextSchema, type SentContext } from './frontend.js'

const sdkContextSchema = contextSchema
  .extend({ appName: z.string().min(1) })
  .meta({ id: 'sdkContextSchema', description: 'Other fields count as properties' })

const projectsSchema = z.union([z.array(z.string()), z.literal('*')]).optional()

export const playgroundRequestSchema = z
  .looseObject({ environment: z.string(), projects: projectsSchema, context: sdkContextSchema })
  .meta({ id: 'playgroundRequestSchema' })

const environmentName = z
  .string()
  .min(1)
  .regex(/^[a-zA-Z0-9~_.-]+$/)

export const advancedPlaygroundRequestSchema = z
  .looseObject({ environments: z.array(environmentName).min(1), projects: projectsSchema, context: sdkContextSchema })
  .meta({ id: 'advancedPlaygroundRequestSchema' })

const testedConstraintSchema = constraintSchema
  .extend({ result: z.boolean() })
  .meta({ id: 'playgroundConstraintSchema' })

const testedSegmentSchema = named('playgroundSegmentSchema', {
  id: z.int(),
  name: z.string(),
  result: z.boolean(),
  constraints: z.array(testedConstraintSchema),
})

const foundVariant = { name: z.string(), enabled: z.boolean(), payload: payloadSchema.optional() }

const strategyResultSchema = z.union([
  z.object({
    evaluationStatus: z.enum(['incomplete', 'unevaluated']),
    enabled: z.union([z.literal(false), z.literal('unknown')]),
  }),
  z.object({
    evaluationStatus: z.literal('complete'),
    enabled: z.boolean(),
    variant: z.object(foundVariant).optional(),
    variants: z.array(strategyVariantSchema).optional(),
  }),
])

const testedStrategySchema = strategySchema
  .pick({ id: true, name: true, disabled: true, parameters: true })
  .extend({
    title: z.string().optional(),
    result: strategyResultSchema,
    segments: z.array(testedSegmentSchema),
    constraints: z.array(testedConstraintSchema),
    links: z.object({ edit: z.string() }),
  })
  .meta({ id: 'playgroundStrategySchema' })

export type TestedStrategy = Frozen<z.infer<typeof testedStrategySchema>>

const variantResultSchema = z.object({ ...foundVariant, feature_enabled: z.boolean() })

/** The document lists `featureEnabled` for the simple playground only; the service returns it in both. */
const variantWithAliasSchema = variantResultSchema.extend({
  featureEnabled: z.boolean().optional().meta({ deprecated: true }),
})

const testedFeatureSchema = named('playgroundFeatureSchema', {
  name: z.string(),
  projectId: z.string(),
  isEnabled: z.boolean(),
  isEnabledInCurrentEnvironment: z.boolean(),
  hasUnsatisfiedDependency: z.boolean(),
  strategies: z.object({
    result: z.union([z.boolean(), z.literal('unknown')]),
    data: z.array(testedStrategySchema),
  }),
  variant: variantWithAliasSchema,
  variants: z.array(variantSchema),
})

export type TestedFeature = Frozen<z.infer<typeof testedFeatureSchema>>

export const playgroundResponseSchema = named('playgroundResponseSchema', {
  input: playgroundRequestSchema,
  features: z.array(testedFeatureSchema),
})

/** A feature with one combination of the values that were given for the context. */
const combinationSchema = testedFeatureSchema.extend({
  environment: z.string(),
  context: sdkContextSchema.meta({ id: 'sdkFlatContextSchema' }),
})

export type Combination = Frozen<z.infer<typeof combinationSchema>>

const warningsSchema = z.object({ invalidContextProperties: z.array(z.string()).optional() })

function responseWith<Combination extends z.ZodType>(combination: Combination) {
  const feature = z.object({
    name: z.string(),
    projectId: z.string(),
    environments: z.record(z.string(), z.array(combination)),
  })
  return z.object({
    input: advancedPlaygroundRequestSchema,
    features: z.array(feature),
    warnings: warningsSchema.optional(),
  })
}

/** As the running service answers. */
export const advancedPlaygroundResponseSchema = responseWith(combinationSchema).meta({
  id: 'serviceAdvancedPlaygroundResponseSchema',
})

export type AdvancedPlayground = Frozen<z.infer<typeof advancedPlaygroundResponseSchema>>

/** As documented: without the fields that the document does not list. */
export const documentedCombinationSchema = combinationSchema
  .omit({ hasUnsatisfiedDependency: true })
  .extend({ variant: variantResultSchema })

export const documentedAdvancedSchema = responseWith(documentedCombinationSchema).meta({
  id: 'advancedPlaygroundResponseSchema',
})

/** Evaluations that one request may ask for. */
const MAX_EVALUATIONS = 15_000

/** A context in which each field may list several values, separated by commas. */
interface ContextChoices {
  fields: ReadonlyMap<string, readonly string[]>
  appNames: readonly string[]
  /** The fields whose values are no text. They are left out. */
  invalid: string[]
}

/** The values of each field of a context. Properties become fields of their own. */
export function choicesOf({ appName, properties, ...others }: SentContext & { appName: string }): ContextChoices {
  const fields = new Map<string, string[]>()
  const invalid: string[] = []
  for (const [name, value] of [...Object.entries(others), ...Object.entries(properties ?? {})]) {
    if (typeof value === 'string') fields.set(name, value.split(','))
    else invalid.push(name)
  }
  return { fields, appNames: appName.split(','), invalid }
}

/** Why a request needs too many evaluations; undefined if it doesn't. */
export function tooManyEvaluations(
  { fields, appNames }: ContextChoices,
  { environments, features }: { environments: number; features: number },
): string | undefined {
  const contexts = [...fields.values()].reduce((product, { length }) => product * length, appNames.length)
  // Even without features, the contexts have to be made.
  const evaluations = environments * Math.max(features, 1) * contexts
  if (evaluations <= MAX_EVALUATIONS) return undefined
  return (
    `${environments} environments, ${features} features and ${contexts} contexts make ${evaluations} evaluations; ` +
    `at most ${MAX_EVALUATIONS} are allowed. Send fewer environments, projects or values.`
  )
}

/** Every context that the choices combine to. The values of the first field change slowest. */
export function combinationsOf({ fields, appNames }: ContextChoices): { appName: string }[] {
  let combinations: Record<string, string>[] = [{}]
  for (const [name, values] of fields) {
    combinations = combinations.flatMap((chosen) => values.map((value) => ({ ...chosen, [name]: value })))
  }
  return combinations.flatMap((chosen) => appNames.map((appName) => ({ ...chosen, appName })))
}
