import type { NumberedRecords, Records, WholeRecords } from '../../service/resources/shared/merge-patch.js'
import type { GivenFavorite, GivenFeature, GivenFeatureType, GivenTag, GivenTagType } from './types/features.js'
import type {
  AddonChange,
  GivenAddon,
  GivenEvent,
  GivenIntegrationEvent,
  GivenSequence,
  GivenSetting,
} from './types/instance.js'
import type {
  GivenApiToken,
  GivenResetToken,
  GivenRole,
  GivenSignupToken,
  GivenUser,
  RoleChange,
  UserChange,
} from './types/people.js'
import type { GivenEnvironment, GivenProject } from './types/projects.js'
import type {
  GivenApplication,
  GivenClientInstance,
  GivenClientMetric,
  GivenCounter,
  GivenGauge,
  GivenHistogram,
  GivenUnknownFlag,
} from './types/sdk.js'
import type { GivenContextField, GivenSegment, GivenStrategyType, SegmentChange } from './types/targeting.js'

/**
 * Sample state as people write it: what fixtures contain, and what `add` and `restore` take. Every list may be left out,
 * and so may every field that has a natural default. In place of a list, an object changes the records that it names.
 */
export interface PartialState {
  /** Projects. Only `id` is needed. */
  projects?: Records<GivenProject> | undefined
  /** Environments. Only `name` is needed. */
  environments?: Records<GivenEnvironment> | undefined
  /** Feature flags. Only `name` is needed. */
  features?: Records<GivenFeature> | undefined
  /** Invitations to sign up. Only `secret` is needed. */
  signupTokens?: Records<GivenSignupToken> | undefined
  /** Users. Only `id` is needed. */
  users?: NumberedRecords<GivenUser, UserChange> | undefined
  /** Roles. Only `id` is needed. */
  roles?: NumberedRecords<GivenRole, RoleChange> | undefined
  /** Keys for the API and for SDKs. Only `secret` is needed. */
  apiTokens?: Records<GivenApiToken> | undefined
  /** Links to choose a new password. */
  resetTokens?: Records<GivenResetToken> | undefined
  /** Switches of the whole service: maintenance mode. */
  settings?: Records<GivenSetting> | undefined
  /** Types of features. Only `id` is needed. */
  featureTypes?: Records<GivenFeatureType> | undefined
  /** Types of strategies. Only `name` is needed. */
  strategyTypes?: Records<GivenStrategyType> | undefined
  /** Segments. Only `id` is needed. */
  segments?: NumberedRecords<GivenSegment, SegmentChange> | undefined
  /** Fields of the context. Only `name` is needed. */
  contextFields?: Records<GivenContextField> | undefined
  /** Types of tags. Only `name` is needed. */
  tagTypes?: Records<GivenTagType> | undefined
  /** All tags, whether a feature has them or not. */
  tags?: Records<GivenTag> | undefined
  /** Features and projects that users marked. */
  favorites?: Records<GivenFavorite> | undefined
  /** How often features were on and off, as SDKs reported it. */
  clientMetrics?: Records<GivenClientMetric> | undefined
  /** Running SDKs. */
  clientInstances?: Records<GivenClientInstance> | undefined
  /** What is noted about applications. Only `appName` is needed. */
  applications?: Records<GivenApplication> | undefined
  /** Names that SDKs report and no feature has. */
  unknownFlags?: Records<GivenUnknownFlag> | undefined
  /** Metrics of applications. */
  impactMetrics?: WholeRecords<GivenCounter | GivenGauge | GivenHistogram> | undefined
  /** Integrations, such as webhooks. Only `id` is needed. */
  addons?: NumberedRecords<GivenAddon, AddonChange> | undefined
  /** Messages that integrations would have sent. */
  integrationEvents?: Records<GivenIntegrationEvent> | undefined
  /** The highest numbers of removed records, which are never given again. */
  sequences?: Records<GivenSequence> | undefined
  /** The event log, oldest first. */
  events?: Records<GivenEvent> | undefined
  /** The JSON schema with which editors complete the file. */
  $schema?: string | undefined
  /** The version of this format. */
  version?: 1 | undefined
}

/**
 * The same as TypeScript types imported JSON: any text where some are allowed, and a list whose items lack fields that others
 * have. What is given is checked when it is used.
 */
export type AsJson<Given> = Given extends string
  ? string extends Given
    ? Given
    : Given | (string & {})
  : Given extends number
    ? number
    : Given extends object
      ? { [Field in keyof Given]: AsJson<Given[Field]> | (string extends Field ? undefined : never) }
      : Given
