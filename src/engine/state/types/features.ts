import type { Records } from '../../../service/resources/shared/merge-patch.js'
import type { GivenInstant } from '../../../service/resources/shared/schema.js'
import type { GivenConstraint } from './targeting.js'

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
  /** Whether it is a user's favorite. Must agree with `favorites`. */
  favorite?: boolean | null | undefined
  /** The features that depend on it. Must agree with their `dependencies`. */
  children?: string[] | null | undefined
  /** Variants belong to an environment: see `environments`. Responses have an empty list here. */
  variants?: never[] | null | undefined
  /** Strategies belong to an environment: see `environments`. Responses have an empty list here. */
  strategies?: never[] | null | undefined
}

export interface GivenCreator {
  /** The ID of the user. */
  id: number
  /** The display name. Default: the user's name. */
  name?: string | null | undefined
  /** The picture's URL. Default: the user's picture. */
  imageUrl?: string | null | undefined
}

export interface GivenStage {
  /** The stage. */
  stage: 'archived' | 'completed' | 'initial' | 'live' | 'pre-live'
  /** The outcome of a completed feature, such as `kept` or `discarded`. */
  status?: string | null | undefined
  /** The start of the stage. Default: the feature's creation or archiving. */
  enteredStageAt?: GivenInstant | null | undefined
}

export interface GivenPastStage extends GivenStage {
  /** The start of the stage. Default: the feature's creation or archiving. */
  enteredStageAt?: GivenInstant | undefined
}

export interface GivenDependency {
  /** The name of the parent. */
  feature: string
  /** Whether the parent must be on (the default) or off. */
  enabled?: boolean | undefined
  /** The required variants of the parent. Default: any. */
  variants?: string[] | undefined
}

export interface GivenCollaborators {
  /** The users, with their names and pictures. */
  users: GivenCollaborator[]
}

export interface GivenCollaborator {
  /** The ID of the user. */
  id: number
  /** The display name. Default: the user's name. */
  name: string
  /** The picture's URL. Default: the user's picture. */
  imageUrl: string
}

export interface GivenLink {
  /** The ID. Default: a new ID. */
  id?: string | undefined
  /** The URL. */
  url: string
  /** The link text. Default: null. */
  title?: string | null | undefined
}

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

export interface GivenVariant extends GivenStrategyVariant {
  /** Overrides, which give it to certain users. */
  overrides?: GivenOverride[] | undefined
}

export interface GivenOverride {
  /** The context field. */
  contextName: string
  /** The field's values that get the variant. */
  values: string[]
}

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

export interface GivenPayload {
  /** `json`, `csv`, `string` or `number`. */
  type: string
  /** The payload as text, for any type. */
  value: string
}

export interface GivenDetachedEnvironment {
  /** The name of the environment. */
  name: string
  /** The strategies, which select the users that it is on for. */
  strategies: GivenDetachedStrategy[]
}

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

export interface GivenTag {
  /** The type of the tag, such as `simple`. */
  type: string
  /** The value of the tag. */
  value: string
}

export interface GivenTagType {
  /** The name. */
  name: string
  /** The description. Default: empty. */
  description?: string | null | undefined
  /** The icon. Default: null. */
  icon?: string | null | undefined
  /** The colour, such as `#FF0000`. Default: null. */
  color?: string | null | undefined
}

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

export interface GivenFavorite {
  /** The ID of the user. */
  userId: number
  /** The kind of favorite. */
  kind: 'feature' | 'project'
  /** The name of the feature, or the ID of the project. */
  name: string
}
