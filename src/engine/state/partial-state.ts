// Generated from the declarations in src/service/resources by `npm run docs`.
import type { NumberedRecords, Records, WholeRecords } from '../../service/resources/shared/merge-patch.js'
import type { GivenInstant } from '../../service/resources/shared/schema.js'

/**
 * Seed data: the contents of fixtures, and the argument of `add` and `restore`. You can omit any list, and any field with
 * a default. An object in place of a list changes the records that it names. New records follow the existing ones, in their
 * order. `createMock`, `add` and `restore` throw `INVALID_STATE`, with the place of each error.
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

/** In `GivenProject.members`: Its members: each a user by user name (`user`) or `id`, with a role by name or ID. */
export interface GivenMember {
  /** The user name. */
  user: string
  /** The role in the project, by name or ID. */
  role: number | string
  /** False removes an earlier entry of the list. Default: true. */
  granted?: boolean | undefined
}

/** In `GivenProject.members`: Its members: each a user by user name (`user`) or `id`, with a role by name or ID. */
export interface GivenMemberById {
  /** The ID of the user. */
  id: number
  /** The role in the project, by name or ID. */
  role: number | string
}

/** In `GivenProject.featureNaming`: The naming pattern for its features. */
export interface GivenFeatureNaming {
  /** A regular expression for the whole name; null for none. Default: null. */
  pattern?: string | null | undefined
  /** An example of a matching name. Default: null. */
  example?: string | null | undefined
  /** The pattern in words. Default: null. */
  description?: string | null | undefined
}

/** In `GivenProject.linkTemplates`: Links of every new feature; `{{project}}` and `{{feature}}` are replaced by their names. Default: empty. */
export interface GivenLinkTemplate {
  /** The text of the link. */
  title: string | null
  /** The URL; `{{project}}` and `{{feature}}` are replaced. */
  urlTemplate: string
}

/** In `GivenDefaultStrategy.constraints`: Constraints that must also match. */
export interface GivenDefaultConstraint {
  /** The context field, such as `userId` or `appName`. */
  contextName: string
  /** The comparison operator. */
  operator:
    | 'DATE_AFTER'
    | 'DATE_BEFORE'
    | 'IN'
    | 'NOT_IN'
    | 'NUM_EQ'
    | 'NUM_GT'
    | 'NUM_GTE'
    | 'NUM_LT'
    | 'NUM_LTE'
    | 'REGEX'
    | 'SEMVER_EQ'
    | 'SEMVER_GT'
    | 'SEMVER_GTE'
    | 'SEMVER_LT'
    | 'SEMVER_LTE'
    | 'STR_CONTAINS'
    | 'STR_ENDS_WITH'
    | 'STR_STARTS_WITH'
  /** Whether the comparison ignores case. Default: false. */
  caseInsensitive?: boolean | undefined
  /** Whether the constraint is negated. Default: false. */
  inverted?: boolean | undefined
  /** The values to compare with, for `IN`, `NOT_IN` and the operators that begin with `STR_`. */
  values?: string[] | undefined
  /** The value to compare with, for all other operators. */
  value?: string | undefined
}

/** In `GivenDefaultVariant.payload`: The payload. */
export interface GivenTypedPayload {
  /** The payload's type. */
  type: 'csv' | 'json' | 'number' | 'string'
  /** The payload as text, for any type. */
  value: string
  [name: string]: unknown
}

/** In `GivenDefaultVariant.overrides`: Overrides, which give it to certain users. */
export interface GivenOverride {
  /** The context field. */
  contextName: string
  /** The field's values that get the variant. */
  values: string[]
}

/** In `GivenDefaultStrategy.variants`: Its own variants. */
export interface GivenDefaultVariant {
  /** The name. */
  name: string
  /** Its share, in thousandths. Default: an equal share. */
  weight: number
  /** Whether the share is fixed, or a part of the remainder. Default: `variable`. */
  weightType: 'fix' | 'variable'
  /** The context field that selects its users. Default: `default`. */
  stickiness: string
  /** The payload. */
  payload?: GivenTypedPayload | undefined
  /** Overrides, which give it to certain users. */
  overrides?: GivenOverride[] | undefined
  [name: string]: unknown
}

/** In `GivenProject.defaultStrategies`: By environment, the default strategy of a feature that is enabled without strategies. */
export interface GivenDefaultStrategy {
  /** The type. */
  name: string
  /** The title. */
  title?: string | null | undefined
  /** Whether it is disabled. */
  disabled?: boolean | null | undefined
  /** The position. */
  sortOrder?: number | null | undefined
  /** The IDs of segments that must also match. */
  segments?: number[] | null | undefined
  /** Constraints that must also match. */
  constraints?: GivenDefaultConstraint[] | null | undefined
  /** Its own variants. */
  variants?: GivenDefaultVariant[] | null | undefined
  /** Its parameters, as text. */
  parameters?: { [name: string]: string | null } | null | undefined
}

