import { notFound } from '../../../contract/errors.js'
import { fail, ok } from '../../../support/result.js'
import { environmentNames } from '../../flags/features/lookup.js'
import { createFeatureStrategySchema } from '../../flags/strategies/schema.js'
import { logEvent } from '../../instance/events/actions.js'
import type { OperationContext } from '../../shared/context.js'
import { defineOperation } from '../../shared/operation.js'
import { findActiveProject } from '../projects/lookup.js'
import { checkConnectable, checkDefaultStrategy } from './checks.js'
import { connectFeature, disconnectFeature } from './rules.js'
import { projectEnvironmentBodySchema } from './schema.js'

const row = { tag: 'Projects', permission: 'UPDATE_PROJECT' } as const
const path = '/api/admin/projects/:projectId/environments'

const addEnvironmentToProject = defineOperation({
  ...row,
  id: 'addEnvironmentToProject',
  method: 'POST',
  path,
  summary: 'Connect an environment with a project and its features',
  body: projectEnvironmentBodySchema,
  success: { status: 200, description: 'It is connected' },
  errors: [404, 409],
  run: ({ params: { projectId }, body: { environment }, context }) => {
    const { tables } = context
    const project = findActiveProject(tables, projectId)
    if (!project.ok) return project
    const failure = checkConnectable(tables, project.value, environment)
    if (failure) return fail(failure)
    tables.projects.replace({ ...project.value, environments: [...project.value.environments, environment] })
    for (const feature of tables.features.by('project', projectId)) {
      const names = feature.environments.map(({ name }) => name)
      tables.features.replace(connectFeature(feature, environment, environmentNames(tables, projectId, names)))
    }
    logChange(context, 'project-environment-added', { projectId, environment })
    return ok({})
  },
})

const removeEnvironmentFromProject = defineOperation({
  ...row,
  id: 'removeEnvironmentFromProject',
  method: 'DELETE',
  path: `${path}/:environment`,
  summary: 'Disconnect an environment from a project and its features; their strategies there are kept',
  success: { status: 200, description: 'It is not connected any more' },
  run: ({ params: { projectId, environment }, context }) => {
    const { tables } = context
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
    return ok({})
  },
})

const addDefaultStrategyToProjectEnvironment = defineOperation({
  ...row,
  id: 'addDefaultStrategyToProjectEnvironment',
  method: 'POST',
  path: `${path}/:environment/default-strategy`,
  summary: 'Set the strategy that features of a project get when they are enabled without one',
  body: createFeatureStrategySchema,
  success: { status: 200, description: 'The strategy, as sent', schema: createFeatureStrategySchema },
  errors: [404],
  run: ({ params: { projectId, environment }, body, context }) => {
    const failure = checkDefaultStrategy(body)
    if (failure) return fail(failure)
    const project = findActiveProject(context.tables, projectId)
    if (!project.ok) return project
    const { environments, defaultStrategies } = project.value
    if (!environments.includes(environment)) {
      return fail(notFound(`The project "${projectId}" has no environment "${environment}".`))
    }
    const preData = defaultStrategies?.[environment] ?? null
    context.tables.projects.replace({
      ...project.value,
      defaultStrategies: { ...defaultStrategies, [environment]: body },
    })
    logChange(context, 'default-strategy-updated', { projectId, environment }, { data: body, preData })
    return ok({ body })
  },
})

function logChange(
  context: OperationContext,
  type: string,
  { projectId: project, environment }: { projectId: string; environment: string },
  change: { data: unknown; preData?: unknown } = { data: null },
): void {
  const groupId = context.ids.ulid(context.now.getTime())
  logEvent(context, { type, project, environment, groupId, ...change })
}

export const projectEnvironmentOperations = [
  addEnvironmentToProject,
  removeEnvironmentFromProject,
  addDefaultStrategyToProjectEnvironment,
] as const
