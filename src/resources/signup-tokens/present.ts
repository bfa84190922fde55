import type { Profile } from '../../contract/profile.js'
import type { Frozen } from '../../support/freeze.js'
import { presentRoleOf } from '../roles/rules.js'
import { presentUser } from '../users/present.js'
import type { World } from '../world.js'
import { hasExpired } from './rules.js'
import type { PublicSignupToken, SignupTokenRecord } from './schema.js'

type Stored = Frozen<SignupTokenRecord>

/** A token as it is now: whether it is enabled depends on the time. */
export function presentSignupToken(
  token: Stored,
  world: Pick<World, 'tables' | 'now' | 'baseUrl'>,
  profile: Profile,
): PublicSignupToken {
  const { tables, now, baseUrl } = world
  const expired = profile.signupTokens.readsDisabledWhenExpired && hasExpired(token, now)
  return {
    secret: token.secret,
    url: inviteLink(token.secret, baseUrl),
    name: token.name,
    enabled: token.enabled && !expired,
    expiresAt: token.expiresAt,
    createdAt: token.createdAt,
    createdBy: token.createdBy,
    users: token.users.flatMap(({ id }) => {
      const user = tables.users.get(id)
      return user === undefined ? [] : [presentUser(user)]
    }),
    role: presentRoleOf(token.role.id, tables),
  }
}

/** The page where somebody signs up by a token. */
export function inviteLink(secret: string, baseUrl: string): string {
  return `${baseUrl}/new-user?invite=${encodeURIComponent(secret)}`
}
