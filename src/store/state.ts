import * as z from 'zod'
import { completeFavorite, favoriteFixtureSchema } from '../resources/flags/favorites/table.js'
import { completeFeatureType, featureTypeFixtureSchema } from '../resources/flags/feature-types/table.js'
import { completeFeature, featureFixtureSchema } from '../resources/flags/features/table.js'
import { completeTagType, tagTypeFixtureSchema } from '../resources/flags/tag-types/table.js'
import { completeTag, tagFixtureSchema } from '../resources/flags/tags/table.js'
import type { EventRecord } from '../resources/instance/events/schema.js'
import { completeEvent, eventFixtureSchema } from '../resources/instance/events/table.js'
import { completeSetting, settingFixtureSchema } from '../resources/instance/maintenance/table.js'
import { apiTokenFixtureSchema, completeApiToken } from '../resources/people/api-tokens/table.js'
import {
  completeLogin,
  completeResetToken,
  loginFixtureSchema,
  resetTokenFixtureSchema,
} from '../resources/people/login/table.js'
import { completeRole, roleFixtureSchema } from '../resources/people/roles/table.js'
import type { PublicSignupToken, SignupTokenRecord } from '../resources/people/signup-tokens/schema.js'
import { completeSignupToken, signupTokenFixtureSchema } from '../resources/people/signup-tokens/table.js'
import { completeUser, userFixtureSchema } from '../resources/people/users/table.js'
import { completeEnvironment, environmentFixtureSchema } from '../resources/projects/environments/table.js'
import { completeProject, projectFixtureSchema } from '../resources/projects/projects/table.js'
import { clientInstanceFixtureSchema, completeClientInstance } from '../resources/sdk/client-instances/table.js'
import { clientMetricsFixtureSchema, completeClientMetrics } from '../resources/sdk/client-metrics/table.js'
import { completeContextField, contextFieldFixtureSchema } from '../resources/targeting/context-fields/table.js'
import { completeSegment, segmentFixtureSchema } from '../resources/targeting/segments/table.js'
import { completeStrategyType, strategyTypeFixtureSchema } from '../resources/targeting/strategy-types/table.js'
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
