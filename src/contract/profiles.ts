import type { Profile, ProfileName } from './profile.js'
import { documented } from './profile-documented.js'
import { unleash8 } from './profile-unleash-8.js'

/** The profiles by name. */
export const profiles: Readonly<Record<ProfileName, Profile>> = { documented, 'unleash-8': unleash8 }
