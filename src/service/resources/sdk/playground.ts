import * as z from 'zod'
import type { Frozen } from '../../../support/freeze.js'
import { badData, type Failure, reject } from '../../contract/errors.js'
import type { EvaluationBudget } from '../../evaluation/budget.js'
import { satisfies } from '../../evaluation/constraints.js'
import type { EvaluationContext } from '../../evaluation/context.js'
import { createEvaluator } from '../../evaluation/evaluate.js'
import { isBuiltIn } from '../../evaluation/strategies.js'
import { strategiesIn } from '../flags/feature-environments.operations.js'
import { type Strategy, strategySchema } from '../flags/strategies.js'
import { payloadSchema, strategyVariantSchema, variantSchema } from '../flags/variants.js'
import { checkDepth, inOrder, isUrlFriendly } from '../shared/checks.js'
import type { OperationContext } from '../shared/context.js'
import { ok, operations, post } from '../shared/rows.js'
import { named } from '../shared/schema.js'
import { type Constraint, constraintSchema } from '../targeting/constraints.js'
import { type ClientFeature, findClientFeature, listClientFeatures } from './client-features.operations.js'
import { contextOf, contextSchema, createBudget, type SentContext } from './frontend.js'

const sdkContextSchema = contextSchema
  .extend({ appName: z.string().min(1) })
  .meta({ id: 'sdkContextSchema', description: 'Other fields count as properties' })

const projectsSchema = z.union([z.array(z.string()), z.literal('*')]).optional()

const playgroundRequestSchema = z
  .looseObject({ environment: z.string(), projects: projectsSchema, context: sdkContextSchema })
  .meta({ id: 'playgroundRequestSchema' })

const environmentName = z.string().refine(isUrlFriendly, 'can contain only URL-friendly characters')

const advancedPlaygroundRequestSchema = z
  .looseObject({ environments: z.array(environmentName).min(1), projects: projectsSchema, context: sdkContextSchema })
  .meta({ id: 'advancedPlaygroundRequestSchema' })

const testedConstraintSchema = named(
  'playgroundConstraintSchema',
  () => constraintSchema.extend({ result: z.boolean() }).shape,
)

const testedSegmentSchema = named('playgroundSegmentSchema', () => ({
  id: z.int(),
  name: z.string(),
  result: z.boolean(),
  constraints: z.array(testedConstraintSchema),
}))

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

const testedStrategySchema = named(
  'playgroundStrategySchema',
  () =>
    strategySchema.pick({ id: true, name: true, disabled: true, parameters: true }).extend({
      title: z.string().optional(),
      result: strategyResultSchema,
      segments: z.array(testedSegmentSchema),
      constraints: z.array(testedConstraintSchema),
      links: z.object({ edit: z.string() }),
    }).shape,
)

type TestedStrategy = Frozen<z.infer<typeof testedStrategySchema>>

const testedFeatureSchema = named('playgroundFeatureSchema', () => ({
  name: z.string(),
  projectId: z.string(),
  isEnabled: z.boolean(),
  isEnabledInCurrentEnvironment: z.boolean(),
  hasUnsatisfiedDependency: z.boolean(),
  strategies: z.object({
    result: z.union([z.boolean(), z.literal('unknown')]),
    data: z.array(testedStrategySchema),
  }),
  variant: z.object({
    ...foundVariant,
    feature_enabled: z.boolean(),
    featureEnabled: z.boolean().optional().meta({ deprecated: true }),
  }),
  variants: z.array(variantSchema),
}))

type TestedFeature = Frozen<z.infer<typeof testedFeatureSchema>>

const playgroundResponseSchema = named('playgroundResponseSchema', () => ({
  input: playgroundRequestSchema,
  features: z.array(testedFeatureSchema),
}))

/** A feature with one combination of the context's values. */
const combinationSchema = testedFeatureSchema.extend({
  environment: z.string(),
  context: sdkContextSchema.meta({ id: 'sdkFlatContextSchema' }),
})