/** In `PartialState.projects`: Projects. Only `id` is needed. */
export interface GivenProject {
  /** The ID, as in URLs. */
  id: string
  /** The display name. Default: the ID. */
  name?: string | null | undefined
  /** The description. Default: null. */
  description?: string | null | undefined
  /** Its access mode. Default: `"open"`. */
  mode?: 'open' | 'private' | 'protected' | null | undefined
  /** The time of creation. Default: the start of the world. */
  createdAt?: GivenInstant | null | undefined
  /** The time of the last change. Default: null. */
  updatedAt?: GivenInstant | null | undefined
  /** The time of archiving; null if it isn't archived. Default: null. */
  archivedAt?: GivenInstant | null | undefined
  /** The names of its environments. Default: all. */
  environments?: string[] | null | undefined
  /** Its members: each a user by user name (`user`) or `id`, with a role by name or ID. */
  members?: (GivenMember | GivenMemberById)[] | null | undefined
  /** The names of the environments that need change requests; `true` for all. Cloning into the project is then rejected; other changes pass. */
  changeRequests?: string[] | boolean | null | undefined
  /** The naming pattern for its features. */
  featureNaming?: GivenFeatureNaming | null | undefined
  /** The maximum number of features; null for no limit. Default: null. */
  featureLimit?: number | null | undefined
  /** Links of every new feature; `{{project}}` and `{{feature}}` are replaced by their names. Default: empty. */
  linkTemplates?: GivenLinkTemplate[] | null | undefined
  /** By environment, the default strategy of a feature that is enabled without strategies. */
  defaultStrategies?: { [name: string]: GivenDefaultStrategy | null } | null | undefined
  /** Connects or disconnects single environments, by name. */
  connected?: { [name: string]: boolean | null } | null | undefined
  /** A rating, as in responses. */
  health?: number | null | undefined
  /** A rating, as in responses. */
  technicalDebt?: number | null | undefined
  /** The number of its features, computed from `features`. */
  featureCount?: number | null | undefined
  /** The number of its members, computed from `members`. */
  memberCount?: number | null | undefined
  /** The time of its latest event, as in responses. */
  lastUpdatedAt?: string | null | undefined
  /** The time of the latest use of its features, as in responses. */
  lastReportedFlagUsage?: string | null | undefined
  /** The number of its completed features, as in responses. */
  cleanupCount?: number | null | undefined
  /** Its onboarding status, as in responses. */
  onboardingStatus?: { [name: string]: string | null } | null | undefined
  /** Its owners, as in responses. See `members`. */
  owners?: { [name: string]: unknown }[] | null | undefined
  /** Whether it is a user's favorite, computed from `favorites`. */
  favorite?: boolean | null | undefined
}

/** In `PartialState.environments`: Environments. Only `name` is needed. */
export interface GivenEnvironment {
  /** The name. */
  name: string
  /** The type. Default: `production` for an environment with this name, or else `development`. */
  type?: 'development' | 'preproduction' | 'production' | 'test' | (string & {}) | null | undefined
  /** The position in lists. Default: 9999. */
  sortOrder?: number | null | undefined
  /** Whether it is enabled. Default: true. */
  enabled?: boolean | null | undefined
  /** False removes it, including from projects and features. */
  exists?: boolean | null | undefined
  /** Always false, as in responses. */
  protected?: boolean | null | undefined
  /** Always null, as in responses. */
  requiredApprovals?: number | null | undefined
  /** The number of its projects, computed from `projects`. */
  projectCount?: number | null | undefined
  /** The number of its API tokens, computed from `apiTokens`. */
  apiTokenCount?: number | null | undefined
  /** The number of features that are on in it, computed from `features`. */
  enabledToggleCount?: number | null | undefined
}

/** In `GivenFeature.createdBy`: The user who created it. Default: the first user. */
export interface GivenCreator {
  /** The ID of the user. */
  id: number
  /** The display name. Default: the user's name. */
  name?: string | null | undefined
  /** The picture's URL. Default: the user's picture. */
  imageUrl?: string | null | undefined
}

/** In `GivenFeature.lifecycle`: The lifecycle stage. Default: `initial`, or `archived`. */
export interface GivenStage {
  /** The stage. */
  stage: 'archived' | 'completed' | 'initial' | 'live' | 'pre-live'
  /** The outcome of a completed feature, such as `kept` or `discarded`. */
  status?: string | null | undefined
  /** The start of the stage. Default: the feature's creation or archiving. */
  enteredStageAt?: GivenInstant | null | undefined
}

/** In `GivenFeature.pastStages`: Earlier lifecycle stages, oldest first. Default: empty. */
export interface GivenPastStage {
  /** The stage. */
  stage: 'archived' | 'completed' | 'initial' | 'live' | 'pre-live'
  /** The outcome of a completed feature, such as `kept` or `discarded`. */
  status?: string | null | undefined
  /** The start of the stage. Default: the feature's creation or archiving. */
  enteredStageAt?: GivenInstant | undefined
}

/** In `GivenFeature.dependencies`: The parent features that it depends on. Default: empty. */
export interface GivenDependency {
  /** The name of the parent. */
  feature: string
  /** Whether the parent must be on (the default) or off. */
  enabled?: boolean | undefined
  /** The required variants of the parent. Default: any. */
  variants?: string[] | undefined
}

/** In `GivenCollaborators.users`: The users, with their names and pictures. */
export interface GivenCollaborator {
  /** The ID of the user. */
  id: number
  /** The display name. Default: the user's name. */
  name: string
  /** The picture's URL. Default: the user's picture. */
  imageUrl: string
}

/** In `GivenFeature.collaborators`: The users who changed it. Default: its creator. */
export interface GivenCollaborators {
  /** The users, with their names and pictures. */
  users: GivenCollaborator[]
}

