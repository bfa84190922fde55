import { createMock } from '../../engine/mock/mock.js'
import type { PartialState } from '../../engine/state/partial-state.js'

/** Who can sign in to a mock, and as what. */
export interface SignIn {
  email: string
  password: string
  role: string
}

type GivenUser = Extract<PartialState['users'], readonly unknown[]>[number]

const EMAIL = 'admin@example.com'
const PASSWORD = 'flagdouble'

/** Other addresses for the admin, where somebody has the usual one. No service has people there: the domain is reserved. */
const OTHER_EMAIL = 'flagdouble-admin@example.com'

/**
 * Pulled state in which an admin can sign in. Nobody from the service has a password, and whoever has the id of the
 * built-in admin takes that place: then the admin lies beside them, under a free id.
 */
export function withAdmin(state: PartialState): { state: PartialState; signIn: SignIn } {
  const users: GivenUser[] = Array.isArray(state.users) ? state.users : []
  const builtIn = createMock({ scenario: 'empty' })
    .users.list()
    .find(({ email }) => email === EMAIL)
  const signIn = { email: EMAIL, password: PASSWORD, role: 'Admin' }
  const isSame = ({ id, email }: GivenUser) => id === builtIn?.id && email === EMAIL
  if (!users.some(({ id }) => id === builtIn?.id)) return { state, signIn }
  if (users.some(isSame)) {
    const admin = { password: PASSWORD, rootRole: 'Admin' }
    return { state: { ...state, users: users.map((user) => (isSame(user) ? { ...user, ...admin } : user)) }, signIn }
  }
  const isTaken = (login: string) => users.some(({ email, username }) => email === login || username === login)
  const admin = {
    id: Math.max(...users.map(({ id }) => id)) + 1,
    name: 'Admin',
    email: isTaken(EMAIL) ? OTHER_EMAIL : EMAIL,
    ...(isTaken('admin') ? {} : { username: 'admin' }),
    rootRole: 'Admin',
    password: PASSWORD,
  }
  return { state: { ...state, users: [...users, admin] }, signIn: { ...signIn, email: admin.email } }
}
