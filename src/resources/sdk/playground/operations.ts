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
      documented: { schema: documentedAdvancedSchema, present: (subject) => documentedAdvancedSchema.parse(subject) },
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

/** Each feature, with its tests in each environment. */
function testAll(playgrounds: readonly Playground[], contexts: readonly { appName: string }[]) {
  const byName = new Map<string, { name: string; projectId: string; environments: Record<string, Combination[]> }>()
  for (const playground of playgrounds) {
    const { environment } = playground
    for (const feature of playground.features) {
      const { name, project } = feature
      const found = byName.get(name) ?? { name, projectId: project, environments: {} }
      found.environments[environment] = contexts.map((context) => ({
        ...playground.test(feature, context),
        environment,
        context,
      }))
      byName.set(name, found)
    }
  }
  return [...byName.values()]
}