/** In `GivenFeature.tags`: Its tags. Default: empty. */
export interface GivenTag {
  /** The type of the tag, such as `simple`. */
  type: string
  /** The value of the tag. */
  value: string
}

/** In `GivenFeature.links`: Links to related pages. Default: empty. */
export interface GivenLink {
  /** The ID. Default: a new ID. */
  id?: string | undefined
  /** The URL. */
  url: string
  /** The link text. Default: null. */
  title?: string | null | undefined
}

/** In `GivenStrategy.constraints`: Constraints that must also match. Default: empty. */
export interface GivenConstraint {
  /** The context field, such as `userId` or `appName`. */
  contextName: string
  /** The comparison operator. */
  operator:
    | 'DATE_AFTER'
    | 'DATE_BEFORE'
    | 'IN'
    | 'IN_CIDR'
    | 'NOT_IN'
    | 'NUM_EQ'
    | 'NUM_GT'
    | 'NUM_GTE'
    | 'NUM_LT'
    | 'NUM_LTE'
    | 'REGEX'
    | 'SEMVER_EQ'
    | 'SEMVER_GT'
    | 'SEMVER_GTE'
    | 'SEMVER_LT'
    | 'SEMVER_LTE'
    | 'STR_CONTAINS'
    | 'STR_ENDS_WITH'
    | 'STR_STARTS_WITH'
    | (string & {})
  /** Whether the comparison ignores case. Default: false. */
  caseInsensitive?: boolean | undefined
  /** Whether the constraint is negated. Default: false. */
  inverted?: boolean | undefined
  /** The values to compare with, for `IN`, `NOT_IN` and the operators that begin with `STR_`. */
  values?: string[] | undefined
  /** The value to compare with, for all other operators. */
  value?: string | undefined
}

/** In `GivenStrategyVariant.payload`: The payload. */
export interface GivenPayload {
  /** `json`, `csv`, `string` or `number`. */
  type: string
  /** The payload as text, for any type. */
  value: string
}

/** In `GivenStrategy.variants`: Its own variants. Default: empty. */
export interface GivenStrategyVariant {
  /** The name. */
  name: string
  /** Its share, in thousandths. Default: an equal share. */
  weight?: number | undefined
  /** Whether the share is fixed, or a part of the remainder. Default: `variable`. */
  weightType?: 'fix' | 'variable' | undefined
  /** The context field that selects its users. Default: `default`. */
  stickiness?: string | undefined
  /** The payload. */
  payload?: GivenPayload | undefined
}

/** In `GivenFeatureEnvironment.strategies`: The strategies, which select the users that it is on for. Default: empty. */
export interface GivenStrategy {
  /** The ID. Default: a new ID. */
  id?: string | undefined
  /** The type: built-in, or from `strategyTypes`. */
  name: 'applicationHostname' | 'default' | 'flexibleRollout' | 'remoteAddress' | 'userWithId' | (string & {})
  /** The title. Default: null. */
  title?: string | null | undefined
  /** Whether it is disabled. Default: false. */
  disabled?: boolean | undefined
  /** The position. Default: its place in the list. */
  sortOrder?: number | undefined
  /** The IDs of segments that must also match. Default: empty. */
  segments?: number[] | undefined
  /** Constraints that must also match. Default: empty. */
  constraints?: GivenConstraint[] | undefined
  /** Its own variants. Default: empty. */
  variants?: GivenStrategyVariant[] | undefined
  /** Its parameters, as text. Default for `flexibleRollout`: 100 %, with the feature's name as `groupId`. */
  parameters?: { [name: string]: string } | undefined
  /** The name of the feature, as in responses. */
  featureName?: string | undefined
}

/** In `GivenFeatureEnvironment.variants`: The feature's variants there, with overrides. Default: empty. */
export interface GivenVariant {
  /** The name. */
  name: string
  /** Its share, in thousandths. Default: an equal share. */
  weight?: number | undefined
  /** Whether the share is fixed, or a part of the remainder. Default: `variable`. */
  weightType?: 'fix' | 'variable' | undefined
  /** The context field that selects its users. Default: `default`. */
  stickiness?: string | undefined
  /** The payload. */
  payload?: GivenPayload | undefined
  /** Overrides, which give it to certain users. */
  overrides?: GivenOverride[] | undefined
}

/** In `GivenFeature.environments`: Its settings in each environment. In omitted environments of its project it is off, without strategies. */
export interface GivenFeatureEnvironment {
  /** The name of the environment. */
  name: string
  /** Whether the feature is on there. Default: the feature's own `enabled`, or false. */
  enabled?: boolean | null | undefined
  /** The time of the last use by an SDK there; null for never. Default: null. */
  lastSeenAt?: GivenInstant | null | undefined
  /** The strategies, which select the users that it is on for. Default: empty. */
  strategies?: GivenStrategy[] | null | undefined
  /** The feature's variants there, with overrides. Default: empty. */
  variants?: GivenVariant[] | null | undefined
  /** The name of the feature, as in responses. */
  featureName?: string | null | undefined
  /** The name of the environment, as in responses. */
  environment?: string | null | undefined
  /** The type of the environment. Must agree with the state's `environments`. */
  type?: string | null | undefined
  /** The position of the environment. Must agree with the state's `environments`. */
  sortOrder?: number | null | undefined
  /** The number of variants, as in responses. */
  variantCount?: number | null | undefined
  /** Whether it has strategies, as in responses. */
  hasStrategies?: boolean | null | undefined
  /** Whether it has enabled strategies, as in responses. */
  hasEnabledStrategies?: boolean | null | undefined
  /** How often it was on, as in responses. See `clientMetrics`. */
  yes?: number | null | undefined
  /** How often it was off, as in responses. See `clientMetrics`. */
  no?: number | null | undefined
}

