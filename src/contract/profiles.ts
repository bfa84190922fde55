import type { Profile, ProfileName } from './profile.js'
import { documented } from './profile-documented.js'
import { unleash8 } from './profile-unleash-8.js'

/** The profiles by name. */
export const profiles: Readonly<Record<ProfileName, Profile>> = { documented, 'unleash-8': unleash8 }

/** The profile for the service's own frontend, which asks for what the running service answers. */
export const FRONTEND_PROFILE: ProfileName = 'unleash-8'

/** Whether who is not signed in is told where they can; the service's own frontend needs that. */
export function tellsWhereToSignIn(profile: ProfileName): boolean {
  return profiles[profile].errors.table.authenticationRequired.extra !== undefined
}

/** A profile for a service that lies below a base path: the path by which to sign in, if an error names it, does too. */
export function profileBelow(basePath: string, profile: Profile): Profile {
  const { table } = profile.errors
  const { extra, ...row } = table.authenticationRequired
  if (basePath === '' || typeof extra?.path !== 'string') return profile
  const authenticationRequired = { ...row, extra: { ...extra, path: basePath + extra.path } }
  return { ...profile, errors: { ...profile.errors, table: { ...table, authenticationRequired } } }
}
