import type { GivenInstant, GivenList, GivenNames, GivenNumbered, GivenTag, OrOther } from './shared.js'
import type { GivenStrategy, GivenStrategyChange, GivenVariant, StoredStrategy } from './strategies.js'

/** A stage in the life of a feature. */
export interface GivenLifecycle {
  /** The stage. */
  stage: 'initial' | 'pre-live' | 'live' | 'completed' | 'archived'
  /** How a completed feature ended, such as `kept` or `discarded`. */
  status?: string | null | undefined
  /** When the stage began. Default: when the feature was created or archived. */
  enteredStageAt?: GivenInstant | undefined
}

/** A feature flag. Only its name is needed. */
export interface GivenFeature {
  /** Its name, unique in the whole service. */
  name: string
  /** Its type: a built-in one, or one of the `featureTypes`. Default: `release`. */
  type?: OrOther<'release' | 'experiment' | 'operational' | 'kill-switch' | 'permission' | 'sunset'> | undefined
  /** What it is for. Default: null. */
  description?: string | null | undefined
  /** The id of its project. Default: `default`. */
  project?: string | undefined
  /** Whether it is marked as stale. Default: false. */
  stale?: boolean | undefined
  /** Whether SDKs report each evaluation. Default: false. */
  impressionData?: boolean | undefined
  /** Whether it is archived. Default: whether there is an `archivedAt`. */
  archived?: boolean | undefined
  /** When it was archived. */
  archivedAt?: GivenInstant | null | undefined
  /** When it was created. Default: the start of the world. */
  createdAt?: GivenInstant | undefined
  /** The user who created it. Default: the first user. */
  createdBy?: GivenActor | undefined
  /** When an SDK last used it. Default: null, never. */
  lastSeenAt?: GivenInstant | null | undefined
  /** The stage of its life. Default: `initial`, or `archived`. */
  lifecycle?: GivenLifecycle | undefined
  /** Earlier stages of its life. */
  pastStages?: GivenLifecycle[] | undefined
  /** The parent features that it depends on. */
  dependencies?: GivenList<GivenDependency> | undefined
  /** The users who changed it. Default: its creator. */
  collaborators?: GivenCollaborators | undefined
  /** Its tags. */
  tags?: GivenList<GivenTag> | undefined
  /** Links to related pages. */
  links?: GivenNumbered<GivenLink, GivenLinkChange> | undefined
  /** What holds in each environment. Those of its project that are left out have it off, with no strategies. */
  environments?: GivenList<GivenFeatureEnvironment> | undefined
  /** The environments that it is in besides those listed, if not all of its project. */
  onlyIn?: GivenNames | undefined
  /** Strategies in environments that its project is not connected to. They return with the connection. */
  detached?: GivenDetached[] | undefined
  /** Switches it on or off in all its environments that don't say otherwise. */
  enabled?: boolean | undefined
  /** Whether a user marked it as a favorite. It must agree with `favorites`. */
  favorite?: boolean | undefined
  /** The features that depend on it. They must agree with their `dependencies`. */
  children?: string[] | undefined
  /** Variants belong to an environment: see `environments`. Responses have an empty list here. */
  variants?: never[] | undefined
  /** Strategies belong to an environment: see `environments`. Responses have an empty list here. */
  strategies?: never[] | undefined
}

/** Strategies of a feature in an environment that its project is not connected to. */
export interface GivenDetached {
  /** The name of the environment. */
  name: string
  /** The strategies, as snapshots have them. */
  strategies: StoredStrategy[]
}

/** A user who did something. */
export interface GivenActor {
  /** The id of the user. */
  id: number
  /** The name to show. Default: that of the user with this id. */
  name?: string | undefined
  /** The picture to show. Default: that of the user with this id. */
  imageUrl?: string | undefined
}

/** A parent feature, and what is required of it. */
export interface GivenDependency {
  /** The name of the parent. */
  feature: string
  /** Whether the parent has to be on (the default) or off. */
  enabled?: boolean | undefined
  /** The variants of the parent that count. Default: any. */
  variants?: string[] | undefined
}

/** The users who changed a feature. */
export interface GivenCollaborators {
  /** The users, with what is shown of them. */
  users: GivenCollaborator[]
}

/** A user who changed a feature. */
export interface GivenCollaborator {
  /** The id of the user. */
  id: number
  /** The name to show. */
  name: string
  /** The picture to show. */
  imageUrl: string
}

/** What can be changed of a link. */
export interface GivenLinkChange {
  /** Its id. Default: a new one. */
  id?: string | undefined
  /** Where it leads. */
  url?: string
  /** Its text. Default: null. */
  title?: string | null | undefined
}

/** A link to a related page. */
export interface GivenLink extends GivenLinkChange {
  /** Where it leads. */
  url: string
}

/** A feature in one environment. Only the environment's name is needed. */
export interface GivenFeatureEnvironment {
  /** The name of the environment. */
  name: string
  /** Whether the feature is on there. Default: the feature's own `enabled`, or false. */
  enabled?: boolean | undefined
  /** When an SDK last used it there. Default: null, never. */
  lastSeenAt?: GivenInstant | null | undefined
  /** Whom it is on for. Default: no strategies. */
  strategies?: GivenNumbered<GivenStrategy, GivenStrategyChange> | undefined
  /** The variants of the feature there, with overrides. */
  variants?: GivenList<GivenVariant> | undefined
  /** The name of the feature, as responses have it. */
  featureName?: string | undefined
  /** The name of the environment again, as responses have it. */
  environment?: string | undefined
  /** The type of the environment. It must agree with `environments` of the state. */
  type?: string | undefined
  /** The position of the environment. It must agree with `environments` of the state. */
  sortOrder?: number | undefined
  /** The number of variants, as responses have it. */
  variantCount?: number | undefined
  /** Whether there are strategies, as responses have it. */
  hasStrategies?: boolean | undefined
  /** Whether there are strategies that are not disabled, as responses have it. */
  hasEnabledStrategies?: boolean | undefined
  /** How often it was on, as responses have it. See `clientMetrics`. */
  yes?: number | undefined
  /** How often it was off, as responses have it. See `clientMetrics`. */
  no?: number | undefined
}
