import * as z from 'zod'
import { badData, type Failure, failureAt, noAccess, reject } from '../../contract/errors.js'
import type { Profile } from '../../contract/profile.js'
import { logEvent } from '../instance/events.operations.js'
import { findActiveProject } from '../projects/projects.operations.js'
import type { Caller, OperationContext, Tables } from '../shared/context.js'
import { completed } from '../shared/fields.js'
import { checkEnvironment } from '../shared/lookup.js'
import { created, del, get, ok, operations, post, put } from '../shared/rows.js'
import { named, sentInstantSchema, toInstant } from '../shared/schema.js'
import {
  type ApiTokenRecord,
  apiTokenRecordSchema,
  apiTokensSchema,
  newApiTokenSchema,
  newSecret,
  newTokenSchema,
  permissionFor,
  permissionsFor,
  presentApiToken,
  presentNewApiToken,
  type StoredApiToken,
  scopeOf,
  selectorOf,
  summarizeApiToken,
  summarizeNewApiToken,
  type TokenAction,
} from './api-tokens.js'

/** The API tokens that the caller can see. Personal tokens, in the same table, are excluded. */
function visibleApiTokens({ tables, caller }: OperationContext): StoredApiToken[] {
  return sharedTokens(tables).filter((token) => caller.may(permissionFor('READ', token)))
}

function projectApiTokens(tables: Tables, project: string): StoredApiToken[] {
  return sharedTokens(tables).filter(({ projects }) => projects.includes(project))
}

/** The API token with this secret, or this selector. Personal access tokens don't count. */
function sharedToken(tables: Tables, secret: string): StoredApiToken | undefined {
  const token = tables.apiTokens.get(secret) ?? tables.apiTokens.list().find((one) => selectorOf(one) === secret)
  return token?.userId === null ? token : undefined
}

/** The events of a token of the form v2 have a group. */
function groupOf(token: StoredApiToken, { ids, now }: OperationContext): { groupId?: string } {
  return selectorOf(token) === undefined ? {} : { groupId: ids.ulid(now.getTime()) }
}

function sharedTokens(tables: Tables): StoredApiToken[] {
  return tables.apiTokens.list().filter(({ userId }) => userId === null)
}

/** Fails if the caller has no permission for an action on a token of this type. */
function checkTokenAccess(
  caller: Caller,
  action: TokenAction,
  token: Pick<ApiTokenRecord, 'type'>,
): Failure | undefined {
  const permission = permissionFor(action, token)
  return caller.may(permission) ? undefined : noAccess(permission)
}

/** The errors of a new token's fields, all at once. */
function checkNewToken(sent: {
  tokenName: string
  environment?: string | undefined
  projects?: readonly string[] | undefined
}): Failure | undefined {
  const faults = [
    ...(sent.tokenName === '' ? ['"tokenName" must not be empty.'] : []),
    ...(sent.projects?.length === 0 ? ['"projects" must have at least one project, or "*".'] : []),
    ...(sent.environment === '' ? ['"environment" must not be empty.'] : []),
  ]
  if (faults.length === 0) return undefined
  return { kind: 'badData', message: faults.join(' '), details: faults.map((message) => ({ message, path: '/body' })) }
}

interface NewToken extends Pick<ApiTokenRecord, 'type' | 'tokenName' | 'environment' | 'projects'> {
  expiresAt?: string | undefined
}

/** Creates a token and returns it, if its environment and its projects exist. */
function createToken(context: OperationContext, profile: Profile, given: NewToken) {
  const { tables, ids } = context
  const { environment } = given
  const projects = given.projects.includes('*') ? ['*'] : given.projects
  reject(checkEnvironment(tables, environment, '/body/environment'))
  const unknown = projects.find((project) => project !== '*' && !tables.projects.has(project))
  if (unknown !== undefined) reject(badData(`There is no project "${unknown}".`, '/body/projects'))
  if (new Set(projects).size < projects.length) {
    reject(badData('"projects" must not name a project twice.', '/body/projects'))
  }
  const token = completed(
    apiTokenRecordSchema,
    { ...given, projects, secret: scopeOf({ environment, projects }) + newSecret(ids, profile), generated: true },
    context,
  )
  tables.apiTokens.insert(token)
  const data = summarizeNewApiToken(token)
  logEvent(context, {
    type: 'api-token-created',
    environment,
    project: projects.join(),
    data,
    ...groupOf(token, context),
  })
  return { headers: { location: 'api-tokens' }, body: presentNewApiToken(token) }
}

function removeToken(context: OperationContext, token: StoredApiToken): void {
  context.tables.apiTokens.remove(token.secret)
  logEvent(context, {
    type: 'api-token-deleted',
    environment: token.environment,
    project: token.projects.join(),
    data: null,
    preData: summarizeApiToken(token),
    ...groupOf(token, context),
  })
}

const newToken = created('The token', newApiTokenSchema, 'The path of the tokens')

