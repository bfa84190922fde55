import * as z from 'zod'
import { apiTokenFixtureSchema, completeApiToken } from '../resources/api-tokens/fixture.js'
import type { ApiTokenRecord } from '../resources/api-tokens/schema.js'
import { completeEnvironment, environmentFixtureSchema } from '../resources/environments/fixture.js'
import type { EnvironmentRecord } from '../resources/environments/schema.js'
import { completeEvent, eventFixtureSchema } from '../resources/events/fixture.js'
import type { EventRecord } from '../resources/events/schema.js'
import { completeFeature, featureFixtureSchema } from '../resources/features/fixture.js'
import type { FeatureRecord } from '../resources/features/schema.js'
import {
  completeLogin,
  completeResetToken,
  loginFixtureSchema,
  resetTokenFixtureSchema,
} from '../resources/login/fixture.js'
import type { LoginRecord, ResetTokenRecord } from '../resources/login/schema.js'
import { completeSetting, settingFixtureSchema } from '../resources/maintenance/fixture.js'
import type { SettingRecord } from '../resources/maintenance/schema.js'
import { completeProject, projectFixtureSchema } from '../resources/projects/fixture.js'
import type { ProjectRecord } from '../resources/projects/schema.js'
import { completeRole, roleFixtureSchema } from '../resources/roles/fixture.js'
import type { RoleRecord } from '../resources/roles/schema.js'
import { completeSignupToken, signupTokenFixtureSchema } from '../resources/signup-tokens/fixture.js'
import type { PublicSignupToken, SignupTokenRecord } from '../resources/signup-tokens/schema.js'
import { completeUser, userFixtureSchema } from '../resources/users/fixture.js'
import type { UserRecord } from '../resources/users/schema.js'

/** What a fixture file holds, and what `add` and `restore` take: any of the lists, each entry as short as it likes. */
export const stateSchema = z
  .strictObject({
    $schema: z.string().optional(),
    version: z.literal(1).optional(),
    projects: z.array(projectFixtureSchema).optional(),
    environments: z.array(environmentFixtureSchema).optional(),
    features: z.array(featureFixtureSchema).optional(),
    signupTokens: z.array(signupTokenFixtureSchema).optional(),
    users: z.array(userFixtureSchema).optional(),
    roles: z.array(roleFixtureSchema).optional(),
    apiTokens: z.array(apiTokenFixtureSchema).optional(),
    logins: z.array(loginFixtureSchema).optional(),
    resetTokens: z.array(resetTokenFixtureSchema).optional(),
    settings: z.array(settingFixtureSchema).optional(),
    events: z.array(eventFixtureSchema).optional(),
  })
  .meta({ id: 'state', description: 'Sample state: any of the lists may be left out' })

/** Sample state as people write it. */
export type PartialState = z.input<typeof stateSchema>

/** A snapshot: every list, every field. The same shape as a fixture. */
export interface State {
  version: 1
  projects: ProjectRecord[]
  environments: EnvironmentRecord[]
  features: FeatureRecord[]
  signupTokens: (Omit<SignupTokenRecord, 'users' | 'role'> & {
    users: { id: number; name: string | null; username: string | null }[]
    role: PublicSignupToken['role']
  })[]
  users: UserRecord[]
  roles: RoleRecord[]
  apiTokens: ApiTokenRecord[]
  logins: LoginRecord[]
  resetTokens: ResetTokenRecord[]
  settings: SettingRecord[]
  events: EventRecord[]
}

/** For each list of the state, how an entry becomes a record. In an order in which each comes after what it needs. */
export const completions = {
  environments: completeEnvironment,
  projects: completeProject,
  roles: completeRole,
  users: completeUser,
  apiTokens: completeApiToken,
  logins: completeLogin,
  resetTokens: completeResetToken,
  settings: completeSetting,
  features: completeFeature,
  signupTokens: completeSignupToken,
  events: completeEvent,
} as const