type Combination = Frozen<z.infer<typeof combinationSchema>>

const advancedPlaygroundResponseSchema = named('advancedPlaygroundResponseSchema', () => ({
  input: advancedPlaygroundRequestSchema,
  features: z.array(
    z.object({
      name: z.string(),
      projectId: z.string(),
      environments: z.record(z.string(), z.array(combinationSchema)),
    }),
  ),
  warnings: z.object({ invalidContextProperties: z.array(z.string()).optional() }).optional(),
}))

/** The maximum evaluations of one request. */
const MAX_EVALUATIONS = 15_000

/** A context whose fields can list several comma-separated values. */
interface ContextChoices {
  fields: ReadonlyMap<string, readonly string[]>
  /** The fields with values other than text. They are left out. */
  invalid: string[]
}

/** The values of each field of a context. Properties become separate fields. */
function choicesOf({ appName, properties, ...others }: SentContext & { appName: string }): ContextChoices {
  const fields = new Map<string, string[]>()
  const invalid: string[] = []
  for (const [name, value] of [...Object.entries(others), ...Object.entries(properties ?? {})]) {
    if (typeof value === 'string') fields.set(name, value.split(','))
    else invalid.push(name)
  }
  // Its values change fastest.
  fields.delete('appName')
  fields.set('appName', appName.split(','))
  return { fields, invalid }
}

/** Fails if a request needs too many evaluations. Otherwise spends the steps for the contexts, which the response repeats. */
function checkEvaluations(
  fields: ContextChoices['fields'],
  { environments, features }: { environments: number; features: number },
  budget: EvaluationBudget,
): Failure | undefined {
  const contexts = [...fields.values()].reduce((product, { length }) => product * length, 1)
  // Even without features, the contexts have to be created.
  const evaluations = environments * Math.max(features, 1) * contexts
  if (evaluations > MAX_EVALUATIONS) {
    const message =
      `${environments} environments, ${features} features and ${contexts} contexts make ${evaluations} evaluations; ` +
      `at most ${MAX_EVALUATIONS} are allowed. Send fewer environments, projects or values.`
    return badData(message, '/body/context')
  }
  for (const [name, values] of fields) {
    budget.spend((evaluations * (name.length + JSON.stringify(values).length / values.length)) / WRITTEN)
  }
  return undefined
}

/** All combinations of the choices. The values of the first field change slowest. */
function combinationsOf(fields: ContextChoices['fields']): { appName: string }[] {
  const lastFirst = [...fields].reverse()
  const count = lastFirst.reduce((product, [, { length }]) => product * length, 1)
  return Array.from({ length: count }, (_, at) => {
    let left = at
    const chosen = lastFirst.map(([name, values]) => {
      const value = values[left % values.length]
      left = Math.floor(left / values.length)
      return [name, value] as const
    })
    return Object.fromEntries(chosen.reverse()) as { appName: string }
  })
}

/** Strategies that Unleash's playground doesn't evaluate, besides custom ones. */
const UNEVALUATED = ['userWithId']

interface Test {
  find: (name: string) => ClientFeature | undefined
  evaluate: ReturnType<typeof createEvaluator>
  operation: OperationContext
  environment: string
  context: EvaluationContext
  budget: EvaluationBudget
}

/** The characters of a response that count as one step. */
const WRITTEN = 4

type Playground = ReturnType<typeof openPlayground>

/** The features of the given projects (`*`: of all) in an environment, prepared for an evaluation in steps. */
function openPlayground(
  operation: OperationContext,
  environment: string,
  projects: readonly string[] | '*' = '*',
  budget = createBudget(),
) {
  const inProjects = projects === '*' ? {} : { project: [...projects] }
  const query = { environment, ...inProjects, inlineSegmentConstraints: true }
  const { told, ids, now } = operation
  const find = (name: string) => findClientFeature(told, query, name)
  const evaluate = createEvaluator(find, () => ids.fraction(), now, budget)
  const testerOf = (feature: ClientFeature) =>
    featureTester(feature, { find, evaluate, operation, environment, budget })
  return { environment, features: listClientFeatures(told, query), testerOf }
}

