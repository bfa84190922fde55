import { get, operations } from '../shared/rows.js'
import { isAdmin } from './roles.model.js'
import {
  adminCountSchema,
  presentBriefAccount,
  presentCandidate,
  usersAndGroupsSchema,
  usersQuerySchema,
  usersSearchSchema,
} from './users.js'

const path = '/api/admin/user-admin'

/** The minimum length of a search text: a shorter one finds no users. */
const SHORTEST_QUERY = 2
export const userSearchOperations = operations('Users', {
  searchUsers: get(`${path}/search`, {
    summary: 'Users whose name, username or e-mail contains a text',
    query: usersQuerySchema,
    success: { status: 200, description: 'The users', schema: usersSearchSchema },
    run: ({ query: { q = '' }, context }) => {
      const text = q.trim().toLowerCase()
      const found = context.tables.users
        .list()
        .filter(({ name, username, email }) => [name, username, email].some((it) => it?.toLowerCase().includes(text)))
      return { body: text.length < SHORTEST_QUERY ? [] : found.map(presentBriefAccount) }
    },
  }),

  getBaseUsersAndGroups: get(`${path}/access`, {
    summary: 'All users and groups that can be given access; there are no groups',
    success: { status: 200, description: 'Users and groups', schema: usersAndGroupsSchema },
    run: ({ context }) => ({ body: { users: context.tables.users.list().map(presentCandidate), groups: [] } }),
  }),

  getAdminCount: get(`${path}/admin-count`, {
    summary: 'The number of admins with and without a password',
    permission: 'ADMIN',
    success: { status: 200, description: 'The numbers', schema: adminCountSchema },
    run: ({ context: { tables } }) => {
      const admins = tables.users.list().filter((user) => isAdmin(user, tables))
      const password = admins.filter(({ passwordHash }) => passwordHash !== null).length
      return { body: { password, noPassword: admins.length - password, service: 0 } }
    },
  }),
})
