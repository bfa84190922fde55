import * as z from 'zod'
import { DAY } from '../../support/calendar.js'
import type { Frozen } from '../../support/freeze.js'
import { logEvent } from '../instance/events.operations.js'
import { del, get, operations, post } from '../shared/rows.js'
import { instantSchema } from '../shared/schema.js'
import { type UserRecord, userSchema } from './users.js'
import { findUser, removeUser } from './users.operations.js'

const inactiveUserSchema = userSchema
  .pick({ id: true, name: true, email: true, username: true, seenAt: true, createdAt: true })
  .extend({ patSeenAt: instantSchema.nullable() })
  .meta({ id: 'inactiveUserSchema' })

export const inactiveUsersSchema = z
  .object({ version: z.literal(1), inactiveUsers: z.array(inactiveUserSchema) })
  .meta({ id: 'inactiveUsersSchema' })

export const idsSchema = z.strictObject({ ids: z.array(z.number().min(0)) }).meta({ id: 'idsSchema' })

/** How long users may be away until they count as inactive. */
const INACTIVE_AFTER = 180 * DAY

/** Whether a user neither joined nor signed in for a long time. Service accounts never count as inactive. */
export function isInactive({ accountType, seenAt, createdAt }: Frozen<UserRecord>, now: Date): boolean {
  const isLongAgo = (instant: string) => Date.parse(instant) < now.getTime() - INACTIVE_AFTER
  return accountType === 'User' && isLongAgo(createdAt) && (seenAt === null || isLongAgo(seenAt))
}

const path = '/api/admin/user-admin'
export const inactiveUserOperations = operations('Users', {
  getInactiveUsers: get(`${path}/inactive`, {
    permission: 'ADMIN',
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
      return { body: { version: 1, inactiveUsers } }
    },
  }),

  deleteInactiveUsers: post(`${path}/inactive/delete`, {
    permission: 'ADMIN',
    summary: 'Delete users by their ids, whether they are inactive or not; the calling user stays',
    body: idsSchema,
    success: { status: 200, description: 'Deleted' },
    errors: [404],
    run: ({ body, context }) => {
      for (const id of body.ids) {
        if (id === context.caller.id) continue
        const user = findUser(context.tables, String(id))
        removeUser(context, user)
      }
    },
  }),

  deleteScimUsers: del(`${path}/scim-users`, {
    permission: 'ADMIN',
    summary: 'Delete all users who come from a directory (SCIM)',
    success: { status: 200, description: 'Deleted' },
    run: ({ context }) => {
      const managed = context.tables.users.list().filter(({ scimId }) => scimId !== null)
      for (const user of managed) removeUser(context, user)
      if (managed.length > 0) logEvent(context, { type: 'scim-users-deleted', data: null })
    },
  }),
})
