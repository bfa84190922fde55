import type { GivenFavorite, GivenFeatureType, GivenTagType } from './given-types/flag-kinds.js'
import type { GivenFeature } from './given-types/flags.js'
import type {
  GivenAddon,
  GivenAddonChange,
  GivenClientInstance,
  GivenClientMetrics,
  GivenEvent,
  GivenIntegrationEvent,
  GivenSetting,
} from './given-types/instance.js'
import type {
  GivenApiToken,
  GivenLogin,
  GivenResetToken,
  GivenRole,
  GivenRoleChange,
  GivenSignupToken,
  GivenUser,
  GivenUserChange,
} from './given-types/people.js'
import type { GivenEnvironment, GivenProject } from './given-types/projects.js'
import type { GivenApplication, GivenImpactMetric, GivenUnknownFlag } from './given-types/sdk.js'
import type { GivenList, GivenNumbered, GivenTag, GivenWholes } from './given-types/shared.js'
import type { GivenContextField, GivenSegment, GivenSegmentChange, GivenStrategyType } from './given-types/targeting.js'

/**
 * Sample state as people write it: what fixtures contain, and what `add` and `restore` take. Every list may be left out,
 * and so may every field that has a natural default. In place of a list, an object changes the records that it names.
 * Written by hand, so that editors show what each field means; a type test compares it with the schema.
 */
export interface PartialState {
  /** The JSON schema that editors complete the file by. */
  $schema?: string | undefined
  /** The version of this format. */
  version?: 1 | undefined
  /** Projects. Only `id` is needed. */
  projects?: GivenList<GivenProject> | undefined
  /** Environments. Only `name` is needed. */
  environments?: GivenList<GivenEnvironment> | undefined
  /** Feature flags. Only `name` is needed. */
  features?: GivenList<GivenFeature> | undefined
  /** Invitations to sign up. Only `secret` is needed. */
  signupTokens?: GivenList<GivenSignupToken> | undefined
  /** Users. Only `id` is needed. */
  users?: GivenNumbered<GivenUser, GivenUserChange> | undefined
  /** Roles. Only `id` is needed. */
  roles?: GivenNumbered<GivenRole, GivenRoleChange> | undefined
  /** Keys for the API and for SDKs. Only `secret` is needed. */
  apiTokens?: GivenList<GivenApiToken> | undefined
  /** Users who are signed in. */
  logins?: GivenList<GivenLogin> | undefined
  /** Links to choose a new password. */
  resetTokens?: GivenList<GivenResetToken> | undefined
  /** Switches of the whole service: maintenance mode. */
  settings?: GivenList<GivenSetting> | undefined
  /** Types of features. Only `id` is needed. */
  featureTypes?: GivenList<GivenFeatureType> | undefined
  /** Types of strategies. Only `name` is needed. */
  strategyTypes?: GivenList<GivenStrategyType> | undefined
  /** Segments. Only `id` is needed. */
  segments?: GivenNumbered<GivenSegment, GivenSegmentChange> | undefined
  /** Fields of the context. Only `name` is needed. */
  contextFields?: GivenList<GivenContextField> | undefined
  /** Types of tags. Only `name` is needed. */
  tagTypes?: GivenList<GivenTagType> | undefined
  /** All tags, whether a feature has them or not. */
  tags?: GivenList<GivenTag> | undefined
  /** Features and projects that users marked. */
  favorites?: GivenList<GivenFavorite> | undefined
  /** How often features were on and off, as SDKs reported it. */
  clientMetrics?: GivenList<GivenClientMetrics> | undefined
  /** Running SDKs. */
  clientInstances?: GivenList<GivenClientInstance> | undefined
  /** What is noted about applications. Only `appName` is needed. */
  applications?: GivenList<GivenApplication> | undefined
  /** Metrics of applications. */
  impactMetrics?: GivenWholes<GivenImpactMetric> | undefined
  /** Integrations, such as webhooks. Only `id` is needed. */
  addons?: GivenNumbered<GivenAddon, GivenAddonChange> | undefined
  /** Messages that integrations would have sent. */
  integrationEvents?: GivenList<GivenIntegrationEvent> | undefined
  /** Names that SDKs report and no feature has. */
  unknownFlags?: GivenList<GivenUnknownFlag> | undefined
  /** The event log, oldest first. */
  events?: GivenList<GivenEvent> | undefined
}
