import * as z from 'zod'
import type { Frozen } from '../../../support/freeze.js'
import { countBy } from '../../../support/lists.js'
import type { Profile } from '../../contract/profile.js'
import type { StoredFeature } from '../flags/features.js'
import { inOrder } from '../shared/checks.js'
import type { OperationContext, Tables } from '../shared/context.js'
import { findRecord } from '../shared/lookup.js'
import { get, ok, operations, post, put } from '../shared/rows.js'
import { versioned } from '../shared/schema.js'
import {
  briefEnvironmentSchema,
  type Environment,
  type EnvironmentRecord,
  environmentSchema,
  type ProjectEnvironment,
  projectEnvironmentsSchema,
} from './environments.js'
import type { StoredProject } from './projects.js'

/** The environments in lists, in their order: those in which users can have permissions. */
function listedEnvironments(tables: Tables, { users }: Profile): StoredEnvironment[] {
  return inOrder(tables.environments.list().filter(({ name }) => users.environments?.includes(name) ?? true))
}

type StoredEnvironment = Frozen<EnvironmentRecord>

/** Returns a function that presents an environment, with the numbers of projects, tokens and features that use it. */
export function environmentPresenter(tables: Tables): (environment: StoredEnvironment) => Environment {
  const projects = countBy(tables.projects.list(), ({ environments }) => environments)
  const tokens = countBy(tables.apiTokens.list(), ({ environment }) => [environment])
  const features = enabledCounts(tables.features.list())
  return (environment) => ({
    ...presentBriefEnvironment(environment),
    projectCount: projects.get(environment.name) ?? 0,
    apiTokenCount: tokens.get(environment.name) ?? 0,
    enabledToggleCount: features.get(environment.name) ?? 0,
  })
}

/** Returns a function that presents an environment of a project. */
function projectEnvironmentPresenter(
  { id, environments, defaultStrategies }: Pick<StoredProject, 'id' | 'environments' | 'defaultStrategies'>,
  tables: Tables,
): (environment: StoredEnvironment) => Frozen<ProjectEnvironment> {
  const own = tables.apiTokens.list().filter(({ projects }) => projects.includes('*') || projects.includes(id))
  const tokens = countBy(own, ({ environment }) => [environment])
  const features = enabledCounts(tables.features.by('activeInProject', id))
  const connected = new Set(environments)
  return (environment) => {
    const defaultStrategy = defaultStrategies?.[environment.name]
    return {
      ...presentBriefEnvironment(environment),
      projectApiTokenCount: tokens.get(environment.name) ?? 0,
      projectEnabledToggleCount: features.get(environment.name) ?? 0,
      ...(defaultStrategy === undefined ? {} : { defaultStrategy }),
      visible: connected.has(environment.name),
    }
  }
}

/** The number of enabled features in each environment. */
function enabledCounts(features: readonly StoredFeature[]): Map<string, number> {
  return countBy(features, ({ environments }) => environments.flatMap(({ name, enabled }) => (enabled ? [name] : [])))
}

function presentBriefEnvironment({ name, type, sortOrder, enabled }: StoredEnvironment) {
  return { name, type, sortOrder, enabled, protected: false, requiredApprovals: null }
}

const path = '/api/admin/environments'
export const environmentOperations = operations('Environments', {
  getAllEnvironments: get(path, {
    summary: 'List the environments',
    success: ok(
      'The environments',
      versioned('environmentsSchema', () => ({ environments: z.array(environmentSchema) })),
    ),
    run: ({ tables, profile }) => {
      const environments = listedEnvironments(tables, profile).map(environmentPresenter(tables))
      return { body: { version: 1, environments } }
    },
  }),

  getEnvironment: get(`${path}/:name`, {
    summary: 'Get an environment',
    success: ok('The environment', briefEnvironmentSchema),
    run: ({ params, tables }) => ({
      body: presentBriefEnvironment(findRecord(tables.environments, params.name, 'environment')),
    }),
  }),

  getProjectEnvironments: get(`${path}/project/:projectId`, {
    summary: 'List the environments, and mark those that a project uses: none for an unknown project',
    success: ok('The environments', projectEnvironmentsSchema),
    errors: [],
    run: ({ params, tables, profile }) => {
      const project = tables.projects.get(params.projectId) ?? { id: params.projectId, environments: [] }
      const environments = listedEnvironments(tables, profile).map(projectEnvironmentPresenter(project, tables))
      return { body: { version: 1, environments } }
    },
  }),

  updateSortOrder: put(`${path}/sort-order`, {
    permission: 'ADMIN',
    summary: 'Reorder the environments; unknown names are ignored',
    body: z.record(z.string(), z.int().max(2_147_483_647)).meta({ id: 'sortOrderSchema' }),
    success: { status: 200, description: 'The order is set' },
    run: ({ body, tables }) => {
      for (const [name, sortOrder] of Object.entries(body)) {
        const environment = tables.environments.get(name)
        if (environment !== undefined) tables.environments.replace({ ...environment, sortOrder })
      }
    },
  }),

  toggleEnvironmentOn: post(`${path}/:name/on`, {
    summary: 'Offer an environment to projects',
    ...toggle('on'),
  }),

  toggleEnvironmentOff: post(`${path}/:name/off`, {
    summary: 'Stop offering an environment to projects; those that use it keep it',
    ...toggle('off'),
  }),
})

function toggle(to: 'on' | 'off') {
  return {
    permission: 'ADMIN',
    success: { status: 204, description: `It is ${to}` },
    run({ params, context: { tables } }: { params: { name: string }; context: OperationContext }) {
      const environment = findRecord(tables.environments, params.name, 'environment')
      tables.environments.replace({ ...environment, enabled: to === 'on' })
      return undefined
    },
  } as const
}