/** In `GivenDetachedStrategy.variants`: Its own variants. */
export interface GivenDetachedVariant {
  /** The name. */
  name: string
  /** Its share, in thousandths. Default: an equal share. */
  weight: number
  /** Whether the share is fixed, or a part of the remainder. Default: `variable`. */
  weightType: 'fix' | 'variable'
  /** The context field that selects its users. Default: `default`. */
  stickiness: string
  /** The payload. */
  payload?: GivenPayload | undefined
}

/** In `GivenDetachedEnvironment.strategies`: The strategies, which select the users that it is on for. */
export interface GivenDetachedStrategy {
  /** The ID. Default: a new ID. */
  id: string
  /** The type: built-in, or from `strategyTypes`. */
  name: string
  /** The title. */
  title: string | null
  /** Whether it is disabled. */
  disabled: boolean
  /** The position. Default: its place in the list. */
  sortOrder: number
  /** The IDs of segments that must also match. */
  segments: number[]
  /** Constraints that must also match. */
  constraints: GivenConstraint[]
  /** Its own variants. */
  variants: GivenDetachedVariant[]
  /** Its parameters, as text. Default for `flexibleRollout`: 100 %, with the feature's name as `groupId`. */
  parameters: { [name: string]: string }
}

/** In `GivenFeature.detached`: Strategies in environments that its project is disconnected from. They return with the connection. */
export interface GivenDetachedEnvironment {
  /** The name of the environment. */
  name: string
  /** The strategies, which select the users that it is on for. */
  strategies: GivenDetachedStrategy[]
}

/** In `PartialState.features`: Feature flags. Only `name` is needed. */
export interface GivenFeature {
  /** The name, unique in the instance. */
  name: string
  /** The type: built-in, or from `featureTypes`. Default: `"release"`. */
  type?:
    | 'experiment'
    | 'kill-switch'
    | 'operational'
    | 'permission'
    | 'release'
    | 'sunset'
    | (string & {})
    | null
    | undefined
  /** The description. Default: null. */
  description?: string | null | undefined
  /** The ID of its project. Default: `"default"`. */
  project?: string | null | undefined
  /** Whether it is marked as stale. Default: false. */
  stale?: boolean | null | undefined
  /** Whether SDKs report each evaluation. Default: false. */
  impressionData?: boolean | null | undefined
  /** Whether it is archived. Default: whether it has an `archivedAt`. */
  archived?: boolean | null | undefined
  /** The time of archiving; null if it isn't archived. */
  archivedAt?: GivenInstant | null | undefined
  /** The time of creation. Default: the start of the world. */
  createdAt?: GivenInstant | null | undefined
  /** The user who created it. Default: the first user. */
  createdBy?: GivenCreator | null | undefined
  /** The time of the last use by an SDK; null for never. Default: null. */
  lastSeenAt?: GivenInstant | null | undefined
  /** The lifecycle stage. Default: `initial`, or `archived`. */
  lifecycle?: GivenStage | null | undefined
  /** Earlier lifecycle stages, oldest first. Default: empty. */
  pastStages?: GivenPastStage[] | null | undefined
  /** The parent features that it depends on. Default: empty. */
  dependencies?: GivenDependency[] | null | undefined
  /** The users who changed it. Default: its creator. */
  collaborators?: GivenCollaborators | null | undefined
  /** Its tags. Default: empty. */
  tags?: GivenTag[] | null | undefined
  /** Links to related pages. Default: empty. */
  links?: GivenLink[] | null | undefined
  /** Its settings in each environment. In omitted environments of its project it is off, without strategies. */
  environments?: Records<GivenFeatureEnvironment> | null | undefined
  /** Strategies in environments that its project is disconnected from. They return with the connection. */
  detached?: GivenDetachedEnvironment[] | null | undefined
  /** Its further environments, if it isn't in all of its project's. */
  onlyIn?: string[] | null | undefined
  /** Enables or disables it in every environment without its own `enabled`. */
  enabled?: boolean | null | undefined
  /** Whether it is a user's favorite, computed from `favorites`. */
  favorite?: boolean | null | undefined
  /** The features that depend on it, computed from their `dependencies`. */
  children?: string[] | null | undefined
  /** Variants belong to an environment: see `environments`. Responses have an empty list here. */
  variants?: never[] | null | undefined
  /** Strategies belong to an environment: see `environments`. Responses have an empty list here. */
  strategies?: never[] | null | undefined
}

/** In `GivenSignupToken.users`: The IDs of the users who signed up with it. */
export interface GivenSignedUpUser {
  /** The ID. */
  id: number
  /** The display name, computed from `users`. */
  name?: string | null | undefined
  /** The user name, computed from `users`. */
  username?: string | null | undefined
  /** The email address, computed from `users`. */
  email?: string | null | undefined
  [name: string]: unknown
}

/** In `GivenSignupToken.role`: The role of new users: its name, its ID, or, as in responses, an object with the ID. Default: Viewer. */
export interface GivenReference {
  /** The ID. */
  id: number
  /** The display name, computed from `roles`. */
  name?: string | null | undefined
  /** The type, computed from `roles`. */
  type?: string | null | undefined
  [name: string]: unknown
}

