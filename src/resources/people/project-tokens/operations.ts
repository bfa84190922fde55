import { badData, notFound } from '../../../contract/errors.js'
import { fail, ok } from '../../../support/result.js'
import { findActiveProject } from '../../projects/projects/lookup.js'
import { defineOperation } from '../../shared/operation.js'
import { createToken, removeToken } from '../api-tokens/actions.js'
import { checkScope } from '../api-tokens/checks.js'
import { projectApiTokens } from '../api-tokens/lookup.js'
import { presentApiToken, presentNewApiToken } from '../api-tokens/present.js'
import {
  type ApiTokenRecord,
  apiTokensSchema,
  createProjectApiTokenSchema,
  newApiTokenSchema,
} from '../api-tokens/schema.js'

const tag = 'Projects'
const path = '/api/admin/projects/:projectId/api-tokens'

const getProjectApiTokens = defineOperation({
  id: 'getProjectApiTokens',
  method: 'GET',
  path,
  summary: 'The API tokens for SDKs that include a project',
  tag,
  permission: 'READ_PROJECT_API_TOKEN',
  success: { status: 200, description: 'The tokens', schema: apiTokensSchema },
  errors: [404],
  run: ({ params, context: { tables } }) => {
    const project = findActiveProject(tables, params.projectId)
    if (!project.ok) return project
    return ok({ body: { tokens: projectApiTokens(tables, params.projectId).map(presentApiToken) } })
  },
})

const createProjectApiToken = defineOperation({
  id: 'createProjectApiToken',
  method: 'POST',
  path,
  summary: 'Create an API token for SDKs, for this project only',
  tag,
  permission: 'CREATE_PROJECT_API_TOKEN',
  body: createProjectApiTokenSchema,
  success: {
    status: 201,
    description: 'The token',
    schema: newApiTokenSchema,
    headers: { location: 'Where the tokens are' },
  },
  errors: [404],
  run: ({ params, body, context }) => {
    const project = findActiveProject(context.tables, params.projectId)
    if (!project.ok) return project
    const scope = { environment: body.environment ?? 'development', projects: [params.projectId] }
    const rejection = checkScope(context.tables, scope)
    if (rejection) return fail(rejection)
    const type = body.type.toLowerCase() as ApiTokenRecord['type']
    const token = createToken(context, { ...body, ...scope, type })
    return ok({ headers: { location: 'api-tokens' }, body: presentNewApiToken(token) })
  },
})

const deleteProjectApiToken = defineOperation({
  id: 'deleteProjectApiToken',
  method: 'DELETE',
  path: `${path}/:token`,
  secretParams: ['token'],
  summary: 'Delete an API token that is for this project only',
  tag,
  permission: 'DELETE_PROJECT_API_TOKEN',
  success: { status: 200, description: 'Deleted' },
  errors: [404],
  run: ({ params, context }) => {
    const token = projectApiTokens(context.tables, params.projectId).find(({ secret }) => secret === params.token)
    if (token === undefined) return fail(notFound(`The project "${params.projectId}" has no such API token.`))
    if (token.projects.length > 1) return fail(badData('This API token is for other projects too.', '/params/token'))
    removeToken(context, token)
    return ok({})
  },
})

export const projectTokenOperations = [getProjectApiTokens, createProjectApiToken, deleteProjectApiToken] as const
