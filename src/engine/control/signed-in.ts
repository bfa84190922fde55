import { loginCookie } from '../../service/resources/people/login.js'
import { addLogin, findPerson } from '../../service/resources/people/login.model.js'
import { displayNameOf } from '../../service/resources/people/users.js'
import { MockError } from '../errors/mock-errors.js'
import type { World } from '../sessions/world.js'

/** A user with a login in a session. */
export interface SignedInUser {
  user: number
  name: string
  /** Whether this is the caller's login. */
  here: boolean
}

/** Signs a user in without a password. Returns the `Set-Cookie` header. Throws `INVALID_REQUEST`. */
export function signIn({ data, clock, ids, logins, name }: World, userId: number): string {
  const user = data.tables.users.get(userId)
  if (user !== undefined) {
    const secret = addLogin(user, { logins, ids })
    logins.commit(name)
    return loginCookie(secret, clock.now())
  }
  throw new MockError('INVALID_REQUEST', `There is no user ${userId}.`, 'GET /__mock/state lists the users.')
}

/** The session's logins, as users of the world. The given secret marks the caller's login. */
export function signedIn({ logins, data }: World, secret: string | undefined): SignedInUser[] {
  const found = new Map<number, SignedInUser>()
  for (const login of logins.all()) {
    const user = findPerson(data.tables, login.user)
    if (user === undefined) continue
    const here = login.secret === secret || found.get(user.id)?.here === true
    found.set(user.id, { user: user.id, name: displayNameOf(user), here })
  }
  return [...found.values()]
}

/** Ends all logins of a user. */
export function endLogins({ logins, data, name }: World, userId: number): void {
  logins.change(({ user }) => (findPerson(data.tables, user)?.id === userId ? undefined : user))
  logins.commit(name)
}