const path = '/api/admin/api-tokens'
export const apiTokenOperations = operations('API tokens', {
  getAllApiTokens: get(path, {
    summary: 'List the API tokens that the caller can see',
    permission: permissionsFor('READ'),
    success: ok('The tokens', apiTokensSchema),
    run: ({ context }) => ({ body: { tokens: visibleApiTokens(context).map(presentApiToken) } }),
  }),

  getApiTokensByName: get(`${path}/:token`, {
    secretParams: ['token'],
    summary: 'List the API tokens with a name',
    permission: permissionsFor('READ'),
    success: ok('The tokens', apiTokensSchema),
    errors: [],
    run: ({ params, context }) => {
      const tokens = visibleApiTokens(context).filter(({ tokenName }) => tokenName === params.token)
      return { body: { tokens: tokens.map(presentApiToken) } }
    },
  }),

  createApiToken: post(path, {
    summary: 'Create an API token for SDKs; admin tokens can no longer be created',
    permission: permissionsFor('CREATE'),
    body: newTokenSchema
      .extend({
        project: z.string().meta({ description: 'Ignored' }).optional(),
        projects: z.array(z.string()).optional(),
      })
      .meta({ id: 'createApiTokenSchema' }),
    bodyHasAlternatives: true,
    success: newToken,
    run: ({ body, context, profile }) => {
      const type = body.type.toLowerCase() as ApiTokenRecord['type']
      const { environment = 'development', projects = ['*'] } = body
      reject(checkNewToken(body))
      reject(checkTokenAccess(context.caller, 'CREATE', { type }))
      return createToken(context, profile, { ...body, type, environment, projects })
    },
  }),

  updateApiToken: put(`${path}/:token`, {
    secretParams: ['token'],
    summary: 'Change the expiry of an API token',
    permission: permissionsFor('UPDATE'),
    body: named('updateApiTokenSchema', () => ({ expiresAt: sentInstantSchema })),
    success: { status: 200, description: 'The expiry is changed, if the token exists' },
    errors: [],
    run: ({ params, body, context }) => {
      const token = sharedToken(context.tables, params.token)
      // Unleash doesn't reveal whether a token exists.
      if (token === undefined) return
      reject(checkTokenAccess(context.caller, 'UPDATE', token))
      const updated = { ...token, expiresAt: toInstant(body.expiresAt) }
      context.tables.apiTokens.replace(updated)
      logEvent(context, {
        type: 'api-token-updated',
        environment: token.environment,
        project: token.projects.join(),
        data: summarizeApiToken(updated),
        preData: summarizeApiToken(token),
        ...groupOf(token, context),
      })
    },
  }),

  deleteApiToken: del(`${path}/:token`, {
    secretParams: ['token'],
    summary: 'Delete an API token',
    permission: permissionsFor('DELETE'),
    success: { status: 200, description: 'The token no longer exists' },
    errors: [],
    run: ({ params, context }) => {
      const token = sharedToken(context.tables, params.token)
      // Unleash doesn't reveal whether a token exists.
      if (token === undefined) return
      reject(checkTokenAccess(context.caller, 'DELETE', token))
      removeToken(context, token)
    },
  }),
})

const projectPath = '/api/admin/projects/:projectId/api-tokens'
export const projectTokenOperations = operations('Projects', {
  getProjectApiTokens: get(projectPath, {
    summary: 'List the API tokens for SDKs that include a project',
    permission: 'READ_PROJECT_API_TOKEN',
    success: ok('The tokens', apiTokensSchema),
    run: ({ params, context, tables }) => {
      const { id } = findActiveProject(tables, params.projectId)
      // Unleash shows an admin API token the tokens of all projects.
      const tokens = context.caller.token?.type === 'admin' ? sharedTokens(tables) : projectApiTokens(tables, id)
      return { body: { tokens: tokens.map(presentApiToken) } }
    },
  }),

  createProjectApiToken: post(projectPath, {
    summary: 'Create an API token for SDKs, for this project only',
    permission: 'CREATE_PROJECT_API_TOKEN',
    body: named('createProjectApiTokenSchema', () => {
      const { expiresAt, type, tokenName, environment } = newTokenSchema.shape
      return { tokenName, type, environment, expiresAt }
    }),
    success: newToken,
    run: ({ params: { projectId }, body, context, tables, profile }) => {
      findActiveProject(tables, projectId)
      reject(checkNewToken({ tokenName: body.tokenName, environment: body.environment }))
      const type = body.type.toLowerCase() as ApiTokenRecord['type']
      const { environment = 'development' } = body
      return createToken(context, profile, { ...body, type, environment, projects: [projectId] })
    },
  }),

  deleteProjectApiToken: del(`${projectPath}/:token`, {
    secretParams: ['token'],
    summary: 'Delete an API token that is for this project only',
    permission: 'DELETE_PROJECT_API_TOKEN',
    success: { status: 200, description: 'Deleted' },
    bodiless: ['unknownToken', 'nothingToChange'],
    run: ({ params, context }) => {
      const token = sharedToken(context.tables, params.token)
      if (token === undefined) reject({ kind: 'unknownToken', message: 'There is no such API token.' })
      if (token.projects.length !== 1 || token.projects[0] !== params.projectId) {
        const message = `This API token is not only for the project "${params.projectId}".`
        reject(failureAt('nothingToChange', message, '/params/token'))
      }
      removeToken(context, token)
    },
  }),
})
