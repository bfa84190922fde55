import type { Profile, ProfileName } from './profile.js'
import { documented } from './profile-documented.js'
import { unleash8 } from './profile-unleash-8.js'

export const profiles: Readonly<Record<ProfileName, Profile>> = { documented, 'unleash-8': unleash8 }

/** The profile for Unleash's own frontend, which expects responses of a running Unleash. */
export const FRONTEND_PROFILE: ProfileName = 'unleash-8'

/** Whether a 401 names the login page. Unleash's own frontend needs it. */
export function tellsWhereToSignIn(profile: ProfileName): boolean {
  return profiles[profile].errors.table.authenticationRequired.extra !== undefined
}

/** A profile for an instance below a base path: a 401 names the login page below that path. */
export function profileBelow(basePath: string, profile: Profile): Profile {
  const { table } = profile.errors
  const { extra, ...row } = table.authenticationRequired
  if (basePath === '' || typeof extra?.path !== 'string') return profile
  const authenticationRequired = { ...row, extra: { ...extra, path: basePath + extra.path } }
  return { ...profile, errors: { ...profile.errors, table: { ...table, authenticationRequired } } }
}

/** Records that Unleash's lists show only in part. */
export interface ListedRecords {
  projects: readonly { id: string; archivedAt: string | null }[]
  environments: readonly { name: string }[]
}

/** The maximum number of names to list one by one. */
const MOST_TOLD = 10

/** The records that a profile's lists leave out, in words. */
export function hiddenIn({ name, projects, users }: Profile, given: ListedRecords): string[] {
  const active = given.projects.filter(({ archivedAt }) => archivedAt === null)
  return [
    ['projects', active.map(({ id }) => id), projects.listed] as const,
    ['environments', given.environments.map((one) => one.name), users.environments] as const,
  ].flatMap(([what, names, listed = names]) => {
    const hidden = names.filter((one) => !listed.includes(one))
    const more = hidden.length > MOST_TOLD ? ` and ${hidden.length - MOST_TOLD} more` : ''
    const shown = `${hidden.slice(0, MOST_TOLD).join(', ')}${more}`
    return hidden.length === 0
      ? []
      : [`With the profile ${name}, lists of ${what} leave out ${shown}, as Unleash does.`]
  })
}
