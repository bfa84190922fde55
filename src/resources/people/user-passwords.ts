import { reject } from '../../contract/errors.js'
import { operations, post } from '../shared/rows.js'
import { mailResetLink, signOutEverywhere } from './login.model.js'
import { checkStrength, withPassword } from './passwords.js'
import { givenPasswordSchema, resetPasswordLinkSchema, userIdSchema } from './users.js'
import { findAddressee, findUser } from './users.operations.js'

const path = '/api/admin/user-admin'
export const userPasswordOperations = operations('Users', {
  validateUserPassword: post(`${path}/validate-password`, {
    summary: 'Whether a password for a user is strong enough',
    body: givenPasswordSchema,
    success: { status: 200, description: 'It is strong enough' },
    run: ({ body }) => {
      reject(checkStrength(body.password))
    },
  }),

  changeUserPassword: post(`${path}/:id/change-password`, {
    integers: ['id'],
    summary: 'Set the password of a user; ends all their logins',
    permission: 'ADMIN',
    body: givenPasswordSchema,
    success: { status: 200, description: 'Done' },
    errors: [404],
    run: ({ params, body, context }) => {
      const { tables, ids } = context
      reject(checkStrength(body.password))
      const user = findUser(tables, params.id)
      signOutEverywhere(tables, user.id)
      tables.users.replace(withPassword(user, body.password, ids.hex(8)))
    },
  }),

  resetUserPassword: post(`${path}/reset-password`, {
    summary: 'Create a link with which a user chooses a new password',
    permission: 'ADMIN',
    body: userIdSchema,
    success: { status: 200, description: 'The link', schema: resetPasswordLinkSchema },
    errors: [404],
    run: ({ body, context, profile }) => {
      const user = findAddressee(context.tables, body.id)
      const link = mailResetLink(user, context, profile)
      return { body: { resetPasswordUrl: link } }
    },
  }),
})
