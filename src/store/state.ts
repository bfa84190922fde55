import * as z from 'zod'
import { apiTokenFixtureSchema, completeApiToken } from '../resources/api-tokens/fixture.js'
import { clientInstanceFixtureSchema, completeClientInstance } from '../resources/client-instances/fixture.js'
import { clientMetricsFixtureSchema, completeClientMetrics } from '../resources/client-metrics/fixture.js'
import { completeContextField, contextFieldFixtureSchema } from '../resources/context-fields/fixture.js'
import { completeEnvironment, environmentFixtureSchema } from '../resources/environments/fixture.js'
import { completeEvent, eventFixtureSchema } from '../resources/events/fixture.js'
import type { EventRecord } from '../resources/events/schema.js'
import { completeFavorite, favoriteFixtureSchema } from '../resources/favorites/fixture.js'
import { completeFeatureType, featureTypeFixtureSchema } from '../resources/feature-types/fixture.js'
import { completeFeature, featureFixtureSchema } from '../resources/features/fixture.js'
import {
  completeLogin,
  completeResetToken,
  loginFixtureSchema,
  resetTokenFixtureSchema,
} from '../resources/login/fixture.js'
import { completeSetting, settingFixtureSchema } from '../resources/maintenance/fixture.js'
import { completeProject, projectFixtureSchema } from '../resources/projects/fixture.js'
import { completeRole, roleFixtureSchema } from '../resources/roles/fixture.js'
import { completeSegment, segmentFixtureSchema } from '../resources/segments/fixture.js'
import { completeSignupToken, signupTokenFixtureSchema } from '../resources/signup-tokens/fixture.js'
import type { PublicSignupToken, SignupTokenRecord } from '../resources/signup-tokens/schema.js'
import { completeStrategyType, strategyTypeFixtureSchema } from '../resources/strategy-types/fixture.js'
import { completeTagType, tagTypeFixtureSchema } from '../resources/tag-types/fixture.js'
import { completeTag, tagFixtureSchema } from '../resources/tags/fixture.js'
import { completeUser, userFixtureSchema } from '../resources/users/fixture.js'
import type { RecordOf, TableName } from './collections.js'

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
    featureTypes: z.array(featureTypeFixtureSchema).optional(),
    strategyTypes: z.array(strategyTypeFixtureSchema).optional(),
    segments: z.array(segmentFixtureSchema).optional(),
    contextFields: z.array(contextFieldFixtureSchema).optional(),
    tagTypes: z.array(tagTypeFixtureSchema).optional(),
    tags: z.array(tagFixtureSchema).optional(),
    favorites: z.array(favoriteFixtureSchema).optional(),
    clientMetrics: z.array(clientMetricsFixtureSchema).optional(),
    clientInstances: z.array(clientInstanceFixtureSchema).optional(),
    events: z.array(eventFixtureSchema).optional(),
  })
  .meta({ id: 'state', description: 'Sample state: any of the lists may be left out' })

/** Sample state as people write it. */
export type PartialState = z.input<typeof stateSchema>

/** A snapshot: every list, every field. The same shape as a fixture. */
export type State = {
  version: 1
  events: EventRecord[]
  signupTokens: TokenInState[]
  features: FeatureInState[]
} & {
  [Name in Exclude<TableName, 'signupTokens' | 'features'>]: RecordOf<Name>[]
}

/** A feature, and where it is, if not in all environments of its project. */
type FeatureInState = RecordOf<'features'> & { onlyIn?: string[] }

/** A signup token with its users and its role in brief. */
type TokenInState = Omit<SignupTokenRecord, 'users' | 'role'> & {
  users: { id: number; name: string | null; username: string | null }[]
  role: PublicSignupToken['role']
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
  featureTypes: completeFeatureType,
  strategyTypes: completeStrategyType,
  segments: completeSegment,
  contextFields: completeContextField,
  tagTypes: completeTagType,
  tags: completeTag,
  features: completeFeature,
  favorites: completeFavorite,
  signupTokens: completeSignupToken,
  clientMetrics: completeClientMetrics,
  clientInstances: completeClientInstance,
  events: completeEvent,
} as const
