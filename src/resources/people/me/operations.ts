import { fail, ok } from '../../../support/result.js'
import { projectsOfUser } from '../../projects/projects/lookup.js'
import { defineOperation } from '../../shared/operation.js'
import { callingUser } from '../callers/lookup.js'
import { signOutEverywhere } from '../login/actions.js'
import { presentSignedIn } from '../login/present.js'
import { withPassword } from '../passwords/rules.js'
import { grantsOf, projectRoles, roleOf } from '../roles/lookup.js'
import { presentBriefRole } from '../roles/present.js'
import { presentBriefAccount } from '../users/present.js'
import { givenPasswordSchema } from '../users/schema.js'
import { checkPasswordChange } from './checks.js'
import { meSchema, profileSchema, rolesSchema, userRolesQuerySchema } from './schema.js'

const tag = 'Users'

const getMe = defineOperation({
  id: 'getMe',
  method: 'GET',
  path: '/api/admin/user',
  summary: 'The calling user and all their permissions',
  tag,
  success: { status: 200, description: 'The user', schema: meSchema },
  errors: [404],
  run: ({ context, profile }) => {
    const found = callingUser(context.caller)
    if (!found.ok) return found
    const user = found.value
    return ok({
      body: {
        user: context.caller.login === undefined ? presentBriefAccount(user) : presentSignedIn(user),
        permissions: grantsOf(user, context.tables, profile.users.projects),
        feedback: user.feedback,
        splash: user.splash,
      },
    })
  },
})

const getProfile = defineOperation({
  id: 'getProfile',
  method: 'GET',
  path: '/api/admin/user/profile',
  summary: "The calling user's role and projects",
  tag,
  success: { status: 200, description: 'The profile', schema: profileSchema },
  errors: [404],
  run: ({ context }) => {
    const user = callingUser(context.caller)
    if (!user.ok) return user
    return ok({
      body: {
        projects: projectsOfUser(context.tables, user.value).map(({ id }) => id),
        groups: [],
        rootRole: presentBriefRole(roleOf(user.value.rootRole, context.tables)),
        subscriptions: ['productivity-report'],
        features: [],
        canChangePassword: user.value.passwordHash !== null,
      },
    })
  },
})

const changeMyPassword = defineOperation({
  id: 'changeMyPassword',
  method: 'POST',
  path: '/api/admin/user/change-password',
  summary: 'Change the password of the calling user; ends all other logins',
  tag,
  body: givenPasswordSchema,
  success: { status: 200, description: 'Done' },
  errors: [401, 404],
  run: ({ body: { password, oldPassword, confirmPassword }, context }) => {
    const { tables, caller, ids } = context
    const user = callingUser(caller)
    if (!user.ok) return user
    const rejection = checkPasswordChange(user.value, { password, confirmed: confirmPassword, old: oldPassword })
    if (rejection) return fail(rejection)
    signOutEverywhere(tables, user.value.id, caller.login)
    tables.users.replace(withPassword(user.value, password, ids.hex(8)))
    return ok({})
  },
})

const getUserRoles = defineOperation({
  id: 'getUserRoles',
  method: 'GET',
  path: '/api/admin/user/roles',
  summary: "The caller's roles in a project",
  tag,
  query: userRolesQuerySchema,
  success: { status: 200, description: 'The roles', schema: rolesSchema },
  errors: [404],
  run: ({ query: { projectId }, context }) => {
    const user = callingUser(context.caller)
    if (!user.ok) return user
    if (!projectId) {
      const message = 'The roles are those in a project: name it, as in ?projectId=default.'
      return fail({ kind: 'nothingToChange', message, details: [{ message, path: '/query/projectId' }] })
    }
    const roles = projectRoles(user.value, context.tables, projectId).map(presentBriefRole)
    return ok({ body: { version: 1, roles } })
  },
})

export const meOperations = [getMe, getProfile, changeMyPassword, getUserRoles] as const
