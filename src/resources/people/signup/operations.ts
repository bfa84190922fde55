import type { Profile } from '../../../contract/profile.js'
import type { Frozen } from '../../../support/freeze.js'
import { fail, ok } from '../../../support/result.js'
import { logEvent } from '../../instance/events/actions.js'
import type { OperationContext } from '../../shared/context.js'
import { defineOperation, view } from '../../shared/operation.js'
import { isUsable } from '../signup-tokens/rules.js'
import { addUser } from '../users/actions.js'
import { checkLoginIsFree } from '../users/checks.js'
import { presentManagedUser, presentUser } from '../users/present.js'
import { managedUserSchema, type UserRecord, userSchema } from '../users/schema.js'
import { checkInvited, unusableToken } from './checks.js'
import { createInvitedUserSchema } from './schema.js'

const tag = 'Signup'

const invitedUserView = view<Frozen<UserRecord>>({
  documented: { schema: userSchema, present: presentUser },
  'unleash-8': { schema: managedUserSchema, present: presentManagedUser },
})

const validatePublicSignupToken = defineOperation({
  id: 'validatePublicSignupToken',
  method: 'GET',
  path: '/invite/:token/validate',
  summary: 'Whether a user can sign up with a token now',
  tag,
  access: 'public',
  success: { status: 200, description: 'The token is usable' },
  run: ({ params, context, profile }) => {
    const token = findUsableToken(params.token, context, profile)
    return token === undefined ? fail(unusableToken(params.token)) : ok({})
  },
})

const addPublicSignupTokenUser = defineOperation({
  id: 'addPublicSignupTokenUser',
  method: 'POST',
  path: '/invite/:token/signup',
  summary: "Sign up with a token: creates a user with the token's role",
  tag,
  access: 'public',
  body: createInvitedUserSchema,
  success: { status: 201, description: 'The user', view: invitedUserView },
  run: ({ params, body, context, profile }) => {
    const { tables } = context
    const token = findUsableToken(params.token, context, profile)
    if (token === undefined) return fail(unusableToken(params.token))
    const email = body.email.toLowerCase() || null
    const username = body.username ?? null
    const rejection = checkInvited(body, profile) ?? checkLoginIsFree(tables, { email, username })
    if (rejection) return fail(rejection)

    const user = addUser(context, { ...body, email, username, rootRole: token.role.id })
    tables.signupTokens.replace({ ...token, users: [...token.users, { id: user.id }] })
    logEvent(context, {
      type: 'public-signup-token-user-added',
      data: { secret: token.secret, userId: user.id },
    })
    return ok({ body: user })
  },
})

export const signupOperations = [validatePublicSignupToken, addPublicSignupTokenUser] as const

function findUsableToken(secret: string, { tables, now }: OperationContext, profile: Profile) {
  const token = tables.signupTokens.get(secret)
  return token !== undefined && isUsable(token, now, profile.signupTokens.usableUntil) ? token : undefined
}
