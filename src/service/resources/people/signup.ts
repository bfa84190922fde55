import * as z from 'zod'
import { badData, type Failure, failureAt, reject } from '../../contract/errors.js'
import type { Profile } from '../../contract/profile.js'
import { secret } from '../../contract/secrets.js'
import { logEvent } from '../instance/events.operations.js'
import type { OperationContext } from '../shared/context.js'
import { get, operations, post, view } from '../shared/rows.js'
import { namedStrict, ruledText } from '../shared/schema.js'
import { checkEmail, emailAddressSchema } from './email.js'
import { isUsable } from './signup-tokens.js'
import { managedUserSchema, presentManagedUser, presentUser, type StoredUser, userSchema } from './users.js'
import { addUser, checkLengths, checkLoginIsFree, LONGEST_TEXT, lengthFault, shortText } from './users.operations.js'

function nameFault(name: string): string | undefined {
  return name === '' ? 'must not be empty' : lengthFault(name)
}

/** A user who signs up. */
export const createInvitedUserSchema = namedStrict('createInvitedUserSchema', () => ({
  email: emailAddressSchema,
  name: ruledText(nameFault).meta({ maxLength: LONGEST_TEXT }),
  password: secret(z.string()),
  username: shortText.optional(),
}))

type CreateInvitedUser = z.infer<typeof createInvitedUserSchema>

/** Fails if a user can't sign up with an email address or a name. */
function checkInvited({ email, name, username }: CreateInvitedUser, profile: Profile): Failure | undefined {
  if (email === '' && !username) return badData('An e-mail or a username is required.', '/body/email')
  if (name === '') return badData('The "value" of "name" must not be empty.', '/body/name')
  return checkEmail(email, profile) ?? checkLengths({ name, username })
}

const invitedUserView = view<StoredUser>({
  documented: { schema: userSchema, present: presentUser },
  'unleash-8': { schema: managedUserSchema, present: presentManagedUser },
})
export const signupOperations = operations('Signup', {
  validatePublicSignupToken: get('/invite/:token/validate', {
    summary: 'Check whether a user can sign up with a token now',
    access: 'public',
    secretParams: ['token'],
    success: { status: 200, description: 'The token is usable' },
    errors: [],
    bodiless: ['unusableToken'],
    run: ({ params, context, profile }) => {
      findUsableToken(params.token, context, profile)
    },
  }),

  addPublicSignupTokenUser: post('/invite/:token/signup', {
    summary: "Sign up with a token: creates a user with the token's role",
    access: 'public',
    secretParams: ['token'],
    body: createInvitedUserSchema,
    success: { status: 201, description: 'The user', view: invitedUserView },
    errors: [],
    bodiless: ['unusableToken'],
    run: ({ params, body, context, profile, tables }) => {
      const token = findUsableToken(params.token, context, profile)
      const email = body.email.toLowerCase() || null
      const username = body.username ?? null
      reject(checkInvited(body, profile) ?? checkLoginIsFree(tables, { email, username }))

      const user = addUser(context, { ...body, email, username, rootRole: token.role.id })
      tables.signupTokens.replace({ ...token, users: [...token.users, { id: user.id }] })
      const data = { secret: token.secret, userId: user.id }
      logEvent(context, { type: 'public-signup-token-user-added', data })
      return { body: user }
    },
  }),
})

/** The token, if users can sign up with it now; otherwise a 400. */
function findUsableToken(secret: string, { tables, now }: OperationContext, profile: Profile) {
  const token = tables.signupTokens.get(secret)
  if (token !== undefined && isUsable(token, now, profile.signupTokens.usableUntil)) return token
  const message = `The signup token "${secret}" can't be used: it is unknown, disabled or expired.`
  return reject(failureAt('unusableToken', message, '/params/token'))
}
