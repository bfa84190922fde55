import { ok } from '../../../support/result.js'
import { logEvent } from '../../instance/events/actions.js'
import { defineOperation } from '../../shared/operation.js'
import { removeUser } from '../users/actions.js'
import { findUser } from '../users/lookup.js'
import { isInactive } from './rules.js'
import { idsSchema, inactiveUsersSchema } from './schema.js'

const row = { tag: 'Users', permission: 'ADMIN' } as const
const path = '/api/admin/user-admin'

const getInactiveUsers = defineOperation({
  ...row,
  id: 'getInactiveUsers',
  method: 'GET',
  path: `${path}/inactive`,
  summary: 'The users who neither joined nor signed in for 180 days',
  success: { status: 200, description: 'The users', schema: inactiveUsersSchema },
  run: ({ context: { tables, now } }) => {
    const inactive = tables.users.list().filter((user) => isInactive(user, now))
    const inactiveUsers = inactive.map(({ id, name, email, username, seenAt, createdAt }) => ({
      id,
      name,
      ...(email === null ? {} : { email }),
      username,
      seenAt,
      createdAt,
      patSeenAt: null,
    }))
    return ok({ body: { version: 1, inactiveUsers } })
  },
})

const deleteInactiveUsers = defineOperation({
  ...row,
  id: 'deleteInactiveUsers',
  method: 'POST',
  path: `${path}/inactive/delete`,
  summary: 'Delete users by their ids, whether they are inactive or not; the calling user stays',
  body: idsSchema,
  success: { status: 200, description: 'Deleted' },
  errors: [404],
  run: ({ body, context }) => {
    for (const id of body.ids) {
      if (id === context.caller.id) continue
      const user = findUser(context.tables, String(id))
      if (!user.ok) return user
      removeUser(context, user.value)
    }
    return ok({})
  },
})

const deleteScimUsers = defineOperation({
  ...row,
  id: 'deleteScimUsers',
  method: 'DELETE',
  path: `${path}/scim-users`,
  summary: 'Delete all users who come from a directory (SCIM)',
  success: { status: 200, description: 'Deleted' },
  run: ({ context }) => {
    const managed = context.tables.users.list().filter(({ scimId }) => scimId !== null)
    for (const user of managed) removeUser(context, user)
    if (managed.length > 0) logEvent(context, { type: 'scim-users-deleted', data: null })
    return ok({})
  },
})

export const inactiveUserOperations = [getInactiveUsers, deleteInactiveUsers, deleteScimUsers] as const
