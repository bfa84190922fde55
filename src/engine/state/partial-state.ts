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
 * Seed data: the contents of fixtures, and the argument of `add` and `restore`. You can omit any list, and any field with
 * a default. An object in place of a list changes the records that it names.
 */
export interface PartialState {
  /** Projects. Only `id` is needed. */
  projects?: Records<GivenProject> | undefined
  /** Environments. Only `name` is needed. */
  environments?: Records<GivenEnvironment> | undefined
  /** Feature flags. Only `name` is needed. */
  features?: Records<GivenFeature> | undefined
  /** Public signup links. Only `secret` is needed. */
  signupTokens?: Records<GivenSignupToken> | undefined
  /** Users. Only `id` is needed. */
  users?: NumberedRecords<GivenUser, UserChange> | undefined
  /** Roles. Only `id` is needed. */
  roles?: NumberedRecords<GivenRole, RoleChange> | undefined
  /** API tokens. Only `secret` is needed. */
  apiTokens?: Records<GivenApiToken> | undefined
  /** Password reset links. */
  resetTokens?: Records<GivenResetToken> | undefined
  /** Settings of the instance: maintenance mode. */
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
  /** Users' favorite features and projects. */
  favorites?: Records<GivenFavorite> | undefined
  /** How often features were on and off, as reported by SDKs. */
  clientMetrics?: Records<GivenClientMetric> | undefined
  /** Running SDKs. */
  clientInstances?: Records<GivenClientInstance> | undefined
  /** Data about applications. Only `appName` is needed. */
  applications?: Records<GivenApplication> | undefined
  /** Names of unknown features in SDK reports. */
  unknownFlags?: Records<GivenUnknownFlag> | undefined
  /** Impact metrics of applications. */
  impactMetrics?: WholeRecords<GivenCounter | GivenGauge | GivenHistogram> | undefined
  /** Integrations, such as webhooks. Only `id` is needed. */
  addons?: NumberedRecords<GivenAddon, AddonChange> | undefined
  /** Messages that integrations would have sent. */
  integrationEvents?: Records<GivenIntegrationEvent> | undefined
  /** The highest IDs of removed records, which are never used again. */
  sequences?: Records<GivenSequence> | undefined
  /** The event log, oldest first. */
  events?: Records<GivenEvent> | undefined
  /** The JSON schema, for editors. */
  $schema?: string | undefined
  /** The version of this format. */
  version?: 1 | undefined
}

/**
 * The same data as TypeScript types imported JSON: any text in place of a union of texts, and lists whose items lack
 * fields of other items. The mock checks the data on use.
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
