import type { Frozen } from '../../../support/freeze.js'
import { view } from '../../shared/operation.js'
import { presentManagedUser, presentUser } from '../users/present.js'
import { managedUserSchema, type UserRecord, userSchema } from '../users/schema.js'

/** A user who has just signed up. */
export const invitedUserView = view<Frozen<UserRecord>>({
  documented: { schema: userSchema, present: presentUser },
  'unleash-8': { schema: managedUserSchema, present: presentManagedUser },
})
