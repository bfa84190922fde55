import * as z from 'zod'
import { DAY } from '../../../support/calendar.js'
import { beginsWith } from '../../../support/text.js'
import { badData, type Failure, found, reject } from '../../contract/errors.js'
import { secret } from '../../contract/secrets.js'
import { favoriteKey } from '../flags/favorites.js'
import { logEvent } from '../instance/events.operations.js'
import type { OperationContext, Tables } from '../shared/context.js'
import { completed } from '../shared/fields.js'
import { nextId, retireId } from '../shared/lookup.js'
import { pick } from '../shared/pick.js'
import { created, del, get, ok, operations, post, put } from '../shared/rows.js'
import { instantSchema, named, namedStrict, ruledText, versioned } from '../shared/schema.js'
import { checkEmail, emailAddressSchema } from './email.js'
import { linkTo } from './login.js'
import {
  createResetLink,
  findResetLink,
  mailResetLink,
  removeResetLinks,
  renameLogins,
  signOutEverywhere,
} from './login.model.js'
import { checkStrength, hashPassword } from './passwords.js'
import { briefRoleSchema, presentBriefRole } from './roles.js'
import { findRootRole, isAdmin } from './roles.model.js'
import {
  accountSchema,
  actorOf,
  briefAccountSchema,
  givenPasswordSchema,
  inBrief,
  inFull,
  managedUserSchema,
  presentManagedUser,
  type StoredUser,
  summarizeUser,
  type UserRecord,
  userRecordSchema,
  userSchema,
  withPassword,
} from './users.js'

/** The maximum length of the texts about a user, other than the e-mail address. */
export const LONGEST_TEXT = 255

export function lengthFault(text: string): string | undefined {
  return text.length > LONGEST_TEXT ? `must not be longer than ${LONGEST_TEXT} characters` : undefined
}

export const shortText = ruledText(lengthFault).meta({ maxLength: LONGEST_TEXT })

/** Fails if a text is too long to be stored. */
export function checkLengths(texts: { name?: string | undefined; username?: string | undefined }): Failure | undefined {
  const faults = Object.entries(texts).map(([name, text = '']) => ({ name, fault: lengthFault(text) }))
  const found = faults.find(({ fault }) => fault !== undefined)
  return found && badData(`The property "${found.name}" ${found.fault}.`, `/body/${found.name}`)
}

/** The names by which a request can give a role. */
const NAMED_ROLES = ['Admin', 'Editor', 'Viewer', 'Owner', 'Member', 'Reader'] as const

const rootRoleSchema = z.union([z.int().min(0, { error: 'must be 0 or more', abort: true }), z.enum(NAMED_ROLES)])

const optionalEmailSchema = emailAddressSchema.meta({ format: 'email' }).optional()

const listedUserSchema = named(
  'listedUserSchema',
  () => managedUserSchema.extend({ inviteLink: secret(z.string()) }).shape,
)

const usersSchema = named('usersSchema', () => ({
  users: z.array(listedUserSchema),
  rootRoles: z.array(briefRoleSchema),
}))

/** A user after an update. The response repeats the role as sent. */
const updatedUserSchema = named(
  'updatedUserSchema',
  () => managedUserSchema.extend({ rootRole: rootRoleSchema.optional() }).shape,
)

const createUserResponseSchema = named(
  'createUserResponseSchema',
  () =>
    managedUserSchema.extend({ rootRole: rootRoleSchema, inviteLink: secret(z.string()), emailSent: z.boolean() })
      .shape,
)

const foundUserSchema = accountSchema.omit({ loginAttempts: true, createdAt: true })

const presentFoundUser = pick(foundUserSchema, inFull)

const candidateSchema = briefAccountSchema.pick({
  id: true,
  name: true,
  username: true,
  email: true,
  accountType: true,
})

const usersAndGroupsSchema = named('usersAndGroupsSchema', () => ({
  users: z.array(candidateSchema),
  groups: z.array(z.never()),
}))

/** A user for the list of users who can get access. */
const presentCandidate = pick(candidateSchema, inBrief)

function findUser(tables: Tables, id: string): StoredUser {
  return found(tables.users.get(Number(id)), () => `There is no user with the id "${id}".`)
}

/** The user with this username or email address. */
export function findByLogin(tables: Tables, name: string): StoredUser | undefined {
  return tables.users.by('username', name)[0] ?? tables.users.by('email', name.toLowerCase())[0]
}

