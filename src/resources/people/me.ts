import * as z from 'zod'
import { failureAt, reject } from '../../contract/errors.js'
import { projectsOfUser } from '../projects/projects.operations.js'
import { get, ok, operations, post } from '../shared/rows.js'
import { versioned } from '../shared/schema.js'
import { callingUser } from './callers.js'
import { presentSignedIn } from './login.js'
import { signOutEverywhere } from './login.model.js'
import { checkStrength, checkUnused, isPassword } from './passwords.js'
import { briefRoleSchema, grantSchema, presentBriefRole } from './roles.js'
import { grantsOf, projectRoles, roleOf } from './roles.model.js'
import { accountSchema, feedbackSchema, givenPasswordSchema, presentBriefAccount, withPassword } from './users.js'

/** The calling user and their permissions. Fields that appear only after a login are optional. */
const meSchema = z
  .object({
    user: accountSchema
      .partial({ scimId: true, seatType: true, companyRole: true, productUpdatesEmailConsent: true })
      .extend({ deletedSessions: z.int().optional(), activeSessions: z.int().optional() }),
    permissions: z.array(grantSchema),
    feedback: z.array(feedbackSchema),
    splash: z.record(z.string(), z.boolean()),
  })
  .meta({ id: 'meSchema' })

const profileSchema = z
  .object({
    projects: z.array(z.string()),
    groups: z.array(z.unknown()),
    rootRole: briefRoleSchema,
    subscriptions: z.array(z.string()),
    features: z.array(z.unknown()),
    canChangePassword: z.boolean(),
  })
  .meta({ id: 'profileSchema' })

const userRolesQuerySchema = z.object({ projectId: z.string().optional() })

const rolesSchema = versioned('rolesSchema', { roles: z.array(briefRoleSchema) })

export const meOperations = operations('Users', {
  getMe: get('/api/admin/user', {
    summary: 'The calling user and all their permissions',
    success: ok('The user', meSchema),
    errors: [404],
    run: ({ context, profile }) => {
      const user = callingUser(context.caller)
      return {
        body: {
          user: context.caller.login === undefined ? presentBriefAccount(user) : presentSignedIn(user),
          permissions: grantsOf(user, context.tables, profile.users.projects),
          feedback: user.feedback,
          splash: user.splash,
        },
      }
    },
  }),

  getProfile: get('/api/admin/user/profile', {
    summary: "The calling user's role and projects",
    success: ok('The profile', profileSchema),
    errors: [404],
    run: ({ context }) => {
      const user = callingUser(context.caller)
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
    summary: 'Change the password of the calling user; ends all other logins',
    body: givenPasswordSchema,
    success: { status: 200, description: 'Done' },
    errors: [401, 404],
    bodiless: ['nothingToChange'],
    run: ({ body: { password, oldPassword, confirmPassword }, context }) => {
      const { tables, caller, ids } = context
      const user = callingUser(caller)
      if (password !== confirmPassword) reject(failureAt('nothingToChange', 'The two new passwords differ.', '/body'))
      if (oldPassword === undefined) reject(failureAt('nothingToChange', 'The old password is missing.', '/body'))
      reject(checkStrength(password))
      if (!isPassword(oldPassword, user.passwordHash)) {
        reject({ kind: 'passwordMismatch', message: 'The old password is wrong.' })
      }
      reject(checkUnused(password, user))
      signOutEverywhere(tables, user.id, caller.login)
      tables.users.replace(withPassword(user, password, ids.hex(8)))
    },
  }),

  getUserRoles: get('/api/admin/user/roles', {
    summary: "The caller's roles in a project",
    query: userRolesQuerySchema,
    success: ok('The roles', rolesSchema),
    errors: [404],
    bodiless: ['nothingToChange'],
    run: ({ query: { projectId }, context }) => {
      const user = callingUser(context.caller)
      if (!projectId) {
        const message = 'The roles are those in a project: name it, as in ?projectId=default.'
        reject(failureAt('nothingToChange', message, '/query/projectId'))
      }
      const roles = projectRoles(user, context.tables, projectId).map(presentBriefRole)
      return { body: { version: 1, roles } }
    },
  }),
})
