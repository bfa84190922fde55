import { badData } from '../../../contract/errors.js'
import { fail, ok } from '../../../support/result.js'
import { defineOperation, view } from '../../shared/operation.js'
import { Playground } from './present.js'
import { choicesOf, combinationsOf, tooManyEvaluations } from './rules.js'
import {
  type AdvancedPlayground,
  advancedPlaygroundRequestSchema,
  advancedPlaygroundResponseSchema,
  type Combination,
  documentedAdvancedSchema,
  documentedCombinationSchema,
  playgroundRequestSchema,
  playgroundResponseSchema,
} from './schema.js'

const tag = 'Playground'

const getPlayground = defineOperation({
  id: 'getPlayground',
  method: 'POST',
  path: '/api/admin/playground',
  summary: 'Evaluate features in one environment for one context',
  tag,
  body: playgroundRequestSchema,
  success: {
    status: 200,
    description: 'The features and the reasons for their state',
    schema: playgroundResponseSchema,
  },
  run: ({ body, context }) => {
    const { environment, projects, context: sent } = body
    const playground = new Playground(context, environment, projects)
    return ok({ body: { input: body, features: playground.features.map((feature) => playground.test(feature, sent)) } })
  },
})

const getAdvancedPlayground = defineOperation({
  id: 'getAdvancedPlayground',
  method: 'POST',
  path: '/api/admin/playground/advanced',
  summary: 'Evaluate features in several environments, for all combinations of the values that the context lists',
  tag,
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
    const choices = choicesOf(body.context)
    const environments = [...new Set(body.environments)]
    const open = (environment: string) => new Playground(context, environment, body.projects)
    const { length: features } = open(environments[0] ?? '').features
    const tooMany = tooManyEvaluations(choices, { environments: environments.length, features })
    if (tooMany !== undefined) return fail(badData(tooMany, '/body/context'))
    const { invalid } = choices
    return ok({
      body: {
        input: body,
        features: testAll(environments.map(open), combinationsOf(choices)),
        ...(invalid.length === 0 ? {} : { warnings: { invalidContextProperties: invalid } }),
      },
    })
  },
})

export const playgroundOperations = [getPlayground, getAdvancedPlayground] as const

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

/** Each feature, with its tests in each environment. */
function testAll(playgrounds: readonly Playground[], contexts: readonly { appName: string }[]) {
  const byName = new Map<string, { name: string; projectId: string; environments: Map<string, Combination[]> }>()
  for (const playground of playgrounds) {
    const { environment } = playground
    for (const feature of playground.features) {
      const { name, project } = feature
      const found = byName.get(name) ?? { name, projectId: project, environments: new Map() }
      const tests = contexts.map((context) => ({ ...playground.test(feature, context), environment, context }))
      found.environments.set(environment, tests)
      byName.set(name, found)
    }
  }
  // A name such as `__proto__` is one like any other here.
  return [...byName.values()].map((one) => ({ ...one, environments: Object.fromEntries(one.environments) }))
}
