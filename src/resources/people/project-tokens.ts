import { badData, notFound, reject } from '../../contract/errors.js'
import { findActiveProject } from '../projects/projects.operations.js'
import { del, get, operations, post } from '../shared/rows.js'
import {
  type ApiTokenRecord,
  apiTokensSchema,
  createProjectApiTokenSchema,
  newApiTokenSchema,
  presentApiToken,
  presentNewApiToken,
} from './api-tokens.js'
import { checkScope, createToken, projectApiTokens, removeToken } from './api-tokens.operations.js'

const path = '/api/admin/projects/:projectId/api-tokens'
export const projectTokenOperations = operations('Projects', {
  getProjectApiTokens: get(path, {
    summary: 'The API tokens for SDKs that include a project',
    permission: 'READ_PROJECT_API_TOKEN',
    success: { status: 200, description: 'The tokens', schema: apiTokensSchema },
    errors: [404],
    run: ({ params, context: { tables } }) => {
      findActiveProject(tables, params.projectId)
      return { body: { tokens: projectApiTokens(tables, params.projectId).map(presentApiToken) } }
    },
  }),

  createProjectApiToken: post(path, {
    summary: 'Create an API token for SDKs, for this project only',
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
      findActiveProject(context.tables, params.projectId)
      const scope = { environment: body.environment ?? 'development', projects: [params.projectId] }
      reject(checkScope(context.tables, scope))
      const type = body.type.toLowerCase() as ApiTokenRecord['type']
      const token = createToken(context, { ...body, ...scope, type })
      return { headers: { location: 'api-tokens' }, body: presentNewApiToken(token) }
    },
  }),

  deleteProjectApiToken: del(`${path}/:token`, {
    secretParams: ['token'],
    summary: 'Delete an API token that is for this project only',
    permission: 'DELETE_PROJECT_API_TOKEN',
    success: { status: 200, description: 'Deleted' },
    errors: [404],
    run: ({ params, context }) => {
      const token = projectApiTokens(context.tables, params.projectId).find(({ secret }) => secret === params.token)
      if (token === undefined) reject(notFound(`The project "${params.projectId}" has no such API token.`))
      if (token.projects.length > 1) reject(badData('This API token is for other projects too.', '/params/token'))
      removeToken(context, token)
    },
  }),
})