/** The context of a test, as a frontend's is read. Its `currentTime` is the time of the test. */
function readContext({ currentTime, ...sent }: z.infer<typeof sdkContextSchema>): EvaluationContext {
  return { ...contextOf(sent), ...(currentTime === undefined ? {} : { currentTime }) }
}

/** A function that evaluates a feature in a context. The lookups that all contexts share come first. */
function featureTester(
  feature: ClientFeature,
  shared: Omit<Test, 'context'>,
): (context: EvaluationContext) => TestedFeature {
  const stored = shared.operation.told.features.get(feature.name)
  const strategies = stored === undefined ? [] : inOrder(strategiesIn(stored, shared.environment))
  const written = JSON.stringify(strategies).length / WRITTEN
  return (context) => {
    // The response repeats all strategies.
    shared.budget.spend(written)
    return testFeature(feature, strategies, { ...shared, context })
  }
}

function testFeature(feature: ClientFeature, strategies: readonly Frozen<Strategy>[], test: Test): TestedFeature {
  const { name, project, enabled, dependencies, variants } = feature
  const { evaluate, context } = test
  const data = strategies.map((strategy) => testStrategy(strategy, feature, test))
  const result = data.length === 0 ? enabled : resultOf(data)
  // A parent that must be off must be switched off: that its strategies aren't satisfied is not enough.
  const isParentOn = (dependencies ?? []).some((one) => one.enabled === false && test.find(one.feature)?.enabled)
  const hasUnsatisfiedDependency = isParentOn || !evaluate({ name, enabled: true, dependencies }, context).enabled
  const isEnabled = result === true && enabled && !hasUnsatisfiedDependency
  const match = data.find((strategy) => strategy.result.enabled === true)?.result
  const chosen = match?.evaluationStatus === 'complete' ? match : undefined
  return {
    name,
    projectId: project,
    isEnabled,
    isEnabledInCurrentEnvironment: enabled,
    hasUnsatisfiedDependency,
    strategies: { result, data },
    variant: isEnabled
      ? (chosen?.variant && { ...chosen.variant, feature_enabled: true }) || featureVariant(feature, test)
      : { name: 'disabled', enabled: false, feature_enabled: false },
    variants: chosen?.variants ?? variants,
  }
}

/** Whether any strategy is satisfied. Unknown if only a strategy that can't be evaluated might be. */
function resultOf(strategies: readonly TestedStrategy[]): boolean | 'unknown' {
  const results = strategies.map(({ result }) => result.enabled)
  if (results.includes(true)) return true
  return results.includes('unknown') ? 'unknown' : false
}

function featureVariant({ name, variants }: ClientFeature, { evaluate, context }: Test): TestedFeature['variant'] {
  const { variant } = evaluate({ name, enabled: true, variants }, context)
  const found = variant === undefined ? { name: 'disabled', enabled: false } : { ...variant, enabled: true }
  return { ...found, feature_enabled: true, featureEnabled: true }
}

function testStrategy(strategy: Frozen<Strategy>, { project, name: feature }: ClientFeature, test: Test) {
  const { id, name, title, disabled, parameters } = strategy
  const constraints = testConstraints(strategy.constraints, test)
  const segments = strategy.segments
    .flatMap((segmentId) => test.operation.tables.segments.get(segmentId) ?? [])
    .map((segment) => {
      const tested = testConstraints(segment.constraints, test)
      return { id: segment.id, name: segment.name, result: tested.every(holds), constraints: tested }
    })
  const query = new URLSearchParams({ environmentId: test.environment, strategyId: id })
  return {
    id,
    name,
    ...(title ? { title } : {}),
    disabled,
    parameters,
    result: strategyResult(strategy, constraints.every(holds) && segments.every(holds), test),
    constraints,
    segments,
    links: { edit: `/projects/${project}/features/${feature}/strategies/edit?${query}` },
  }
}

