import type { GivenConstraint, GivenList, GivenPayload, OrOther } from './shared.js'

/** What can be changed of a strategy. */
export interface GivenStrategyChange {
  /** Its id. Default: a new one. */
  id?: string | undefined
  /** Its type: a built-in one, or one of the `strategyTypes`. */
  name?: OrOther<'default' | 'flexibleRollout' | 'userWithId' | 'remoteAddress' | 'applicationHostname'>
  /** A title. Default: null. */
  title?: string | null | undefined
  /** Whether it is switched off. Default: false. */
  disabled?: boolean | undefined
  /** Its position. Default: that in the list. */
  sortOrder?: number | undefined
  /** The ids of the segments that have to apply too. */
  segments?: number[] | undefined
  /** Conditions that have to hold too. */
  constraints?: GivenList<GivenConstraint> | undefined
  /** Its own variants. */
  variants?: GivenList<GivenStrategyVariant> | undefined
  /** Its parameters, as text. Default for `flexibleRollout`: everybody, in the group of the feature's name. */
  parameters?: Record<string, string> | undefined
  /** The name of the feature, as responses have it. */
  featureName?: string | undefined
}

/** A strategy: whom a feature is on for. Only its type is needed. */
export interface GivenStrategy extends GivenStrategyChange {
  /** Its type: a built-in one, or one of the `strategyTypes`. */
  name: OrOther<'default' | 'flexibleRollout' | 'userWithId' | 'remoteAddress' | 'applicationHostname'>
}

/** A strategy with all its fields. */
export interface StoredStrategy {
  /** Its id. */
  id: string
  /** Its type. */
  name: string
  /** A title, or null. */
  title: string | null
  /** Whether it is switched off. */
  disabled: boolean
  /** Its position. */
  sortOrder: number
  /** The ids of the segments that have to apply too. */
  segments: number[]
  /** Conditions that have to hold too. */
  constraints: GivenConstraint[]
  /** Its own variants. */
  variants: StoredVariant[]
  /** Its parameters, as text. */
  parameters: Record<string, string>
}

/** A variant with all its fields. */
export interface StoredVariant {
  /** Its name. */
  name: string
  /** Its share, in thousandths. */
  weight: number
  /** Whether the share is fixed, or what the fixed ones leave. */
  weightType: 'fix' | 'variable'
  /** The field of the context that decides who gets it. */
  stickiness: string
  /** What comes with it. */
  payload?: GivenPayload | undefined
}

/** A variant of a strategy. Only its name is needed. */
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

/** A variant of a feature in an environment. Only its name is needed. */
export interface GivenVariant extends GivenStrategyVariant {
  /** Who always gets it. */
  overrides?: GivenOverride[] | undefined
}

/** Who always gets a variant. */
export interface GivenOverride {
  /** The field of the context. */
  contextName: string
  /** The values of the field that get the variant. */
  values: string[]
}
