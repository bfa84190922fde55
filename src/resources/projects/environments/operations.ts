import { ok } from '../../../support/result.js'
import { findRecord } from '../../shared/lookup.js'
import { defineOperation } from '../../shared/operation.js'
import { listedEnvironments } from './lookup.js'
import { presentBriefEnvironment, presentEnvironment, presentProjectEnvironment } from './present.js'
import { briefEnvironmentSchema, environmentsSchema, projectEnvironmentsSchema } from './schema.js'

const row = { tag: 'Environments', method: 'GET', access: 'admin' } as const
const path = '/api/admin/environments'

const getAllEnvironments = defineOperation({
  ...row,
  id: 'getAllEnvironments',
  path,
  summary: 'All environments',
  success: { status: 200, description: 'The environments', schema: environmentsSchema },
  run: ({ context: { tables }, profile }) => {
    const environments = listedEnvironments(tables, profile).map((it) => presentEnvironment(it, tables))
    return ok({ body: { version: 1, environments } })
  },
})

const getEnvironment = defineOperation({
  ...row,
  id: 'getEnvironment',
  path: `${path}/:name`,
  summary: 'One environment',
  success: { status: 200, description: 'The environment', schema: briefEnvironmentSchema },
  errors: [404],
  run: ({ params, context: { tables } }) => {
    const environment = findRecord(tables.environments, params.name, 'environment')
    return environment.ok ? ok({ body: presentBriefEnvironment(environment.value) }) : environment
  },
})

const getProjectEnvironments = defineOperation({
  ...row,
  id: 'getProjectEnvironments',
  path: `${path}/project/:projectId`,
  summary: 'All environments, and which of them a project uses: none if the project is unknown',
  success: { status: 200, description: 'The environments', schema: projectEnvironmentsSchema },
  run: ({ params, context: { tables }, profile }) => {
    const project = tables.projects.get(params.projectId) ?? { id: params.projectId, environments: [] }
    const environments = listedEnvironments(tables, profile).map((it) => presentProjectEnvironment(it, project, tables))
    return ok({ body: { version: 1, environments } })
  },
})

export const environmentOperations = [getAllEnvironments, getEnvironment, getProjectEnvironments] as const