/** In `PartialState.signupTokens`: Public signup links. Only `secret` is needed. */
export interface GivenSignupToken {
  /** The secret, as in the link. */
  secret: string
  /** The display name. Default: the secret. */
  name?: string | null | undefined
  /** Whether it works until it expires. Default: true. */
  enabled?: boolean | null | undefined
  /** The time of expiry. Default: `"now+30d"`. */
  expiresAt?: GivenInstant | null | undefined
  /** The time of creation. Default: the start of the world. */
  createdAt?: GivenInstant | null | undefined
  /** The name of its creator. Default: null. */
  createdBy?: string | null | undefined
  /** The IDs of the users who signed up with it. */
  users?: GivenSignedUpUser[] | null | undefined
  /** The role of new users: its name, its ID, or, as in responses, an object with the ID. Default: Viewer. */
  role?: number | string | GivenReference | null | undefined
  /** The link, as in responses. */
  url?: string | null | undefined
}

/** In `PartialState.users`: Users. Only `id` is needed. */
export interface GivenUser extends UserChange {
  /** The ID. */
  id: number
}

/** In `GivenUser.feedback`: Feedback questions that the user has seen. Default: empty. */
export interface GivenFeedback {
  /** The ID of the question. */
  feedbackId: string
  /** Whether it is never shown again. */
  neverShow: boolean
  /** The time of the response; null without a response. */
  given: string | null
}

/** The fields of `GivenUser` without its ID. */
export interface UserChange {
  /** The display name. Default: null. */
  name?: string | null | undefined
  /** The email address. Default: null. */
  email?: string | null | undefined
  /** The name to sign in with. Default: null. */
  username?: string | null | undefined
  /** The root role, by name or ID: `"Editor"`. Default: Viewer. */
  rootRole?: number | string | null | undefined
  /** A user or a service account. Default: `"User"`. */
  accountType?: 'Service Account' | 'User' | null | undefined
  /** The number of failed logins. Default: 0. */
  loginAttempts?: number | null | undefined
  /** The time of the last visit; null for never. Default: null. */
  seenAt?: GivenInstant | null | undefined
  /** The time of creation. Default: the start of the world. */
  createdAt?: GivenInstant | null | undefined
  /** The SCIM ID. Default: null. */
  scimId?: string | null | undefined
  /** The hash of the password, as in snapshots. Default: null. */
  passwordHash?: string | null | undefined
  /** Feedback questions that the user has seen. Default: empty. */
  feedback?: GivenFeedback[] | null | undefined
  /** Splash screens that the user has seen, by ID. Default: empty. */
  splash?: { [name: string]: boolean | null } | null | undefined
  /** The hashes of earlier passwords, newest first, which the user can't choose again. Default: none. */
  earlierPasswords?: string[] | null | undefined
  /** The time of the last password reset request. Default: never. */
  resetAskedAt?: GivenInstant | null | undefined
  /** The password in plain text. It is stored as its hash. */
  password?: string | null | undefined
  /** Always false, as in responses. */
  isAPI?: boolean | null | undefined
  /** The picture's URL, computed from the email address. */
  imageUrl?: string | null | undefined
  /** The invitation link, as in responses. */
  inviteLink?: string | null | undefined
  /** Always false, as in responses. */
  emailSent?: boolean | null | undefined
  /** Always empty, as in responses. See `roles`. */
  permissions?: string[] | null | undefined
  /** Always null, as in responses. */
  seatType?: null | undefined
  /** Always null, as in responses. */
  companyRole?: null | undefined
  /** Always null, as in responses. */
  productUpdatesEmailConsent?: null | undefined
}

/** In `PartialState.roles`: Roles. Only `id` is needed. */
export interface GivenRole extends RoleChange {
  /** The ID. */
  id: number
}

/** In `GivenRole.permissions`: Its permissions by name, in all environments or in one. Default: none. */
export interface GivenPermission {
  /** The name, such as `CREATE_FEATURE`. */
  name: string
  /** The environment. Default: all. */
  environment?: string | undefined
}

/** In `GivenRole.exceptions`: Exceptions to its permissions. The last match decides. Default: empty. */
export interface GivenException {
  /** The name of the permission. */
  permission: string
  /** The environment; null for all. */
  environment: string | null
  /** Whether it is allowed. */
  granted: boolean
}

/** The fields of `GivenRole` without its ID. */
export interface RoleChange {
  /** The type, such as `root`, `project` or `custom`. Default: `"root"`. */
  type?: string | null | undefined
  /** The display name. Default: `Role` with its ID. */
  name?: string | null | undefined
  /** The description. Default: empty. */
  description?: string | null | undefined
  /** The project that it belongs to; null for all. Default: null. */
  project?: string | null | undefined
  /** Its permissions by name, in all environments or in one. Default: none. */
  permissions?: (string | GivenPermission)[] | null | undefined
  /** Exceptions to its permissions. The last match decides. Default: empty. */
  exceptions?: GivenException[] | null | undefined
}

