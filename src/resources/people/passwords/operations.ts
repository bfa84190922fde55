import { type Failure, notFound } from '../../../contract/errors.js'
import { fail, ok, okUnless } from '../../../support/result.js'
import type { OperationContext } from '../../shared/context.js'
import { defineOperation } from '../../shared/operation.js'
import { mailResetLink, signOut, signOutEverywhere } from '../login/actions.js'
import { findResetToken } from '../login/lookup.js'
import {
  emailSchema,
  passwordSchema,
  resetPasswordSchema,
  resetTokenQuerySchema,
  tokenUserSchema,
} from '../login/schema.js'
import { roleOf } from '../roles/lookup.js'
import { presentBriefRole } from '../roles/present.js'
import { checkStrength, checkUnused } from './checks.js'
import { withPassword } from './rules.js'

const tag = 'Auth'

const validatePassword = defineOperation({
  id: 'validatePassword',
  method: 'POST',
  path: '/auth/reset/validate-password',
  summary: 'Whether a password is strong enough',
  tag,
  access: 'public',
  body: passwordSchema,
  success: { status: 200, description: 'It is strong enough' },
  run: ({ body }) => okUnless(checkStrength(body.password)),
})

const validateToken = defineOperation({
  id: 'validateToken',
  method: 'GET',
  path: '/auth/reset/validate',
  summary: 'The user whom a link to choose a password belongs to; ends the login of the caller',
  tag,
  access: 'public',
  writes: true,
  query: resetTokenQuerySchema,
  success: { status: 200, description: 'The user', schema: tokenUserSchema },
  errors: [401],
  run: ({ query, context }) => {
    const found = findByResetToken(query.token, context)
    if (found === undefined) return fail(unusableLink)
    const { user, token } = found
    signOut(context)
    return ok({
      body: {
        id: user.id,
        ...(user.name === null ? {} : { name: user.name }),
        email: user.email ?? '',
        token: token.secret,
        createdBy: token.createdBy,
        role: presentBriefRole(roleOf(user.rootRole, context.tables)),
      },
    })
  },
})

const changePassword = defineOperation({
  id: 'changePassword',
  method: 'POST',
  path: '/auth/reset/password',
  summary: 'Choose a password with such a link, which works only once; ends all logins of the user',
  tag,
  access: 'public',
  body: resetPasswordSchema,
  success: { status: 200, description: 'Done' },
  errors: [401],
  run: ({ body, context }) => {
    const weak = checkStrength(body.password)
    if (weak) return fail(weak)
    const found = findByResetToken(body.token, context)
    if (found === undefined) return fail(unusableLink)
    const used = checkUnused(body.password, found.user)
    if (used) return fail(used)
    const { tables, ids } = context
    signOut(context)
    signOutEverywhere(tables, found.user.id)
    tables.users.replace(withPassword(found.user, body.password, ids.hex(8)))
    return ok({})
  },
})

const sendResetPasswordEmail = defineOperation({
  id: 'sendResetPasswordEmail',
  method: 'POST',
  path: '/auth/reset/password-email',
  summary: 'Mail a user a link to choose a new password; the mail is recorded in the journal, and never sent',
  tag,
  access: 'public',
  body: emailSchema,
  success: { status: 200, description: 'Accepted' },
  errors: [404],
  run: ({ body: { email }, context, profile }) => {
    const [user] = context.tables.users.by('email', email.toLowerCase())
    if (user === undefined) return fail(notFound(`There is no user with the e-mail address ${JSON.stringify(email)}.`))
    const created = mailResetLink(user, context, profile)
    if (!created.ok) return created
    const resetPasswordUrl = created.value
    const mail = { to: email, subject: 'Choose a new password', resetPasswordUrl }
    context.sent.push({ provider: 'email', text: JSON.stringify(mail) })
    return ok({})
  },
})

export const passwordOperations = [validatePassword, validateToken, changePassword, sendResetPasswordEmail] as const

function findByResetToken(secret: string, { tables, now }: OperationContext) {
  const token = findResetToken(tables, secret, now)
  const user = token === undefined ? undefined : tables.users.get(token.userId)
  return token === undefined || user === undefined ? undefined : { token, user }
}

const unusableLink: Failure = {
  kind: 'unusableLink',
  message: 'The link to choose a password is unknown, already used or expired.',
}
