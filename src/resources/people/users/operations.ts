import { badData } from '../../../contract/errors.js'
import { fail, ok } from '../../../support/result.js'
import { logEvent } from '../../instance/events/actions.js'
import { defineOperation } from '../../shared/operation.js'
import { createResetLink } from '../login/actions.js'
import { findResetLink } from '../login/lookup.js'
import { linkTo } from '../login/rules.js'
import { findRootRole } from '../roles/lookup.js'
import { presentBriefRole } from '../roles/present.js'
import { addUser, removeUser } from './actions.js'
import { checkLoginIsFree } from './checks.js'
import { findUser } from './lookup.js'
import { presentManagedUser, summarizeUser } from './present.js'
import {
  createUserResponseSchema,
  createUserSchema,
  managedUserSchema,
  updateUserSchema,
  usersSchema,
} from './schema.js'

const tag = 'Users'
const row = { tag, access: 'admin', permission: 'ADMIN' } as const
const path = '/api/admin/user-admin'

const getUsers = defineOperation({
  ...row,
  id: 'getUsers',
  method: 'GET',
  path,
  summary: 'All users, and all root roles',
  success: { status: 200, description: 'The users', schema: usersSchema },
  run: ({ context }) => {
    const { tables } = context
    const rootRoles = tables.roles.list().filter(({ type }) => type === 'root')
    const users = tables.users.list().map((user) => {
      const link = findResetLink(user.id, context)
      return { ...presentManagedUser(user), inviteLink: link === undefined ? '' : linkTo('new-user', link, context) }
    })
    return ok({ body: { users, rootRoles: rootRoles.map(presentBriefRole) } })
  },
})

const getUser = defineOperation({
  ...row,
  id: 'getUser',
  method: 'GET',
  path: `${path}/:id`,
  integers: ['id'],
  summary: 'One user',
  success: { status: 200, description: 'The user', schema: managedUserSchema },
  errors: [404],
  run: ({ params, context }) => {
    const user = findUser(context.tables, params.id)
    return user.ok ? ok({ body: presentManagedUser(user.value) }) : user
  },
})

const createUser = defineOperation({
  ...row,
  id: 'createUser',
  method: 'POST',
  path,
  summary: 'Create a user; no e-mail is sent, but the response contains the link to choose a password',
  body: createUserSchema,
  success: {
    status: 201,
    description: 'The user',
    schema: createUserResponseSchema,
    headers: { location: 'The id of the user' },
  },
  run: ({ body, context }) => {
    const email = body.email?.toLowerCase() || null
    const username = body.username || null
    if (email === null && username === null) return fail(badData('An e-mail or a username is required.', '/body/email'))
    const role = findRootRole(context.tables, body.rootRole)
    if (!role.ok) return role
    const taken = checkLoginIsFree(context.tables, { email, username })
    if (taken) return fail(taken)
    const user = addUser(context, { ...body, name: body.name ?? null, email, username, rootRole: role.value.id })
    return ok({
      headers: { location: String(user.id) },
      body: { ...presentManagedUser(user), inviteLink: createResetLink(user, 'new-user', context), emailSent: false },
    })
  },
})

const updateUser = defineOperation({
  ...row,
  id: 'updateUser',
  method: 'PUT',
  path: `${path}/:id`,
  integers: ['id'],
  summary: 'Change the name, the e-mail or the root role of a user',
  body: updateUserSchema,
  success: { status: 200, description: 'The user as it is now', schema: managedUserSchema },
  errors: [404],
  run: ({ params, body, context }) => {
    const { tables } = context
    const found = findUser(tables, params.id)
    if (!found.ok) return found
    const user = found.value
    const role = findRootRole(tables, body.rootRole ?? user.rootRole)
    if (!role.ok) return role
    const email = body.email?.toLowerCase() || user.email
    const taken = checkLoginIsFree(tables, { email, username: null }, user.id)
    if (taken) return fail(taken)
    const updated = { ...user, name: body.name || user.name, email, rootRole: role.value.id }
    tables.users.replace(updated)
    logEvent(context, { type: 'user-updated', data: summarizeUser(updated), preData: summarizeUser(user) })
    return ok({ body: presentManagedUser(updated) })
  },
})

const deleteUser = defineOperation({
  ...row,
  id: 'deleteUser',
  method: 'DELETE',
  path: `${path}/:id`,
  integers: ['id'],
  summary: 'Delete a user with all of their keys and roles',
  success: { status: 200, description: 'Deleted' },
  errors: [404],
  run: ({ params, context }) => {
    const user = findUser(context.tables, params.id)
    if (!user.ok) return user
    removeUser(context, user.value)
    return ok({})
  },
})

export const userOperations = [getUsers, getUser, createUser, updateUser, deleteUser] as const
