import type { Frozen } from '../../../support/freeze.js'
import { badData, reject } from '../../contract/errors.js'
import { satisfies } from '../../evaluation/constraints.js'
import type { EvaluationContext } from '../../evaluation/context.js'
import { createEvaluator } from '../../evaluation/evaluate.js'
import { isBuiltIn } from '../../evaluation/strategies.js'
import { strategiesIn } from '../flags/feature-environments.operations.js'
import { inOrder, type Strategy } from '../flags/strategies.js'
import { checkDepth } from '../shared/checks.js'
import type { OperationContext } from '../shared/context.js'
import { ok, operations, post, view } from '../shared/rows.js'
import type { Constraint } from '../targeting/constraints.js'
import { type ClientFeature, findClientFeature, listClientFeatures } from './client-features.operations.js'
import { contextOf, type SentContext } from './frontend.js'
import {
  type AdvancedPlayground,
  advancedPlaygroundRequestSchema,
  advancedPlaygroundResponseSchema,
  type Combination,
  choicesOf,
  combinationsOf,
  documentedAdvancedSchema,
  documentedCombinationSchema,
  playgroundRequestSchema,
  playgroundResponseSchema,
  type TestedFeature,
  type TestedStrategy,
  tooManyEvaluations,
} from './playground.js'

/** Strategies that the service does not evaluate in its playground, besides those that are not built in. */
const UNEVALUATED = ['userWithId']

interface Test {
  evaluate: ReturnType<typeof createEvaluator>
  operation: OperationContext
  environment: string
  context: EvaluationContext
}

type Playground = ReturnType<typeof openPlayground>

/** The features of the given projects (`*`: of all) in an environment, to be evaluated with every step on the way. */
function openPlayground(operation: OperationContext, environment: string, projects: readonly string[] | '*' = '*') {
  const inProjects = projects === '*' ? {} : { project: [...projects] }
  const query = { environment, ...inProjects, inlineSegmentConstraints: true }
  const { tables, ids, now } = operation
  const find = (name: string) => findClientFeature(tables, query, name)
  const evaluate = createEvaluator({ find, segments: [] }, () => ids.fraction(), now)
  const test = (feature: ClientFeature, sent: SentContext) => {
    const context = contextOf({ environment: 'default', ...sent }, '')
    return testFeature(feature, { evaluate, operation, environment, context })
  }
  return { environment, features: listClientFeatures(tables, query), test }
}

function testFeature(feature: ClientFeature, test: Test): TestedFeature {
  const { name, project, enabled, dependencies, variants } = feature
  const { evaluate, operation, environment, context } = test
  const stored = operation.tables.features.get(name)
  const strategies = stored === undefined ? [] : strategiesIn(stored, environment)
  const data = inOrder(strategies).map((strategy) => testStrategy(strategy, feature, test))
  const result = data.length === 0 ? enabled : resultOf(data)
  const hasUnsatisfiedDependency = !evaluate({ name, enabled: true, dependencies }, context).enabled
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

/** Whether any strategy is satisfied. Unknown if only one that can't be evaluated might be. */
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

function testConstraints(constraints: readonly Frozen<Constraint>[], { context, operation }: Test) {
  return constraints.map((constraint) => ({ ...constraint, result: satisfies(constraint, context, operation.now) }))
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
      const { environment, projects, context: sent } = body
      const { features, test } = openPlayground(context, environment, projects)
      return { body: { input: body, features: features.map((feature) => test(feature, sent)) } }
    },
  }),

  getAdvancedPlayground: post('/api/admin/playground/advanced', {
    summary: 'Evaluate features in several environments, for all combinations of the values that the context lists',
    body: advancedPlaygroundRequestSchema,
    success: {
      status: 200,
      description: 'The features, once per environment and context',
      view: view<AdvancedPlayground>({
        documented: { schema: documentedAdvancedSchema, present: asDocumented },
        'unleash-8': { schema: advancedPlaygroundResponseSchema, present: (subject) => subject },
      }),
    },
    run: ({ body, context }) => {
      reject(checkDepth('body', body, '/body'))
      const choices = choicesOf(body.context)
      const environments = [...new Set(body.environments)]
      const open = (environment: string) => openPlayground(context, environment, body.projects)
      const { length: features } = open(environments[0] ?? '').features
      const tooMany = tooManyEvaluations(choices, { environments: environments.length, features })
      if (tooMany !== undefined) reject(badData(tooMany, '/body/context'))
      const { invalid } = choices
      return {
        body: {
          input: body,
          features: testAll(environments.map(open), combinationsOf(choices)),
          ...(invalid.length === 0 ? {} : { warnings: { invalidContextProperties: invalid } }),
        },
      }
    },
  }),
})

/** Environment by environment, because a schema drops the name `__proto__`. */
function asDocumented({ features, ...others }: AdvancedPlayground) {
  const tests = (list: readonly Combination[]) => list.map((test) => documentedCombinationSchema.parse(test))
  const places = (environments: AdvancedPlayground['features'][number]['environments']) =>
    Object.fromEntries(Object.entries(environments).map(([name, list]) => [name, tests(list)]))
  return {
    ...others,
    features: features.map((feature) => ({ ...feature, environments: places(feature.environments) })),
  }
}

function testAll(playgrounds: readonly Playground[], contexts: readonly { appName: string }[]) {
  const byName = new Map<string, { name: string; projectId: string; environments: Map<string, Combination[]> }>()
  for (const { environment, features, test } of playgrounds) {
    for (const feature of features) {
      const { name, project } = feature
      const found = byName.get(name) ?? { name, projectId: project, environments: new Map() }
      const tests = contexts.map((context) => ({ ...test(feature, context), environment, context }))
      found.environments.set(environment, tests)
      byName.set(name, found)
    }
  }
  // A name such as `__proto__` is one like any other here.
  return [...byName.values()].map((one) => ({ ...one, environments: Object.fromEntries(one.environments) }))
}
