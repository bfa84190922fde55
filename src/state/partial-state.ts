import type { GivenFavorite, GivenFeatureType, GivenTagType } from './given-types/flag-kinds.js'
import type { GivenFeature } from './given-types/flags.js'
import type { GivenClientInstance, GivenClientMetrics, GivenEvent, GivenSetting } from './given-types/instance.js'
import type {
  GivenApiToken,
  GivenLogin,
  GivenResetToken,
  GivenRole,
  GivenSignupToken,
  GivenUser,
} from './given-types/people.js'
import type { GivenEnvironment, GivenProject } from './given-types/projects.js'
import type { GivenTag } from './given-types/shared.js'
import type { GivenContextField, GivenSegment, GivenStrategyType } from './given-types/targeting.js'

/**
 * Sample state as people write it: what fixtures contain, and what `add` and `restore` take. Every list may be left out,
 * and so may every field that has a natural default. Written by hand, so that editors show what each field means; a
 * type test compares it with the schema.
 */
export interface PartialState {
  /** The JSON schema that editors complete the file by. */
  $schema?: string | undefined
  /** The version of this format. */
  version?: 1 | undefined
  /** Projects. Only `id` is needed. */
  projects?: GivenProject[] | undefined
  /** Environments. Only `name` is needed. */
  environments?: GivenEnvironment[] | undefined
  /** Feature flags. Only `name` is needed. */
  features?: GivenFeature[] | undefined
  /** Invitations to sign up. Only `secret` is needed. */
  signupTokens?: GivenSignupToken[] | undefined
  /** Users. Only `id` is needed. */
  users?: GivenUser[] | undefined
  /** Roles. Only `id` is needed. */
  roles?: GivenRole[] | undefined
  /** Keys for the API and for SDKs. Only `secret` is needed. */
  apiTokens?: GivenApiToken[] | undefined
  /** Users who are signed in. */
  logins?: GivenLogin[] | undefined
  /** Links to choose a new password. */
  resetTokens?: GivenResetToken[] | undefined
  /** Switches of the whole service: maintenance mode. */
  settings?: GivenSetting[] | undefined
  /** Types of features. Only `id` is needed. */
  featureTypes?: GivenFeatureType[] | undefined
  /** Types of strategies. Only `name` is needed. */
  strategyTypes?: GivenStrategyType[] | undefined
  /** Segments. Only `id` is needed. */
  segments?: GivenSegment[] | undefined
  /** Fields of the context. Only `name` is needed. */
  contextFields?: GivenContextField[] | undefined
  /** Types of tags. Only `name` is needed. */
  tagTypes?: GivenTagType[] | undefined
  /** All tags, whether a feature has them or not. */
  tags?: GivenTag[] | undefined
  /** Features and projects that users marked. */
  favorites?: GivenFavorite[] | undefined
  /** How often features were on and off, as SDKs reported it. */
  clientMetrics?: GivenClientMetrics[] | undefined
  /** Running SDKs. */
  clientInstances?: GivenClientInstance[] | undefined
  /** The event log, oldest first. */
  events?: GivenEvent[] | undefined
}