function testConstraints(constraints: readonly Frozen<Constraint>[], { context, operation, budget }: Test) {
  return constraints.map((constraint) => ({
    inverted: false,
    ...constraint,
    result: satisfies(constraint, context, operation.now, budget),
  }))
}

function holds({ result }: { result: boolean }): boolean {
  return result
}

function strategyResult(
  { name, disabled, parameters, variants }: Frozen<Strategy>,
  isForContext: boolean,
  { evaluate, context }: Test,
): TestedStrategy['result'] {
  if (!isBuiltIn(name) || UNEVALUATED.includes(name)) {
    return { evaluationStatus: 'incomplete', enabled: isForContext ? 'unknown' : false }
  }
  if (disabled) return { evaluationStatus: 'unevaluated', enabled: 'unknown' }
  const test = (strategy: Pick<Frozen<Strategy>, 'name'> & Partial<Frozen<Strategy>>) =>
    evaluate({ name: '', enabled: true, strategies: [strategy] }, context)
  const { variant } = test({ name: 'default', parameters, variants })
  return {
    evaluationStatus: 'complete',
    enabled: isForContext && test({ name, parameters }).enabled,
    ...(variant === undefined ? {} : { variant: { ...variant, enabled: true }, variants }),
  }
}

export const playgroundOperations = operations('Playground', {
  getPlayground: post('/api/admin/playground', {
    summary: 'Evaluate features in one environment for one context',
    body: playgroundRequestSchema,
    success: ok('The features and the reasons for their state', playgroundResponseSchema),
    run: ({ body, context }) => {
      reject(checkDepth('body', body, '/body'))
      const { features, testerOf } = openPlayground(context, body.environment, body.projects)
      const asked = readContext(body.context)
      return { body: { input: body, features: features.map((feature) => testerOf(feature)(asked)) } }
    },
  }),

  getAdvancedPlayground: post('/api/admin/playground/advanced', {
    summary: 'Evaluate features in several environments, for all combinations of the values in the context',
    body: advancedPlaygroundRequestSchema,
    success: ok('The features, once per environment and context', advancedPlaygroundResponseSchema),
    run: ({ body, context }) => {
      reject(checkDepth('body', body, '/body'))
      const environments = [...new Set(body.environments)]
      const budget = createBudget()
      const open = (environment: string) => openPlayground(context, environment, body.projects, budget)
      const { length: features } = open(environments[0] ?? '').features
      const { fields, invalid } = choicesOf(body.context)
      reject(checkEvaluations(fields, { environments: environments.length, features }, budget))
      return {
        body: {
          input: body,
          features: testAll(environments.map(open), combinationsOf(fields)),
          ...(invalid.length === 0 ? {} : { warnings: { invalidContextProperties: invalid } }),
        },
      }
    },
  }),
})

function testAll(playgrounds: readonly Playground[], contexts: readonly { appName: string }[]) {
  const asked = contexts.map((context) => ({ context, read: readContext(context) }))
  const byName = new Map<string, { name: string; projectId: string; environments: Map<string, Combination[]> }>()
  for (const { environment, features, testerOf } of playgrounds) {
    for (const feature of features) {
      const { name, project } = feature
      const found = byName.get(name) ?? { name, projectId: project, environments: new Map() }
      const test = testerOf(feature)
      const tests = asked.map(({ context, read }) => ({ ...test(read), environment, context }))
      found.environments.set(environment, tests)
      byName.set(name, found)
    }
  }
  // Here, a name such as `__proto__` is an ordinary name.
  return [...byName.values()].map((one) => ({ ...one, environments: Object.fromEntries(one.environments) }))
}
