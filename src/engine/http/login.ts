import type { Failure } from '../../service/contract/errors.js'
import type { Profile } from '../../service/contract/profile.js'
import { identifyFor } from '../../service/resources/people/callers.js'
import { LOGIN_COOKIE } from '../../service/resources/people/login.js'
import { loginNameOf } from '../../service/resources/people/users.js'
import type { Caller } from '../../service/resources/shared/context.js'
import { cookie } from '../../support/cookie.js'
import type { World } from '../sessions/world.js'
import type { Asked, CheckedRow, LoginJar } from './call.js'

/** The headers of a request, with the cookie of a jar unless it has one of its own. */
export function headersWith(given: Headers, { secret }: Partial<LoginJar> = {}): Headers {
  if (secret === undefined || cookie(given, LOGIN_COOKIE) !== undefined) return given
  const headers = new Headers(given)
  const others = headers.get('cookie')
  headers.set('cookie', `${others === null ? '' : `${others}; `}${LOGIN_COOKIE}=${secret}`)
  return headers
}

/** Puts the login that an answer sets or ends into a jar. */
export function keepIn(jar: LoginJar, setCookie: string | undefined): void {
  const [name, value] = (setCookie?.split(';', 1)[0] ?? '').split('=')
  if (name === LOGIN_COOKIE) jar.secret = value || undefined
}

/** The sender of a request to a world. Throws a `Rejection`. */
export function identifyIn(world: World, headers: Headers, access: CheckedRow['access'], profile: Profile): Caller {
  const secret = cookie(headers, LOGIN_COOKIE)
  const user = secret === undefined ? undefined : world.logins.userOf(secret, world.data)
  const login = secret === undefined || user === undefined ? undefined : { secret, user }
  return identifyFor(access, { headers, tables: world.data.tables, now: world.clock.now(), profile, login })
}

/** Why the login that a request was sent with doesn't count, if the request was rejected for want of one. */
export function loginHint({ headers, world }: Asked, { kind }: Failure): string | undefined {
  if (kind !== 'authenticationRequired' && kind !== 'unknownCredentials') return undefined
  const secret = cookie(headers, LOGIN_COOKIE)
  if (secret === undefined || secret === '') return undefined
  const found = world.logins.get(secret)
  if (found === undefined || found.scenario === world.name) {
    const why = found === undefined ? world.logins.whyEnded(secret) : 'its user was removed'
    return why === undefined
      ? `The login in the cookie ${LOGIN_COOKIE} is not known here: it belongs to another session, or to a mock that has started again since. Sign in again.`
      : `The login in the cookie ${LOGIN_COOKIE} has ended: ${why}. Sign in again.`
  }
  const who = loginNameOf(found.user)
  return `The cookie ${LOGIN_COOKIE} is a login as "${who}" under the scenario "${found.scenario}". The scenario "${world.name}" has no such user: sign in as one of its own.`
}
