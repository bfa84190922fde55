import * as z from 'zod'
import { none } from '../../../support/freeze.js'
import { badData, notFound, reject } from '../../contract/errors.js'
import { emptyEnvironment, type StoredFeature } from '../flags/features.js'
import { createFeatureStrategySchema, GRADUAL_ROLLOUT } from '../flags/strategies.js'
import { logEvent } from '../instance/events.operations.js'
import { checkFieldName, inOrder } from '../shared/checks.js'
import type { OperationContext } from '../shared/context.js'
import { checkEnvironment } from '../shared/lookup.js'
import { del, ok, operations, post } from '../shared/rows.js'
import { namedStrict } from '../shared/schema.js'
import { findActiveProject } from './projects.operations.js'

/**
 * The feature in one more environment, with its earlier strategies there. `places` are the environments of all features
 * in order.
 */
export function connectFeature(
  feature: StoredFeature,
  environment: string,
  places: ReadonlyMap<string, number>,
): StoredFeature {
  const placeOf = ({ name }: { name: string }) => places.get(name) ?? -1
  if (feature.environments.some(({ name }) => name === environment)) return feature
  const { detached = [], ...rest } = feature
  const strategies = detached.find(({ name }) => name === environment)?.strategies ?? none
  const environments = [...feature.environments, { ...emptyEnvironment(environment), strategies }].toSorted(
    (one, other) => placeOf(one) - placeOf(other),
  )
  const others = detached.filter(({ name }) => name !== environment)
  return { ...rest, environments, ...(others.length === 0 ? {} : { detached: others }) }
}

/** The feature without an environment. It keeps the strategies for a later connection. */
export function disconnectFeature(feature: StoredFeature, environment: string): StoredFeature {
  const connected = feature.environments.find(({ name }) => name === environment)
  if (connected === undefined) return feature
  const environments = feature.environments.filter(({ name }) => name !== environment)
  const { strategies } = connected
  if (strategies.length === 0) return { ...feature, environments }
  return { ...feature, environments, detached: [...(feature.detached ?? []), { name: environment, strategies }] }
}

const path = '/api/admin/projects/:projectId/environments'

function logChange(
  context: OperationContext,
  type: string,
  { projectId: project, environment }: { projectId: string; environment: string },
  change: { data: unknown; preData?: unknown } = { data: null },
): void {
  const groupId = context.ids.ulid(context.now.getTime())
  logEvent(context, { type, project, environment, groupId, ...change })
}

export const projectEnvironmentOperations = operations('Projects', {
  addEnvironmentToProject: post(path, {
    permission: 'UPDATE_PROJECT',
    summary: 'Connect an environment with a project and its features',
    body: namedStrict('addEnvironmentToProjectSchema', () => ({
      environment: z.string(),
      changeRequestsEnabled: z.boolean().optional(),
      defaultStrategy: createFeatureStrategySchema.optional(),
    })),
    success: { status: 200, description: 'The environment is connected' },
    errors: [404, 409],
    run: ({ params: { projectId }, body: { environment }, context, tables }) => {
      const project = findActiveProject(tables, projectId)
      reject(checkEnvironment(tables, environment, '/body/environment'))
      if (project.environments.includes(environment)) {
        const message = `The project "${projectId}" is connected to the environment "${environment}" already.`
        reject({ kind: 'nameExists', message })
      }
      tables.projects.replace({ ...project, environments: [...project.environments, environment] })
      const places = new Map(inOrder(tables.environments.list()).map(({ name }, place) => [name, place]))
      for (const feature of tables.features.by('project', projectId)) {
        tables.features.replace(connectFeature(feature, environment, places))
      }
      logChange(context, 'project-environment-added', { projectId, environment })
    },
  }),

  removeEnvironmentFromProject: del(`${path}/:environment`, {
    permission: 'UPDATE_PROJECT',
    summary: 'Disconnect an environment from a project and its features; their strategies there are kept',
    success: { status: 200, description: 'The environment is disconnected' },
    errors: [],
    run: ({ params: { projectId, environment }, context, tables }) => {
      const project = tables.projects.get(projectId)
      if (project !== undefined) {
        const { [environment]: _, ...defaultStrategies } = project.defaultStrategies ?? {}
        const environments = project.environments.filter((name) => name !== environment)
        tables.projects.replace({ ...project, environments, defaultStrategies })
        for (const feature of tables.features.by('project', projectId)) {
          tables.features.replace(disconnectFeature(feature, environment))
        }
      }
      logChange(context, 'project-environment-removed', { projectId, environment })
    },
  }),

  addDefaultStrategyToProjectEnvironment: post(`${path}/:environment/default-strategy`, {
    permission: ['UPDATE_PROJECT', 'PROJECT_DEFAULT_STRATEGY_WRITE'],
    summary: 'Set the default strategy for features of a project that are enabled without strategies',
    body: createFeatureStrategySchema,
    success: ok('The strategy, as sent', createFeatureStrategySchema),
    run: ({ params: { projectId, environment }, body, context }) => {
      if (body.name !== GRADUAL_ROLLOUT) {
        const message = `Only a "${GRADUAL_ROLLOUT}" can be a default strategy; "${body.name}" was sent.`
        reject(badData(message, '/body/name'))
      }
      const project = findActiveProject(context.tables, projectId)
      const { environments, defaultStrategies } = project
      if (!environments.includes(environment)) {
        reject(notFound(`The project "${projectId}" has no environment "${environment}".`))
      }
      reject(checkFieldName(environment, '/params/environment'))
      const preData = defaultStrategies?.[environment] ?? null
      const changed = { ...defaultStrategies, [environment]: body }
      context.tables.projects.replace({ ...project, defaultStrategies: changed })
      logChange(context, 'default-strategy-updated', { projectId, environment }, { data: body, preData })
      return { body }
    },
  }),
})
