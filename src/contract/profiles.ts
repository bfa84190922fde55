import type { Profile, ProfileName } from './profile.js'
import { documented } from './profile-documented.js'
import { unleash8 } from './profile-unleash-8.js'

export const profiles: Readonly<Record<ProfileName, Profile>> = { documented, 'unleash-8': unleash8 }

/** The profile for the service's own frontend, which expects the running service's responses. */
export const FRONTEND_PROFILE: ProfileName = 'unleash-8'

/** Whether a 401 names the login page. The service's own frontend needs that. */
export function tellsWhereToSignIn(profile: ProfileName): boolean {
  return profiles[profile].errors.table.authenticationRequired.extra !== undefined
}

/** A profile for a service below a base path: the login page that a 401 names is below it, too. */
export function profileBelow(basePath: string, profile: Profile): Profile {
  const { table } = profile.errors
  const { extra, ...row } = table.authenticationRequired
  if (basePath === '' || typeof extra?.path !== 'string') return profile
  const authenticationRequired = { ...row, extra: { ...extra, path: basePath + extra.path } }
  return { ...profile, errors: { ...profile.errors, table: { ...table, authenticationRequired } } }
}
