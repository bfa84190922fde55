import type { Failure } from '../../../contract/errors.js'
import type { Profile } from '../../../contract/profile.js'
import { fail, ok } from '../../../support/result.js'
import { logEvent } from '../../instance/events/actions.js'
import type { OperationContext } from '../../shared/context.js'
import { defineOperation } from '../../shared/operation.js'
import { isUsable } from '../signup-tokens/rules.js'
import { addUser } from '../users/create.js'
import { takenLogin } from '../users/lookup.js'
import { presentInvited } from '../users/present.js'
import { invitedUserSchema, userSchema } from '../users/schema.js'
import { checkInvited, createInvitedUserSchema } from './checks.js'

const tag = 'Signup'

const validatePublicSignupToken = defineOperation({
  id: 'validatePublicSignupToken',
  method: 'GET',
  path: '/invite/:token/validate',
  summary: 'Whether somebody can sign up by a token now',
  tag,
  access: 'public',
  success: { status: 200, description: 'The token is usable' },
  errors: [],
  run: ({ params, context, profile }) => {
    const token = usableToken(params.token, context, profile)
    return token === undefined ? fail(unusable(params.token)) : ok({})
  },
})

const addPublicSignupTokenUser = defineOperation({
  id: 'addPublicSignupTokenUser',
  method: 'POST',
  path: '/invite/:token/signup',
  summary: "Sign up by a token: makes a user with the token's role",
  tag,
  access: 'public',
  body: createInvitedUserSchema,
  success: {
    status: 201,
    description: 'The user',
    schema: { document: userSchema, service: invitedUserSchema },
  },
  errors: [],
  run: ({ params, body, context, profile }) => {
    const { tables } = context
    const token = usableToken(params.token, context, profile)
    if (token === undefined) return fail(unusable(params.token))
    const unsound = checkInvited(body, profile)
    if (unsound) return fail(unsound)
    const email = body.email.toLowerCase() || null
    const username = body.username ?? null
    const taken = takenLogin(tables, { email, username })
    if (taken) return fail(taken)

    const user = addUser(context, { ...body, email, username, rootRole: token.role.id })
    tables.signupTokens.replace({ ...token, users: [...token.users, { id: user.id }] })
    logEvent(context, {
      type: 'public-signup-token-user-added',
      data: { secret: token.secret, userId: user.id },
    })
    return ok({ body: presentInvited[profile.shapes](user) })
  },
})

export const signupOperations = [validatePublicSignupToken, addPublicSignupTokenUser] as const

function usableToken(secret: string, { tables, now }: OperationContext, profile: Profile) {
  const token = tables.signupTokens.get(secret)
  return token !== undefined && isUsable(token, now, profile.signupTokens.usableUntil) ? token : undefined
}

function unusable(secret: string): Failure {
  const message = `The signup token "${secret}" can't be used: it is unknown, disabled or expired.`
  return { kind: 'unusableToken', message, details: [{ message, path: '/params/token' }] }
}