/** In `PartialState.apiTokens`: API tokens. Only `secret` is needed. */
export interface GivenApiToken {
  /** The value of the `Authorization` header. */
  secret: string
  /** The type. Default: `user` for a user's token, or else `admin`. */
  type?: 'admin' | 'backend' | 'client' | 'frontend' | 'user' | null | undefined
  /** The display name. Default: the end of the secret. */
  tokenName?: string | null | undefined
  /** The environment of an SDK's token, or `*`. Default: the environment in the secret, `project:environment.hash`, or `*`. */
  environment?: string | null | undefined
  /** The IDs of its projects, or `*`. Default: `["*"]`. */
  projects?: string[] | null | undefined
  /** The ID of a personal token's user. Default: null. */
  userId?: number | null | undefined
  /** The time of expiry; null for never. Default: null. */
  expiresAt?: GivenInstant | null | undefined
  /** The time of creation. Default: the start of the world. */
  createdAt?: GivenInstant | null | undefined
  /** An alias that SDKs can send in place of the secret. Default: null. */
  alias?: string | null | undefined
  /** Whether a request created it, so that only the caller knows it: the journal hides it. Default: false. */
  generated?: boolean | null | undefined
  /** The IDs of its projects as one text, computed from `projects`. */
  project?: string | null | undefined
  /** The display name, as in responses of older versions: see `tokenName`. */
  username?: string | null | undefined
  /** Always null, as in responses. */
  seenAt?: string | null | undefined
  /** Whether the secret has the form v2, computed from it. */
  secure?: boolean | null | undefined
}

/** In `PartialState.resetTokens`: Password reset links. */
export interface GivenResetToken {
  /** The secret, as in the link. */
  secret: string
  /** The ID of the user. */
  userId: number
  /** The name of the user who requested it. Default: null. */
  createdBy?: string | null | undefined
  /** The time of creation. Default: the start of the world. */
  createdAt?: GivenInstant | null | undefined
  /** The time of expiry. Default: `"now+1d"`. */
  expiresAt?: GivenInstant | null | undefined
}

/** In `PartialState.settings`: Settings of the instance: maintenance mode. */
export interface GivenSetting {
  /** `maintenance`: whether the instance is read-only. `frontend`: the settings of the frontend API. */
  name: 'frontend' | 'maintenance'
  /** Whether maintenance mode is on. Default: false. */
  enabled?: boolean | null | undefined
  /** The origins whose pages can use the frontend API, in Unleash's form. Default: `["*"]`. */
  frontendApiOrigins?: string[] | null | undefined
}

/** In `PartialState.featureTypes`: Types of features. Only `id` is needed. */
export interface GivenFeatureType {
  /** The ID, such as `release`. */
  id: string
  /** The display name. Default: the ID. */
  name?: string | null | undefined
  /** The description. Default: empty. */
  description?: string | null | undefined
  /** The expected lifetime of its features in days; null for no limit. Default: null. */
  lifetimeDays?: number | null | undefined
}

/** In `GivenStrategyType.parameters`: The parameters of its strategies. Default: empty. */
export interface GivenStrategyParameter {
  /** The name. */
  name: string
  /** The type of its value. */
  type: 'boolean' | 'list' | 'number' | 'percentage' | 'string'
  /** The description. */
  description?: string | undefined
  /** Whether it is required. */
  required?: boolean | undefined
}

/** In `PartialState.strategyTypes`: Types of strategies. Only `name` is needed. */
export interface GivenStrategyType {
  /** The name, as used in strategies. */
  name: string
  /** The display name. Default: null. */
  displayName?: string | null | undefined
  /** The title. Default: null. */
  title?: string | null | undefined
  /** The description. Default: null. */
  description?: string | null | undefined
  /** Whether users can change and delete it, unlike built-in types. Default: true. */
  editable?: boolean | null | undefined
  /** Whether it is deprecated. Default: false. */
  deprecated?: boolean | null | undefined
  /** The parameters of its strategies. Default: empty. */
  parameters?: GivenStrategyParameter[] | null | undefined
}

/** In `PartialState.segments`: Segments. Only `id` is needed. */
export interface GivenSegment extends SegmentChange {
  /** The ID. */
  id: number
}

/** The fields of `GivenSegment` without its ID. */
export interface SegmentChange {
  /** The display name. */
  name?: string | null | undefined
  /** The description. Default: null. */
  description?: string | null | undefined
  /** The project that it belongs to; null for all. Default: null. */
  project?: string | null | undefined
  /** The constraints, which must all match. Default: empty. */
  constraints?: GivenConstraint[] | null | undefined
  /** The name of its creator. Default: `"admin"`. */
  createdBy?: string | null | undefined
  /** The time of creation. Default: the start of the world. */
  createdAt?: GivenInstant | null | undefined
  /** The number of projects with features that use it, computed from the features. */
  usedInProjects?: number | null | undefined
  /** The number of features that use it, computed from the features. */
  usedInFeatures?: number | null | undefined
}

/** In `GivenContextField.legalValues`: The allowed values; empty for any. Default: empty. */
export interface GivenLegalValue {
  /** The value. */
  value: string
  /** The description. */
  description?: string | undefined
}