/** Fails if another user has this email address or username. */
export function checkLoginIsFree(
  tables: Tables,
  { email, username }: { email: string | null; username: string | null },
  except?: number,
): Failure | undefined {
  const taken = (index: 'email' | 'username', word: string, value: string | null) =>
    value && tables.users.by(index, value).some(({ id }) => id !== except)
      ? badData(`A user with the ${word} "${value}" already exists.`, `/body/${index}`)
      : undefined
  return taken('email', 'e-mail', email) ?? taken('username', 'username', username)
}

/** Creates a user and logs the event. Without a password, the user can't sign in yet. */
export function addUser(
  context: OperationContext,
  given: Pick<UserRecord, 'name' | 'email' | 'username' | 'rootRole'> & { password?: string | undefined },
): UserRecord {
  const { name, email, username, rootRole, password } = given
  const id = nextId(context.tables, 'users')
  const passwordHash = password ? hashPassword(password, context.ids.hex(8)) : null
  const user = completed(userRecordSchema, { id, name, email, username, passwordHash }, context, { rootRole })
  context.tables.users.insert(user)
  logEvent(context, { type: 'user-created', data: summarizeUser(user) })
  return user
}

/** Removes users with all references to them: logins, personal tokens, project roles, favorites, entries in signup tokens. */
/** Gives the features and the signup tokens of a user the user's new name. */
function renameUser({ features, signupTokens }: Tables, user: StoredUser): void {
  const { id, name, username } = user
  const actor = actorOf(user)
  const renamed = <One extends { id: number }>(one: One): One => (one.id === id ? { ...one, ...actor } : one)
  for (const feature of features.list()) {
    const { createdBy, collaborators } = feature
    const users = collaborators.users.map(renamed)
    if (createdBy.id !== id && users.every((one, index) => one === collaborators.users[index])) continue
    features.replace({ ...feature, createdBy: renamed(createdBy), collaborators: { users } })
  }
  for (const token of signupTokens.list()) {
    if (!token.users.some((one) => one.id === id)) continue
    signupTokens.replace({ ...token, users: token.users.map((one) => (one.id === id ? { id, name, username } : one)) })
  }
}

function removeUsers(context: OperationContext, users: readonly StoredUser[]): undefined {
  const { tables } = context
  const removed = new Set(users.map(({ id }) => id))
  const isOther = ({ id }: { id: number }) => !removed.has(id)
  for (const id of removed) {
    removeResetLinks(tables, id)
    for (const { secret } of tables.apiTokens.by('user', id)) tables.apiTokens.remove(secret)
  }
  for (const project of tables.projects.list()) {
    const members = project.members.filter(isOther)
    if (members.length < project.members.length) tables.projects.replace({ ...project, members })
  }
  for (const token of tables.signupTokens.list()) {
    const users = token.users.filter(isOther)
    if (users.length < token.users.length) tables.signupTokens.replace({ ...token, users })
  }
  for (const favorite of tables.favorites.list()) {
    if (removed.has(favorite.userId)) tables.favorites.remove(favoriteKey(favorite))
  }
  for (const user of users) {
    tables.users.remove(user.id)
    retireId(tables, 'users', user.id)
    logEvent(context, { type: 'user-deleted', data: null, preData: summarizeUser(user) })
  }
}

const inactiveUserSchema = named(
  'inactiveUserSchema',
  () =>
    userSchema
      .pick({ id: true, name: true, email: true, username: true, seenAt: true, createdAt: true })
      .extend({ patSeenAt: instantSchema.nullable() }).shape,
)

const presentInactive = pick(inactiveUserSchema, (_: StoredUser) => ({ patSeenAt: null }))

/** The time after which an absent user counts as inactive. */
const INACTIVE_AFTER = 180 * DAY

/** The minimum length of a search text: shorter texts find no users. */
const SHORTEST_QUERY = 2

/** A role as sent and as repeated in responses: its ID as a number, or its name. */
function roleAsSent(role: number | string): number | string {
  return Number.isInteger(Number(role)) ? Number(role) : role
}

