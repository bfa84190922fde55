import type { Profile, Shapes } from '../../../contract/profile.js'
import type { Frozen } from '../../../support/freeze.js'
import type { OperationContext } from '../../shared/context.js'
import { presentRole, roleOf } from '../roles/rules.js'
import { presentUser } from '../users/present.js'
import { hasExpired } from './rules.js'
import type { PublicSignupToken, ServiceSignupToken, SignupTokenRecord } from './schema.js'

type Stored = Frozen<SignupTokenRecord>

/** A token as it is now: whether it is enabled depends on the time. */
export function presentSignupToken(
  token: Stored,
  context: Pick<OperationContext, 'tables' | 'now' | 'baseUrl'>,
  profile: Profile,
): PublicSignupToken {
  const { tables, now, baseUrl } = context
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
    role: presentRole(roleOf(token.role.id, tables)),
  }
}

/** A token as the running service reads it back: its role and its users in brief. */
function presentAsService(...[token, context, profile]: Parameters<typeof presentSignupToken>): ServiceSignupToken {
  const { role, users, ...rest } = presentSignupToken(token, context, profile)
  return {
    ...rest,
    role: { id: role.id, name: role.name, type: role.type },
    users: users.map(({ id, name, username }) => ({ id, name, username })),
  }
}

type Presenter = (...given: Parameters<typeof presentSignupToken>) => unknown

/** A token as it is read back. */
export const presentRead: Readonly<Record<Shapes, Presenter>> = {
  document: presentSignupToken,
  service: presentAsService,
}

/** A token as it is answered to who changes it; the running service knows neither role nor users then. */
export const presentUpdated: Readonly<Record<Shapes, Presenter>> = {
  document: presentSignupToken,
  service: (...given) => ({ ...presentAsService(...given), role: {}, users: [] }),
}

/** The page where somebody signs up by a token. */
export function inviteLink(secret: string, baseUrl: string): string {
  return `${baseUrl}/new-user?invite=${encodeURIComponent(secret)}`
}
