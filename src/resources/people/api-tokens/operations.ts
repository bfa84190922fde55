import { badData } from '../../../contract/errors.js'
import { fail, ok } from '../../../support/result.js'
import { logEvent } from '../../instance/events/actions.js'
import { defineOperation } from '../../shared/operation.js'
import { toInstant } from '../../shared/schema.js'
import { createToken, removeToken } from './actions.js'
import { checkScope, checkTokenAccess } from './checks.js'
import { findApiToken, visibleApiTokens } from './lookup.js'
import { presentApiToken, presentNewApiToken, summarizeApiToken } from './present.js'
import { permissionsFor } from './rules.js'
import {
  type ApiTokenRecord,
  apiTokensSchema,
  createApiTokenSchema,
  newApiTokenSchema,
  updateApiTokenSchema,
} from './schema.js'

const tag = 'API tokens'
const path = '/api/admin/api-tokens'

const getAllApiTokens = defineOperation({
  id: 'getAllApiTokens',
  method: 'GET',
  path,
  summary: 'The API tokens that the caller may see',
  tag,
  permission: permissionsFor('READ'),
  success: { status: 200, description: 'The tokens', schema: apiTokensSchema },
  run: ({ context }) => ok({ body: { tokens: visibleApiTokens(context).map(presentApiToken) } }),
})

const getApiTokensByName = defineOperation({
  id: 'getApiTokensByName',
  method: 'GET',
  path: `${path}/:token`,
  secretParams: ['token'],
  summary: 'The API tokens with this name',
  tag,
  permission: permissionsFor('READ'),
  success: { status: 200, description: 'The tokens', schema: apiTokensSchema },
  run: ({ params, context }) => {
    const tokens = visibleApiTokens(context).filter(({ tokenName }) => tokenName === params.token)
    return ok({ body: { tokens: tokens.map(presentApiToken) } })
  },
})

const createApiToken = defineOperation({
  id: 'createApiToken',
  method: 'POST',
  path,
  summary: 'Create an API token for SDKs; admin tokens can no longer be created',
  tag,
  permission: permissionsFor('CREATE'),
  body: createApiTokenSchema,
  bodyHasAlternatives: true,
  success: {
    status: 201,
    description: 'The token',
    schema: newApiTokenSchema,
    headers: { location: 'Where the tokens are' },
  },
  run: ({ body, context }) => {
    const { tables, caller } = context
    const type = body.type.toLowerCase() as ApiTokenRecord['type']
    const { environment = 'development', projects = [body.project ?? '*'] } = body
    if (projects.length === 0) return fail(badData('At least one project is needed, or "*".', '/body/projects'))
    const rejection = checkTokenAccess(caller, 'CREATE', { type }) ?? checkScope(tables, { environment, projects })
    if (rejection) return fail(rejection)
    const token = createToken(context, { ...body, type, environment, projects })
    return ok({ headers: { location: 'api-tokens' }, body: presentNewApiToken(token) })
  },
})

const updateApiToken = defineOperation({
  id: 'updateApiToken',
  method: 'PUT',
  path: `${path}/:token`,
  secretParams: ['token'],
  summary: 'Change the expiry of an API token',
  tag,
  permission: permissionsFor('UPDATE'),
  body: updateApiTokenSchema,
  success: { status: 200, description: 'The expiry is changed, if there is such a token' },
  run: ({ params, body, context }) => {
    const found = findApiToken(context.tables, params.token)
    // The service does not tell whether a token exists.
    if (!found.ok) return ok({})
    const token = found.value
    const rejection = checkTokenAccess(context.caller, 'UPDATE', token)
    if (rejection) return fail(rejection)
    const updated = { ...token, expiresAt: toInstant(body.expiresAt) }
    context.tables.apiTokens.replace(updated)
    logEvent(context, {
      type: 'api-token-updated',
      environment: token.environment,
      data: summarizeApiToken(updated),
      preData: summarizeApiToken(token),
    })
    return ok({})
  },
})

const deleteApiToken = defineOperation({
  id: 'deleteApiToken',
  method: 'DELETE',
  path: `${path}/:token`,
  secretParams: ['token'],
  summary: 'Delete an API token',
  tag,
  permission: permissionsFor('DELETE'),
  success: { status: 200, description: 'There is no such token any more' },
  run: ({ params, context }) => {
    const found = findApiToken(context.tables, params.token)
    // The service does not tell whether a token exists.
    if (!found.ok) return ok({})
    const token = found.value
    const rejection = checkTokenAccess(context.caller, 'DELETE', token)
    if (rejection) return fail(rejection)
    removeToken(context, token)
    return ok({})
  },
})

export const apiTokenOperations = [
  getAllApiTokens,
  getApiTokensByName,
  createApiToken,
  updateApiToken,
  deleteApiToken,
] as const
