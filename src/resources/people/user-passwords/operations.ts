import { fail, ok, okUnless } from '../../../support/result.js'
import { defineOperation } from '../../shared/operation.js'
import { mailResetLink, signOutEverywhere } from '../login/actions.js'
import { checkStrength } from '../passwords/checks.js'
import { withPassword } from '../passwords/rules.js'
import { findAddressee, findUser } from '../users/lookup.js'
import { givenPasswordSchema, resetPasswordLinkSchema, userIdSchema } from '../users/schema.js'

const tag = 'Users'
const path = '/api/admin/user-admin'

const validateUserPassword = defineOperation({
  id: 'validateUserPassword',
  method: 'POST',
  path: `${path}/validate-password`,
  summary: 'Whether a password for a user is strong enough',
  tag,
  body: givenPasswordSchema,
  success: { status: 200, description: 'It is strong enough' },
  run: ({ body }) => okUnless(checkStrength(body.password)),
})

const changeUserPassword = defineOperation({
  id: 'changeUserPassword',
  method: 'POST',
  path: `${path}/:id/change-password`,
  integers: ['id'],
  summary: 'Set the password of a user; ends all their logins',
  tag,
  permission: 'ADMIN',
  body: givenPasswordSchema,
  success: { status: 200, description: 'Done' },
  errors: [404],
  run: ({ params, body, context }) => {
    const { tables, ids } = context
    const weak = checkStrength(body.password)
    if (weak) return fail(weak)
    const user = findUser(tables, params.id)
    if (!user.ok) return user
    signOutEverywhere(tables, user.value.id)
    tables.users.replace(withPassword(user.value, body.password, ids.hex(8)))
    return ok({})
  },
})

const resetUserPassword = defineOperation({
  id: 'resetUserPassword',
  method: 'POST',
  path: `${path}/reset-password`,
  summary: 'Create a link with which a user chooses a new password',
  tag,
  permission: 'ADMIN',
  body: userIdSchema,
  success: { status: 200, description: 'The link', schema: resetPasswordLinkSchema },
  errors: [404],
  run: ({ body, context, profile }) => {
    const user = findAddressee(context.tables, body.id)
    if (!user.ok) return user
    const link = mailResetLink(user.value, context, profile)
    return link.ok ? ok({ body: { resetPasswordUrl: link.value } }) : link
  },
})

export const userPasswordOperations = [validateUserPassword, changeUserPassword, resetUserPassword] as const
