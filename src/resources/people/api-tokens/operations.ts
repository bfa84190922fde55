import { notFound } from '../../../contract/errors.js'
import { fail, ok } from '../../../support/result.js'
import { logEvent } from '../../instance/events/actions.js'
import type { OperationContext } from '../../shared/context.js'
import { defineOperation } from '../../shared/operation.js'
import { toInstant } from '../../shared/schema.js'
import { createToken, removeToken } from './actions.js'
import { checkHandling, checkScope, mayHandle } from './checks.js'
import { presentApiToken, presentNewApiToken, summarizeApiToken } from './present.js'
import { someOf } from './rules.js'
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
  access: 'admin',
  permission: someOf('READ'),
  success: { status: 200, description: 'The tokens', schema: apiTokensSchema },
  errors: [401, 403],
  run: ({ context }) => ok({ body: { tokens: visibleTokens(context).map(presentApiToken) } }),
})

const getApiTokensByName = defineOperation({
  id: 'getApiTokensByName',
  method: 'GET',
  path: `${path}/:token`,
  summary: 'The API tokens of a name',
  tag,
  access: 'admin',
  permission: someOf('READ'),
  success: { status: 200, description: 'The tokens', schema: apiTokensSchema },
  errors: [401, 403],
  run: ({ params, context }) => {
    const tokens = visibleTokens(context).filter(({ tokenName }) => tokenName === params.token)
    return ok({ body: { tokens: tokens.map(presentApiToken) } })
  },
})

const createApiToken = defineOperation({
  id: 'createApiToken',
  method: 'POST',
  path,
  summary: 'Create an API token for SDKs; admin tokens are no more to be had',
  tag,
  access: 'admin',
  permission: someOf('CREATE'),
  body: createApiTokenSchema,
  bodyHasAlternatives: true,
  success: {
    status: 201,
    description: 'The token',
    schema: newApiTokenSchema,
    headers: { location: 'PermissionScope the tokens are' },
  },
  errors: [400, 401, 403, 413, 415],
  run: ({ body, context }) => {
    const { tables, caller } = context
    const type = body.type.toLowerCase() as ApiTokenRecord['type']
    const { environment = 'development', projects = [body.project ?? '*'] } = body
    const refusal = checkHandling(caller, 'CREATE', { type }) ?? checkScope(tables, { environment, projects })
    if (refusal) return fail(refusal)
    const token = createToken(context, { ...body, type, environment, projects })
    return ok({ headers: { location: 'api-tokens' }, body: presentNewApiToken(token) })
  },
})

const updateApiToken = defineOperation({
  id: 'updateApiToken',
  method: 'PUT',
  path: `${path}/:token`,
  summary: 'Change the expiry of an API token',
  tag,
  access: 'admin',
  permission: someOf('UPDATE'),
  body: updateApiTokenSchema,
  success: { status: 200, description: 'Done' },
  errors: [400, 401, 403, 404, 413, 415],
  run: ({ params, body, context }) => {
    const found = findToken(params.token, context)
    if (!found.ok) return found
    const token = found.value
    const refusal = checkHandling(context.caller, 'UPDATE', token)
    if (refusal) return fail(refusal)
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
  summary: 'Delete an API token',
  tag,
  access: 'admin',
  permission: someOf('DELETE'),
  success: { status: 200, description: 'Deleted' },
  errors: [401, 403, 404],
  run: ({ params, context }) => {
    const found = findToken(params.token, context)
    if (!found.ok) return found
    const token = found.value
    const refusal = checkHandling(context.caller, 'DELETE', token)
    if (refusal) return fail(refusal)
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

/** Personal tokens stand in the same table and are not shown here. */
function visibleTokens({ tables, caller }: OperationContext) {
  return tables.apiTokens.list().filter((token) => token.userId === null && mayHandle(caller, 'READ', token))
}

function findToken(secret: string, { tables }: OperationContext) {
  const token = tables.apiTokens.get(secret)
  return token === undefined || token.userId !== null ? fail(notFound('There is no such API token.')) : ok(token)
}
