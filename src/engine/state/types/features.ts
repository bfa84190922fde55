import type { Records } from '../../../service/resources/shared/merge-patch.js'
import type { GivenInstant } from '../../../service/resources/shared/schema.js'
import type { GivenConstraint } from './targeting.js'

export interface GivenFeature {
  /** Its name, unique in the whole service. */
  name: string
  /** Its type: a built-in one, or one of the `featureTypes`. Default: `"release"`. */
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
  /** What it is for. Default: null. */
  description?: string | null | undefined
  /** The id of its project. Default: `"default"`. */
  project?: string | null | undefined
  /** Whether it is marked as stale. Default: false. */
  stale?: boolean | null | undefined
  /** Whether SDKs report each evaluation. Default: false. */
  impressionData?: boolean | null | undefined
  /** Whether it is archived. Default: whether there is an `archivedAt`. */
  archived?: boolean | null | undefined
  /** When it was archived; null if it was not. */
  archivedAt?: GivenInstant | null | undefined
  /** When it was created. Default: the start of the world. */
  createdAt?: GivenInstant | null | undefined
  /** The user who created it. Default: the first user. */
  createdBy?: GivenCreator | null | undefined
  /** When an SDK last used it; null for never. Default: null. */
  lastSeenAt?: GivenInstant | null | undefined
  /** The stage of its life. Default: `initial`, or `archived`. */
  lifecycle?: GivenStage | null | undefined
  /** Earlier stages of its life, oldest first. Default: empty. */
  pastStages?: GivenPastStage[] | null | undefined
  /** The parent features that it depends on. Default: empty. */
  dependencies?: GivenDependency[] | null | undefined
  /** The users who changed it. Default: its creator. */
  collaborators?: GivenCollaborators | null | undefined
  /** Its tags. Default: empty. */
  tags?: GivenTag[] | null | undefined
  /** Links to related pages. Default: empty. */
  links?: GivenLink[] | null | undefined
  /** What holds in each environment. Those of its project that are left out have it off, with no strategies. */
  environments?: Records<GivenFeatureEnvironment> | null | undefined
  /** Strategies in environments that its project is not connected to. They return with the connection. */
  detached?: GivenDetachedEnvironment[] | null | undefined
  /** The environments that it is in besides those listed, if not all of its project. */
  onlyIn?: string[] | null | undefined
  /** Switches it on or off in all its environments that don't say otherwise. */
  enabled?: boolean | null | undefined
  /** Whether a user marked it as a favorite. It must agree with `favorites`. */
  favorite?: boolean | null | undefined
  /** The features that depend on it. They must agree with their `dependencies`. */
  children?: string[] | null | undefined
  /** Variants belong to an environment: see `environments`. Responses have an empty list here. */
  variants?: never[] | null | undefined
  /** Strategies belong to an environment: see `environments`. Responses have an empty list here. */
  strategies?: never[] | null | undefined
}

export interface GivenCreator {
  /** The id of the user. */
  id: number
  /** The name to show. Default: that of the user with this id. */
  name?: string | null | undefined
  /** The picture to show. Default: that of the user with this id. */
  imageUrl?: string | null | undefined
}

export interface GivenStage {
  /** The stage. */
  stage: 'archived' | 'completed' | 'initial' | 'live' | 'pre-live'
  /** How a completed feature ended, such as `kept` or `discarded`. */
  status?: string | null | undefined
  /** When the stage began. Default: when the feature was created or archived. */
  enteredStageAt?: GivenInstant | null | undefined
}

export interface GivenPastStage extends GivenStage {
  /** When the stage began. Default: when the feature was created or archived. */
  enteredStageAt?: GivenInstant | undefined
}

export interface GivenDependency {
  /** The name of the parent. */
  feature: string
  /** Whether the parent has to be on (the default) or off. */
  enabled?: boolean | undefined
  /** The variants of the parent that count. Default: any. */
  variants?: string[] | undefined
}

export interface GivenCollaborators {
  /** The users, with what is shown of them. */
  users: GivenCollaborator[]
}

export interface GivenCollaborator {
  /** The id of the user. */
  id: number
  /** The name to show. Default: that of the user with this id. */
  name: string
  /** The picture to show. Default: that of the user with this id. */
  imageUrl: string
}

export interface GivenLink {
  /** Its id. Default: a new one. */
  id?: string | undefined
  /** Where it leads. */
  url: string
  /** Its text. Default: null. */
  title?: string | null | undefined
}

