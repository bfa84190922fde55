import * as z from 'zod'
import { notFound, reject } from '../../contract/errors.js'
import { secret } from '../../contract/secrets.js'
import type { OperationContext } from '../shared/context.js'
import { get, ok, operations, post } from '../shared/rows.js'
import { namedStrict, toInstant } from '../shared/schema.js'
import {
  emailSchema,
  expiredLoginCookie,
  loginCookie,
  presentSignedIn,
  signedInSchema,
  tokenUserSchema,
} from './login.js'
import {
  beginLogin,
  findPerson,
  findResetToken,
  mailResetLink,
  removeLogins,
  signOut,
  signOutEverywhere,
} from './login.model.js'
import { checkStrength, checkUnused, isPasswordOf } from './passwords.js'
import { presentBriefRole } from './roles.js'
import { roleOf } from './roles.model.js'
import { withPassword } from './users.js'
import { findByLogin } from './users.operations.js'

export const loginOperations = operations('Auth', {
  login: post('/auth/simple/login', {
    isStep: false,
    summary: 'Sign in with a username or e-mail address and a password',
    access: 'public',
    body: namedStrict('loginSchema', () => ({ username: z.string(), password: secret(z.string()) })),
    success: {
      status: 200,
      description: 'The user',
      schema: signedInSchema,
      headers: { 'set-cookie': 'The cookie that authenticates further requests' },
    },
    errors: [401],
    run: ({ body, context, tables, profile }) => {
      const user = findByLogin(tables, body.username)
      if (user === undefined || !isPasswordOf(user, body.password, profile)) {
        reject({ kind: 'passwordMismatch', message: 'There is no user with this username and password.' })
      }
      const login = beginLogin(user, context)
      tables.users.replace({ ...user, seenAt: toInstant(context.now) })
      return { headers: { 'set-cookie': loginCookie(login.secret, context.now) }, body: presentSignedIn(user, login) }
    },
  }),

  logout: post('/logout', {
    isStep: false,
    worksInMaintenance: true,
    ignoresBody: true,
    summary: 'Sign out everywhere; redirects to the logout page',
    success: {
      status: 302,
      description: 'Signed out',
      text: 'text/plain',
      headers: { location: 'The logout page', 'clear-site-data': 'What the browser forgets' },
    },
    errors: [],
    run: ({ context }) => {
      const { tables, caller, logins, basePath } = context
      const login = caller.login === undefined ? undefined : logins.get(caller.login)
      const user = login && findPerson(tables, login.user)
      if (user !== undefined) removeLogins(context, user.id)
      const location = `${basePath}/signed-out`
      const forgotten = '"cookies", "storage"'
      const headers = { location, 'clear-site-data': forgotten, 'set-cookie': expiredLoginCookie }
      return { headers, body: `Found. Redirecting to ${location}` }
    },
  }),

  validatePassword: post('/auth/reset/validate-password', {
    summary: 'Check whether a password is strong enough',
    access: 'public',
    body: namedStrict('passwordSchema', () => ({ password: secret(z.string()) })),
    success: { status: 200, description: 'The password is strong enough' },
    run: ({ body }) => reject(checkStrength(body.password)),
  }),

  validateToken: get('/auth/reset/validate', {
    isStep: false,
    summary: 'Get the user of a link to set a password; ends the login of the caller',
    access: 'public',
    writes: true,
    query: z.object({ token: secret(z.string()).optional() }),
    success: ok('The user', tokenUserSchema),
    errors: [401],
    run: ({ query, context }) => {
      const { user, token } = findByResetToken(query.token ?? '', context)
      signOut(context)
      return {
        body: {
          id: user.id,
          ...(user.name === null ? {} : { name: user.name }),
          email: user.email ?? '',
          token: token.secret,
          createdBy: token.createdBy,
          role: presentBriefRole(roleOf(user.rootRole, context.tables)),
        },
      }
    },
  }),

  changePassword: post('/auth/reset/password', {
    summary: 'Set a password with such a link, which works only once; ends all logins of the user',
    access: 'public',
    body: namedStrict('resetPasswordSchema', () => ({ token: secret(z.string()), password: secret(z.string()) })),
    success: { status: 200, description: 'Done' },
    errors: [401],
    run: ({ body, context }) => {
      reject(checkStrength(body.password))
      const { user } = findByResetToken(body.token, context)
      reject(checkUnused(body.password, user))
      const { tables, ids } = context
      signOut(context)
      signOutEverywhere(context, user.id)
      tables.users.replace(withPassword(user, body.password, ids.hex(8)))
    },
  }),

  sendResetPasswordEmail: post('/auth/reset/password-email', {
    summary: 'Mail a user a link to set a new password; the mail is recorded in the journal, and never sent',
    access: 'public',
    body: emailSchema,
    success: { status: 200, description: 'Accepted' },
    errors: [404, 429],
    run: ({ body: { email }, context, profile }) => {
      const [user] = context.tables.users.by('email', email.toLowerCase())
      if (user === undefined) reject(notFound(`There is no user with the e-mail address ${JSON.stringify(email)}.`))
      const resetPasswordUrl = mailResetLink(user, context, profile)
      const mail = { to: email, subject: 'Choose a new password', resetPasswordUrl }
      context.sent.push({ provider: 'email', text: JSON.stringify(mail) })
    },
  }),
})

function findByResetToken(secret: string, { tables, now }: OperationContext) {
  const token = findResetToken(tables, secret, now)
  const user = token && tables.users.get(token.userId)
  if (token !== undefined && user !== undefined) return { token, user }
  return reject({
    kind: 'unusableLink',
    message: 'The link to set a password is unknown, already used or expired.',
  })
}
