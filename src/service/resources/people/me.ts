import * as z from 'zod'
import type { Frozen } from '../../../support/freeze.js'
import { badData, failureAt, reject } from '../../contract/errors.js'
import type { Profile } from '../../contract/profile.js'
import { secret } from '../../contract/secrets.js'
import { apiTokenUser } from '../instance/events.js'
import { projectsOfUser } from '../projects/projects.operations.js'
import type { OperationContext } from '../shared/context.js'
import { get, ok, operations, post } from '../shared/rows.js'
import { named, versioned } from '../shared/schema.js'
import type { StoredApiToken } from './api-tokens.js'
import { callingUser, NO_USER } from './callers.js'
import { presentSignedIn } from './login.js'
import { signOutEverywhere } from './login.model.js'
import { checkStrength, checkUnused, isPasswordOf } from './passwords.js'
import { briefRoleSchema, grantSchema, presentBriefRole, presentRole, roleSchema } from './roles.js'
import { grantsOf, projectRoles, roleOf } from './roles.model.js'
import { accountSchema, feedbackSchema, givenPasswordSchema, presentBriefAccount, withPassword } from './users.js'

/** An admin API token in place of a user. */
const apiUserSchema = named('apiUserSchema', () => ({
  username: z.string(),
  permissions: z.array(z.string()),
  environment: z.string(),
  type: z.string(),
  secret: secret(z.string()),
  projects: z.array(z.string()),
  internalAdminTokenUserId: z.int(),
}))

/** The caller and their permissions. Fields that appear only after a login are optional. */
const meSchema = named('meSchema', () => ({
  user: z.union([
    accountSchema
      .partial({ scimId: true, seatType: true, companyRole: true, productUpdatesEmailConsent: true })
      .extend({ deletedSessions: z.int().optional(), activeSessions: z.int().optional() }),
    apiUserSchema,
    z.object({ username: z.string(), name: z.string(), id: z.int(), permissions: z.array(z.string()) }),
  ]),
  permissions: z.array(grantSchema),
  feedback: z.array(feedbackSchema.extend({ userId: z.int() })),
  splash: z.record(z.string(), z.boolean()),
}))

type Me = z.infer<typeof meSchema>

const profileSchema = named('profileSchema', () => ({
  projects: z.array(z.string()),
  groups: z.array(z.unknown()),
  rootRole: briefRoleSchema,
  subscriptions: z.array(z.string()),
  features: z.array(z.unknown()),
  canChangePassword: z.boolean(),
}))

function presentToken({ tokenName, environment, type, secret, projects }: StoredApiToken): Frozen<Me> {
  const user = {
    username: tokenName,
    permissions: ['ADMIN'],
    environment,
    type,
    secret,
    projects,
    internalAdminTokenUserId: apiTokenUser.id,
  }
  return { user, permissions: [{ permission: 'ADMIN' }], feedback: [], splash: {} }
}

function presentMe({ tables, caller, logins }: OperationContext, profile: Profile): Frozen<Me> {
  const { token, login } = caller
  if (token !== undefined) return presentToken(token)
  if (caller.user === undefined && profile.open) {
    const { id, username } = caller
    const user = { username, name: username, id, permissions: ['ADMIN'] }
    return { user, permissions: [{ permission: 'ADMIN' }], feedback: [], splash: {} }
  }
  const user = callingUser(caller)
  return {
    user: login === undefined ? presentBriefAccount(user) : presentSignedIn(user, logins.get(login)),
    permissions: grantsOf(user, tables, profile.users.projects),
    feedback: user.feedback.map((one) => ({ userId: user.id, ...one })),
    splash: user.splash,
  }
}

export const meOperations = operations('Users', {
  getMe: get('/api/admin/user', {
    summary: 'Get the calling user, or the admin API token that was sent, with all permissions',
    success: { ...ok('The user', meSchema), headers: { 'Cache-Control': 'no-store' } },
    run: ({ context, profile }) => ({ headers: { 'cache-control': 'no-store' }, body: presentMe(context, profile) }),
  }),

  getProfile: get('/api/admin/user/profile', {
    summary: 'Get the role and the projects of the calling user',
    success: ok('The profile', profileSchema),
    errors: [400],
    run: ({ context }) => {
      const { user } = context.caller
      if (user === undefined) reject(badData(NO_USER, '/headers/authorization'))
      return {
        body: {
          projects: projectsOfUser(context.tables, user).map(({ id }) => id),
          groups: [],
          rootRole: presentBriefRole(roleOf(user.rootRole, context.tables)),
          subscriptions: ['productivity-report'],
          features: [],
          canChangePassword: user.passwordHash !== null,
        },
      }
    },
  }),

  changeMyPassword: post('/api/admin/user/change-password', {
    summary: 'Change your own password; this ends your other logins',
    body: givenPasswordSchema,
    success: { status: 200, description: 'Done' },
    errors: [401, 404],
    bodiless: ['nothingToChange'],
    run: ({ body: { password, oldPassword, confirmPassword }, context, profile }) => {
      const { tables, caller, ids } = context
      if (password !== confirmPassword) reject(failureAt('nothingToChange', 'The two new passwords differ.', '/body'))
      if (oldPassword === undefined) reject(failureAt('nothingToChange', 'The old password is missing.', '/body'))
      reject(checkStrength(password))
      const user = callingUser(caller)
      if (!isPasswordOf(user, oldPassword, profile)) {
        reject({ kind: 'passwordMismatch', message: 'The old password is wrong.' })
      }
      reject(checkUnused(password, user))
      signOutEverywhere(context, user.id, caller.login)
      tables.users.replace(withPassword(user, password, ids.hex(8)))
    },
  }),

  getUserRoles: get('/api/admin/user/roles', {
    summary: 'List the root role of the calling user, and the roles in a project',
    query: z.object({ projectId: z.string().optional() }),
    success: ok(
      'The roles',
      versioned('rolesSchema', () => ({ roles: z.array(roleSchema) })),
    ),
    errors: [400],
    bodiless: ['nothingToChange'],
    run: ({ query: { projectId }, context }) => {
      const { user } = context.caller
      if (user === undefined) reject(failureAt('nothingToChange', NO_USER, '/headers/authorization'))
      if (!projectId) {
        const message = 'The roles are those in a project: name it, as in ?projectId=default.'
        reject(failureAt('nothingToChange', message, '/query/projectId'))
      }
      const { tables } = context
      // Unleash names a project for root roles too.
      const rootRole = { ...presentRole(roleOf(user.rootRole, tables)), project: 'default' }
      const ofProject = projectRoles(user, tables, projectId).map((role) => ({
        ...presentRole(role),
        project: projectId,
      }))
      const roles = [rootRole, ...ofProject]
      return { body: { version: 1, roles } }
    },
  }),
})