/** In `PartialState.contextFields`: Fields of the context. Only `name` is needed. */
export interface GivenContextField {
  /** The name, as used in constraints. */
  name: string
  /** The description. Default: null. */
  description?: string | null | undefined
  /** Whether stickiness can use it. Default: false. */
  stickiness?: boolean | null | undefined
  /** The position in lists. Default: 0. */
  sortOrder?: number | null | undefined
  /** The allowed values; empty for any. Default: empty. */
  legalValues?: GivenLegalValue[] | null | undefined
  /** The time of creation. Default: the start of the world. */
  createdAt?: GivenInstant | null | undefined
  /** The project that it belongs to; null for all. Default: null. */
  project?: string | null | undefined
  /** The number of projects with features that use it, computed from the features. */
  usedInProjects?: number | null | undefined
  /** The number of features that use it, computed from the features. */
  usedInFeatures?: number | null | undefined
}

/** In `PartialState.tagTypes`: Types of tags. Only `name` is needed. */
export interface GivenTagType {
  /** The name. */
  name: string
  /** The description. Default: null. */
  description?: string | null | undefined
  /** The icon. Default: null. */
  icon?: string | null | undefined
  /** The colour, such as `#FF0000`. Default: null. */
  color?: string | null | undefined
}

/** In `PartialState.favorites`: Users' favorite features and projects. */
export interface GivenFavorite {
  /** The ID of the user. */
  userId: number
  /** The kind of favorite. */
  kind: 'feature' | 'project'
  /** The name of the feature, or the ID of the project. */
  name: string
}

/** In `PartialState.clientMetrics`: How often features were on and off, as reported by SDKs. */
export interface GivenClientMetric {
  /** The name of the feature. */
  featureName: string
  /** The name of the application. Default: `"unnamed-app"`. */
  appName?: string | null | undefined
  /** The name of the environment. */
  environment: string
  /** The start of the hour. Default: the start of the world. */
  timestamp?: GivenInstant | null | undefined
  /** How often it was on. Default: 0. */
  yes?: number | null | undefined
  /** How often it was off. Default: 0. */
  no?: number | null | undefined
  /** The count of each variant. Default: empty. */
  variants?: { [name: string]: number | null } | null | undefined
}

/** In `PartialState.clientInstances`: Running SDKs. */
export interface GivenClientInstance {
  /** The name of the application. */
  appName: string
  /** The ID of the instance. Default: `"default"`. */
  instanceId?: string | null | undefined
  /** The name of the environment. */
  environment: string
  /** The IDs of the projects that it uses. Default: `["*"]`. */
  projects?: string[] | null | undefined
  /** The SDK and its version, such as `unleash-client-node:6.1.0`. Default: null. */
  sdkVersion?: string | null | undefined
  /** The supported strategy types in its first report. Default: empty. */
  strategies?: string[] | null | undefined
  /** Whether its first report was only of metrics. */
  onlyCounted?: boolean | null | undefined
  /** Whether it has a frontend token; if left out, not known. */
  isFrontend?: boolean | null | undefined
  /** The time of registration. Default: the start of the world. */
  createdAt?: GivenInstant | null | undefined
  /** The time of the last report. Default: the start of the world. */
  lastSeenAt?: GivenInstant | null | undefined
}

/** In `GivenApplication.usage`: Its declared usage, in addition to its SDKs' reports. Default: `[{"project":"*","environments":["*"]}]`. */
export interface GivenUsage {
  /** The ID of a project, or `*`. */
  project: string
  /** The names of environments, or `*`. */
  environments: string[]
}

/** In `PartialState.applications`: Data about applications. Only `appName` is needed. */
export interface GivenApplication {
  /** The name. */
  appName: string
  /** The description. Default: null. */
  description?: string | null | undefined
  /** The URL of its page. Default: null. */
  url?: string | null | undefined
  /** The colour, such as `#FF0000`. Default: null. */
  color?: string | null | undefined
  /** The icon. Default: null. */
  icon?: string | null | undefined
  /** The supported strategy types. Default: those that its first SDK reports. */
  strategies?: string[] | null | undefined
  /** Its declared usage, in addition to its SDKs' reports. Default: `[{"project":"*","environments":["*"]}]`. */
  usage?: GivenUsage[] | null | undefined
  /** The time of the first report. Default: the start of the world. */
  createdAt?: GivenInstant | null | undefined
}

/** In `GivenReport.environments`: The environment and the time of each report. */
export interface GivenReportedEnvironment {
  /** The name of the environment. */
  environment: string
  /** The time of the last report, in UTC with milliseconds. */
  seenAt: string
}

/** In `GivenUnknownFlag.reports`: The applications that reported it. */
export interface GivenReport {
  /** The name of the application. */
  appName: string
  /** The environment and the time of each report. */
  environments: GivenReportedEnvironment[]
}

/** In `PartialState.unknownFlags`: Names of unknown features in SDK reports. */
export interface GivenUnknownFlag {
  /** The name. */
  name: string
  /** The applications that reported it. */
  reports: GivenReport[]
}

/** In `GivenCounter.samples`: A number for each set of labels. */
export interface GivenSample {
  /** The labels. */
  labels?: { [name: string]: string | number } | undefined
  /** The number. */
  value: number
}

/** In `PartialState.impactMetrics`: Impact metrics of applications. */
export interface GivenCounter {
  /** The name. */
  name: string
  /** The description of the metric. */
  help: string
  /** A counter only grows. */
  type: 'counter'
  /** A number for each set of labels. */
  samples: GivenSample[]
}

/** In `PartialState.impactMetrics`: Impact metrics of applications. */
export interface GivenGauge {
  /** The name. */
  name: string
  /** The description of the metric. */
  help: string
  /** A gauge goes up and down. */
  type: 'gauge'
  /** A number for each set of labels. */
  samples: GivenSample[]
}