const path = '/api/admin/user-admin'
export const userOperations = operations('Users', {
  getUsers: get(path, {
    permission: 'ADMIN',
    summary: 'List the users and the root roles',
    success: ok('The users', usersSchema),
    run: ({ context, tables }) => {
      const rootRoles = tables.roles.list().filter(({ type }) => type === 'root')
      const users = tables.users.list().map((user) => {
        const link = findResetLink(user.id, context)
        return { ...presentManagedUser(user), inviteLink: link === undefined ? '' : linkTo('new-user', link, context) }
      })
      return { body: { users, rootRoles: rootRoles.map(presentBriefRole) } }
    },
  }),

  getUser: get(`${path}/:id`, {
    permission: 'ADMIN',
    integers: ['id'],
    summary: 'Get a user',
    success: ok('The user', managedUserSchema),
    run: ({ params, context }) => ({ body: presentManagedUser(findUser(context.tables, params.id)) }),
  }),

  createUser: post(path, {
    permission: 'ADMIN',
    summary: 'Create a user; no e-mail is sent, but the response contains the link to set a password',
    body: namedStrict('createUserSchema', () => ({
      username: shortText.optional(),
      email: optionalEmailSchema,
      name: shortText.optional(),
      password: secret(z.string()).optional(),
      rootRole: rootRoleSchema,
      sendEmail: z.boolean().optional(),
    })),
    success: created('The user', createUserResponseSchema, 'The id of the user'),
    run: ({ body, context, profile }) => {
      const email = body.email?.toLowerCase() || null
      const username = body.username || null
      if (email === null && username === null) reject(badData('An e-mail or a username is required.', '/body/email'))
      if (body.name === '') reject(badData('The "value" of "name" must not be empty.', '/body/name'))
      reject(checkEmail(body.email ?? '', profile))
      const sentRole = roleAsSent(body.rootRole)
      const role = findRootRole(context.tables, sentRole)
      reject(checkLoginIsFree(context.tables, { email, username }))
      reject(checkLengths({ name: body.name, username: body.username }))
      const user = addUser(context, { ...body, name: body.name ?? null, email, username, rootRole: role.id })
      return {
        headers: { location: String(user.id) },
        body: {
          ...presentManagedUser(user),
          inviteLink: createResetLink(user, 'new-user', context),
          emailSent: false,
          rootRole: sentRole,
        },
      }
    },
  }),

  updateUser: put(`${path}/:id`, {
    permission: 'ADMIN',
    integers: ['id'],
    summary: 'Change the name, the e-mail or the root role of a user',
    body: named('updateUserSchema', () => ({
      email: optionalEmailSchema,
      name: shortText.optional(),
      rootRole: rootRoleSchema.optional(),
    })),
    success: ok('The updated user', updatedUserSchema),
    run: ({ params, body, context, tables, profile }) => {
      const user = findUser(tables, params.id)
      reject(checkEmail(body.email ?? '', profile))
      const sentRole = body.rootRole === undefined ? undefined : roleAsSent(body.rootRole)
      const role = findRootRole(tables, sentRole || user.rootRole)
      const email = body.email?.toLowerCase() || user.email
      reject(checkLoginIsFree(tables, { email, username: null }, user.id))
      reject(checkLengths({ name: body.name }))
      const updated = { ...user, name: body.name || user.name, email, rootRole: role.id }
      tables.users.replace(updated)
      renameLogins(context, user, updated)
      renameUser(tables, updated)
      logEvent(context, { type: 'user-updated', data: summarizeUser(updated), preData: summarizeUser(user) })
      return { body: { ...presentManagedUser(updated), rootRole: sentRole } }
    },
  }),

  deleteUser: del(`${path}/:id`, {
    permission: 'ADMIN',
    integers: ['id'],
    summary: 'Delete a user, including all API tokens and roles',
    success: { status: 200, description: 'Deleted' },
    run: ({ params, context }) => removeUsers(context, [findUser(context.tables, params.id)]),
  }),

  searchUsers: get(`${path}/search`, {
    summary: 'Find the users whose name contains a string, or whose username or e-mail begins with it',
    query: z.object({ q: z.string().optional() }),
    success: ok('The users', z.array(foundUserSchema).meta({ id: 'usersSearchSchema' })),
    run: ({ query: { q = '' }, context }) => {
      const found = context.tables.users
        .list()
        .filter(
          ({ name, username, email }) =>
            (name !== null && beginsWith(name, `%${q}`)) ||
            [username, email].some((text) => text !== null && beginsWith(text, q)),
        )
      return { body: q.length < SHORTEST_QUERY ? [] : found.map(presentFoundUser) }
    },
  }),

  getBaseUsersAndGroups: get(`${path}/access`, {
    summary: "List the users and groups that can get access; groups aren't modelled, so the list has none",
    success: ok('Users and groups', usersAndGroupsSchema),
    run: ({ context }) => ({ body: { users: context.tables.users.list().map(presentCandidate), groups: [] } }),
  }),

  getAdminCount: get(`${path}/admin-count`, {
    summary: 'Count the admins with and without a password',
    permission: 'ADMIN',
    success: ok(
      'The numbers',
      named('adminCountSchema', () => ({ password: z.int(), noPassword: z.int(), service: z.int() })),
    ),
    run: ({ tables }) => {
      const admins = tables.users.list().filter((user) => isAdmin(user, tables))
      const password = admins.filter(({ passwordHash }) => passwordHash !== null).length
      return { body: { password, noPassword: admins.length - password, service: 0 } }
    },
  }),

  validateUserPassword: post(`${path}/validate-password`, {
    summary: 'Check whether a password for a user is strong enough',
    body: givenPasswordSchema,
    success: { status: 200, description: 'The password is strong enough' },
    run: ({ body }) => reject(checkStrength(body.password)),
  }),

  changeUserPassword: post(`${path}/:id/change-password`, {
    integers: ['id'],
    summary: 'Set the password of a user; ends all their logins',
    permission: 'ADMIN',
    body: givenPasswordSchema,
    success: { status: 200, description: 'Done' },
    run: ({ params, body, context }) => {
      const { tables, ids } = context
      reject(checkStrength(body.password))
      const user = findUser(tables, params.id)
      signOutEverywhere(context, user.id)
      tables.users.replace(withPassword(user, body.password, ids.hex(8)))
    },
  }),

  resetUserPassword: post(`${path}/reset-password`, {
    summary: 'Create a link with which a user sets a new password',
    permission: 'ADMIN',
    body: namedStrict('userIdSchema', () => ({ id: z.string().meta({ description: 'The e-mail address' }) })),
    success: ok(
      'The link',
      named('resetPasswordLinkSchema', () => ({ resetPasswordUrl: secret(z.string()) })),
    ),
    errors: [404, 429],
    run: ({ body, context, profile, tables }) => {
      const [named] = tables.users.by('email', body.id.toLowerCase())
      const user = found(named, () => `There is no user with the e-mail address "${body.id}".`)
      return { body: { resetPasswordUrl: mailResetLink(user, context, profile) } }
    },
  }),

  getInactiveUsers: get(`${path}/inactive`, {
    permission: 'ADMIN',
    summary: 'List the users who neither joined nor signed in for 180 days',
    success: ok(
      'The users',
      versioned('inactiveUsersSchema', () => ({ inactiveUsers: z.array(inactiveUserSchema) })),
    ),
    run: ({ context: { tables, now } }) => {
      const isLongAgo = (instant: string) => Date.parse(instant) < now.getTime() - INACTIVE_AFTER
      const inactive = tables.users.list().filter(
        ({ accountType, seenAt, createdAt }) =>
          // Service accounts never count as inactive.
          accountType === 'User' && isLongAgo(createdAt) && (seenAt === null || isLongAgo(seenAt)),
      )
      return { body: { version: 1, inactiveUsers: inactive.map(presentInactive) } }
    },
  }),

  deleteInactiveUsers: post(`${path}/inactive/delete`, {
    permission: 'ADMIN',
    summary: 'Delete users by their ids, inactive or not; the calling user stays',
    body: namedStrict('idsSchema', () => ({ ids: z.array(z.number().min(0)) })),
    success: { status: 200, description: 'Deleted' },
    errors: [404],
    run: ({ body, context }) => {
      const others = [...new Set(body.ids)].filter((id) => id !== context.caller.id)
      removeUsers(
        context,
        others.map((id) => findUser(context.tables, String(id))),
      )
    },
  }),

  deleteScimUsers: del(`${path}/scim-users`, {
    permission: 'ADMIN',
    summary: 'Delete all users who come from a directory (SCIM)',
    success: { status: 200, description: 'Deleted' },
    run: ({ context }) => {
      const managed = context.tables.users.list().filter(({ scimId }) => scimId !== null)
      removeUsers(context, managed)
      if (managed.length > 0) logEvent(context, { type: 'scim-users-deleted', data: null })
    },
  }),
})