export interface GivenFeatureEnvironment {
  /** The name of the environment. */
  name: string
  /** Whether the feature is on there. Default: the feature's own `enabled`, or false. */
  enabled?: boolean | null | undefined
  /** When an SDK last used it there; null for never. Default: null. */
  lastSeenAt?: GivenInstant | null | undefined
  /** Whom it is on for. Default: empty. */
  strategies?: GivenStrategy[] | null | undefined
  /** The variants of the feature there, with overrides. Default: empty. */
  variants?: GivenVariant[] | null | undefined
  /** The name of the feature, as responses have it. */
  featureName?: string | null | undefined
  /** The name of the environment again, as responses have it. */
  environment?: string | null | undefined
  /** The type of the environment. It must agree with `environments` of the state. */
  type?: string | null | undefined
  /** The position of the environment. It must agree with `environments` of the state. */
  sortOrder?: number | null | undefined
  /** The number of variants, as responses have it. */
  variantCount?: number | null | undefined
  /** Whether there are strategies, as responses have it. */
  hasStrategies?: boolean | null | undefined
  /** Whether there are strategies that are not disabled, as responses have it. */
  hasEnabledStrategies?: boolean | null | undefined
  /** How often it was on, as responses have it. See `clientMetrics`. */
  yes?: number | null | undefined
  /** How often it was off, as responses have it. See `clientMetrics`. */
  no?: number | null | undefined
}

export interface GivenVariant extends GivenStrategyVariant {
  /** Who always gets it. */
  overrides?: GivenOverride[] | undefined
}

export interface GivenOverride {
  /** The field of the context. */
  contextName: string
  /** The values of the field that get the variant. */
  values: string[]
}

export interface GivenStrategy {
  /** Its id. Default: a new one. */
  id?: string | undefined
  /** Its type: a built-in one, or one of the `strategyTypes`. */
  name: 'applicationHostname' | 'default' | 'flexibleRollout' | 'remoteAddress' | 'userWithId' | (string & {})
  /** A title. Default: null. */
  title?: string | null | undefined
  /** Whether it is switched off. Default: false. */
  disabled?: boolean | undefined
  /** Its position. Default: that in the list. */
  sortOrder?: number | undefined
  /** The ids of the segments that have to apply too. Default: empty. */
  segments?: number[] | undefined
  /** Conditions that have to hold too. Default: empty. */
  constraints?: GivenConstraint[] | undefined
  /** Its own variants. Default: empty. */
  variants?: GivenStrategyVariant[] | undefined
  /** Its parameters, as text. Default for `flexibleRollout`: everybody, in the group of the feature's name. */
  parameters?: { [name: string]: string } | undefined
  /** The name of the feature, as responses have it. */
  featureName?: string | undefined
}

export interface GivenStrategyVariant {
  /** Its name. */
  name: string
  /** Its share, in thousandths. Default: an equal share. */
  weight?: number | undefined
  /** Whether the share is fixed, or what the fixed ones leave. Default: `variable`. */
  weightType?: 'fix' | 'variable' | undefined
  /** The field of the context that decides who gets it. Default: `default`. */
  stickiness?: string | undefined
  /** What comes with it. */
  payload?: GivenPayload | undefined
}

export interface GivenPayload {
  /** `json`, `csv`, `string` or `number`. */
  type: string
  /** The payload as text, whatever its type. */
  value: string
}

export interface GivenDetachedEnvironment {
  /** The name of the environment. */
  name: string
  /** Whom it is on for. */
  strategies: GivenDetachedStrategy[]
}

export interface GivenDetachedStrategy {
  /** Its id. Default: a new one. */
  id: string
  /** Its type: a built-in one, or one of the `strategyTypes`. */
  name: string
  /** A title. */
  title: string | null
  /** Whether it is switched off. */
  disabled: boolean
  /** Its position. Default: that in the list. */
  sortOrder: number
  /** The ids of the segments that have to apply too. */
  segments: number[]
  /** Conditions that have to hold too. */
  constraints: GivenConstraint[]
  /** Its own variants. */
  variants: GivenDetachedVariant[]
  /** Its parameters, as text. Default for `flexibleRollout`: everybody, in the group of the feature's name. */
  parameters: { [name: string]: string }
}

export interface GivenDetachedVariant {
  /** Its name. */
  name: string
  /** Its share, in thousandths. Default: an equal share. */
  weight: number
  /** Whether the share is fixed, or what the fixed ones leave. Default: `variable`. */
  weightType: 'fix' | 'variable'
  /** The field of the context that decides who gets it. Default: `default`. */
  stickiness: string
  /** What comes with it. */
  payload?: GivenPayload | undefined
}

export interface GivenTag {
  /** The type of the tag, such as `simple`. */
  type: string
  /** The value of the tag. */
  value: string
}

export interface GivenTagType {
  /** Its name. */
  name: string
  /** What it is for. Default: empty. */
  description?: string | null | undefined
  /** An icon. Default: null. */
  icon?: string | null | undefined
  /** A colour such as `#FF0000`. Default: null. */
  color?: string | null | undefined
}

export interface GivenFeatureType {
  /** Its id, such as `release`. */
  id: string
  /** The name to show. Default: the id. */
  name?: string | null | undefined
  /** What it is for. Default: empty. */
  description?: string | null | undefined
  /** The days that its features are expected to live; null for no limit. Default: null. */
  lifetimeDays?: number | null | undefined
}

export interface GivenFavorite {
  /** The id of the user. */
  userId: number
  /** What is marked. */
  kind: 'feature' | 'project'
  /** The name of the feature, or the id of the project. */
  name: string
}