/** In `GivenHistogramSample.buckets`: The number of values up to each limit. */
export interface GivenBucket {
  /** The limit. */
  le: number | '+Inf'
  /** The number of values up to the limit. */
  count: number
}

/** In `GivenHistogram.samples`: Counts for each set of labels. */
export interface GivenHistogramSample {
  /** The labels. */
  labels?: { [name: string]: string | number } | undefined
  /** The number of values. */
  count: number
  /** The sum of the values. */
  sum: number
  /** The number of values up to each limit. */
  buckets: GivenBucket[]
}

/** In `PartialState.impactMetrics`: Impact metrics of applications. */
export interface GivenHistogram {
  /** The name. */
  name: string
  /** The description of the metric. */
  help: string
  /** A histogram counts values by size. */
  type: 'histogram'
  /** Counts for each set of labels. */
  samples: GivenHistogramSample[]
}

/** In `PartialState.addons`: Integrations, such as webhooks. Only `id` is needed. */
export interface GivenAddon extends AddonChange {
  /** The ID. */
  id: number
}

/** In `GivenAddon.parameters`: The provider's parameters: a URL, keys, a template. Default: empty. */
export interface GivenAddonParameters {
  /** The URL for its messages. */
  url?: string | number | boolean | null | undefined
  /** The Authorization header of a webhook. */
  authorization?: string | number | boolean | null | undefined
  /** Further headers, as a JSON object of strings. */
  customHeaders?: string | number | boolean | null | undefined
  /** The access token of the app for Slack. */
  accessToken?: string | number | boolean | null | undefined
  /** The API key of Datadog. */
  apiKey?: string | number | boolean | null | undefined
  /** The license key of New Relic. */
  licenseKey?: string | number | boolean | null | undefined
  [name: string]: string | number | boolean | null | undefined
}

/** The fields of `GivenAddon` without its ID. */
export interface AddonChange {
  /** The kind of integration. Default: `"webhook"`. */
  provider?:
    | 'datadog'
    | 'new-relic'
    | 'slack'
    | 'slack-app'
    | 'teams'
    | 'teamsworkflow'
    | 'webhook'
    | (string & {})
    | null
    | undefined
  /** The description. Default: null. */
  description?: string | null | undefined
  /** Whether it is enabled. Default: true. */
  enabled?: boolean | null | undefined
  /** The provider's parameters: a URL, keys, a template. Default: empty. */
  parameters?: GivenAddonParameters | null | undefined
  /** The event types that it reports. Default: empty. */
  events?: string[] | null | undefined
  /** The IDs of the projects that it reports on; empty for all. Default: empty. */
  projects?: string[] | null | undefined
  /** The names of the environments that it reports on; empty for all. Default: empty. */
  environments?: string[] | null | undefined
  /** The time of creation. Default: the start of the world. */
  createdAt?: GivenInstant | null | undefined
}

/** In `GivenEvent.tags`: The tags of the feature. Default: empty. */
export interface GivenEventTag {
  /** The type of the tag, such as `simple`. */
  type: string
  /** The value of the tag. */
  value: string
  /** The colour of the tag. */
  color?: string | null | undefined
}

/** In `GivenIntegrationEvent.event`: The event that it reports. */
export interface GivenEvent {
  /** The ID; later events have higher IDs. */
  id: number
  /** The event type, such as `feature-created`. */
  type: string
  /** The name of the user. Default: `"system"`. */
  createdBy?: string | null | undefined
  /** The time. Default: the start of the world. */
  createdAt?: GivenInstant | null | undefined
  /** The ID of the user; null for a migration. Default: -1337. */
  createdByUserId?: number | null | undefined
  /** The data after the change. Default: null. */
  data?: unknown
  /** The data before the change. Default: null. */
  preData?: unknown
  /** The tags of the feature. Default: empty. */
  tags?: GivenEventTag[] | null | undefined
  /** The name of the feature. Default: null. */
  featureName?: string | null | undefined
  /** The ID of the project. Default: null. */
  project?: string | null | undefined
  /** The name of the environment. Default: null. */
  environment?: string | null | undefined
  /** The kind of change that it belongs to. */
  groupType?: string | null | undefined
  /** The ID of the change that it belongs to. */
  groupId?: string | null | undefined
}

/** In `GivenIntegrationEvent.details`: The contents of the message. */
export interface GivenDetails {
  /** The URL that it would have gone to. */
  url?: string | number | boolean | null | undefined
  [name: string]: unknown
}

/** In `PartialState.integrationEvents`: Messages that integrations would have sent. */
export interface GivenIntegrationEvent {
  /** The ID; later messages have higher IDs. */
  id: string
  /** The ID of the integration. */
  integrationId: number
  /** The time of recording. */
  createdAt: GivenInstant
  /** The outcome. */
  state: 'failed' | 'success' | 'successWithErrors'
  /** The outcome in words. */
  stateDetails: string
  /** The event that it reports. */
  event: GivenEvent
  /** The contents of the message. */
  details: GivenDetails
}

/** In `PartialState.sequences`: The highest IDs of removed records, which are never used again. */
export interface GivenSequence {
  /** The kind of records: `users`, `segments`, `addons` or `integrationEvents`. */
  name: 'addons' | 'integrationEvents' | 'segments' | 'users'
  /** The highest ID of a removed record. */
  last: number
}
