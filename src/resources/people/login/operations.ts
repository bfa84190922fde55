import type { Failure } from '../../../contract/errors.js'
import { fail, ok } from '../../../support/result.js'
import type { OperationContext } from '../../shared/context.js'
import { defineOperation } from '../../shared/operation.js'
import { isPassword } from '../passwords/rules.js'
import { findByLogin } from '../users/lookup.js'
import { addLogin, removeLogins } from './actions.js'
import { presentSignedIn } from './present.js'
import { expiredLoginCookie, loginCookie } from './rules.js'
import { loginSchema, signedInSchema } from './schema.js'

const tag = 'Auth'

const login = defineOperation({
  id: 'login',
  method: 'POST',
  path: '/auth/simple/login',
  summary: 'Sign in with a username or e-mail address and a password',
  tag,
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
    if (user === undefined || !isPassword(body.password, user.passwordHash)) return fail(passwordMismatch)
    const login = addLogin(user.id, context)
    tables.users.replace({ ...user, seenAt: login.createdAt })
    return ok({ headers: { 'set-cookie': loginCookie(login) }, body: presentSignedIn(user) })
  },
})

const logoutRow = {
  path: '/logout',
  summary: 'Sign out everywhere; redirects to the page that says so',
  tag,
  access: 'public',
  success: { status: 302, description: 'Signed out', headers: { location: 'The page that says so' } },
  run: signOutAndRedirect,
} as const

const logout = defineOperation({ ...logoutRow, id: 'logout', method: 'POST' })

const logoutByLink = defineOperation({ ...logoutRow, id: 'logoutByLink', method: 'GET', writes: true })

export const loginOperations = [login, logout, logoutByLink] as const

function signOutAndRedirect({ context }: { context: OperationContext }) {
  const { tables, caller, baseUrl } = context
  const login = caller.login === undefined ? undefined : tables.logins.get(caller.login)
  if (login !== undefined) removeLogins(tables, login.userId)
  const location = `${new URL(baseUrl).pathname.replace(/\/$/, '')}/signed-out`
  return ok({ headers: { location, 'set-cookie': expiredLoginCookie } })
}

const passwordMismatch: Failure = {
  kind: 'passwordMismatch',
  message: 'There is no user with this username and password.',
}
