import { ok } from '../../../support/result.js'
import { defineOperation } from '../../shared/operation.js'
import { isAdmin } from '../roles/lookup.js'
import { presentBriefAccount, presentCandidate } from '../users/present.js'
import { adminCountSchema, usersAndGroupsSchema, usersQuerySchema, usersSearchSchema } from '../users/schema.js'

const tag = 'Users'
const path = '/api/admin/user-admin'

/** The minimum length of a search text: a shorter one finds no users. */
const SHORTEST_QUERY = 2

const searchUsers = defineOperation({
  id: 'searchUsers',
  method: 'GET',
  path: `${path}/search`,
  summary: 'Users whose name, username or e-mail contains a text',
  tag,
  query: usersQuerySchema,
  success: { status: 200, description: 'The users', schema: usersSearchSchema },
  run: ({ query: { q = '' }, context }) => {
    const text = q.trim().toLowerCase()
    const found = context.tables.users
      .list()
      .filter(({ name, username, email }) => [name, username, email].some((it) => it?.toLowerCase().includes(text)))
    return ok({ body: text.length < SHORTEST_QUERY ? [] : found.map(presentBriefAccount) })
  },
})

const getBaseUsersAndGroups = defineOperation({
  id: 'getBaseUsersAndGroups',
  method: 'GET',
  path: `${path}/access`,
  summary: 'All users and groups that can be given access; there are no groups',
  tag,
  success: { status: 200, description: 'Users and groups', schema: usersAndGroupsSchema },
  run: ({ context }) => ok({ body: { users: context.tables.users.list().map(presentCandidate), groups: [] } }),
})

const getAdminCount = defineOperation({
  id: 'getAdminCount',
  method: 'GET',
  path: `${path}/admin-count`,
  summary: 'The number of admins with and without a password',
  tag,
  permission: 'ADMIN',
  success: { status: 200, description: 'The numbers', schema: adminCountSchema },
  run: ({ context: { tables } }) => {
    const admins = tables.users.list().filter((user) => isAdmin(user, tables))
    const password = admins.filter(({ passwordHash }) => passwordHash !== null).length
    return ok({ body: { password, noPassword: admins.length - password, service: 0 } })
  },
})

export const userSearchOperations = [searchUsers, getBaseUsersAndGroups, getAdminCount] as const
