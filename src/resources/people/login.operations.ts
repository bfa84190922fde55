import { type Failure, reject } from '../../contract/errors.js'
import type { OperationContext } from '../shared/context.js'
import { get, operations, post } from '../shared/rows.js'
import { expiredLoginCookie, loginCookie, loginSchema, presentSignedIn, signedInSchema } from './login.js'
import { addLogin, removeLogins } from './login.model.js'
import { isPassword } from './passwords.js'
import { findByLogin } from './users.operations.js'

const logoutRow = {
  summary: 'Sign out everywhere; redirects to the page that says so',
  access: 'public',
  success: { status: 302, description: 'Signed out', headers: { location: 'The page that says so' } },
  run: signOutAndRedirect,
} as const

export const loginOperations = operations('Auth', {
  login: post('/auth/simple/login', {
    summary: 'Sign in with a username or e-mail address and a password',
    access: 'public',
    body: loginSchema,
    success: {
      status: 200,
      description: 'The user',
      schema: signedInSchema,
      headers: { 'set-cookie': 'The cookie that authenticates further requests' },
    },
    errors: [401],
    run: ({ body, context }) => {
      const { tables } = context
      const user = findByLogin(tables, body.username)
      if (user === undefined || !isPassword(body.password, user.passwordHash)) reject(passwordMismatch)
      const login = addLogin(user.id, context)
      tables.users.replace({ ...user, seenAt: login.createdAt })
      return { headers: { 'set-cookie': loginCookie(login) }, body: presentSignedIn(user) }
    },
  }),

  logout: post('/logout', logoutRow),

  logoutByLink: get('/logout', { ...logoutRow, writes: true }),
})

function signOutAndRedirect({ context }: { context: OperationContext }) {
  const { tables, caller, baseUrl } = context
  const login = caller.login === undefined ? undefined : tables.logins.get(caller.login)
  if (login !== undefined) removeLogins(tables, login.userId)
  const location = `${new URL(baseUrl).pathname.replace(/\/$/, '')}/signed-out`
  return { headers: { location, 'set-cookie': expiredLoginCookie } }
}

const passwordMismatch: Failure = {
  kind: 'passwordMismatch',
  message: 'There is no user with this username and password.',
}
