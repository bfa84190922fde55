import type { GivenInstant } from '../../../service/resources/shared/schema.js'

export interface GivenSegment extends SegmentChange {
  /** Its id. */
  id: number
}

export interface SegmentChange {
  /** The number of projects with features that use it. It must agree with them. */
  usedInProjects?: number | null | undefined
  /** The number of features that use it. It must agree with them. */
  usedInFeatures?: number | null | undefined
  /** The name to show. */
  name?: string | null | undefined
  /** What it is for. Default: null. */
  description?: string | null | undefined
  /** The project that it belongs to; null for all. Default: null. */
  project?: string | null | undefined
  /** The conditions that all have to hold. Default: empty. */
  constraints?: GivenConstraint[] | null | undefined
  /** Who created it. Default: `"admin"`. */
  createdBy?: string | null | undefined
  /** When it was created. Default: the start of the world. */
  createdAt?: GivenInstant | null | undefined
}

export interface GivenConstraint {
  /** The field of the context, such as `userId` or `appName`. */
  contextName: string
  /** How the field is compared. */
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
  /** Whether upper and lower case are the same. Default: false. */
  caseInsensitive?: boolean | undefined
  /** Whether the condition is negated. Default: false. */
  inverted?: boolean | undefined
  /** The values to compare with, for `IN`, `NOT_IN` and the operators that begin with `STR_`. */
  values?: string[] | undefined
  /** The value to compare with, for all other operators. */
  value?: string | undefined
}

export interface GivenContextField {
  /** Its name, which constraints name. */
  name: string
  /** What it is. Default: null. */
  description?: string | null | undefined
  /** Whether it can decide who gets a variant. Default: false. */
  stickiness?: boolean | null | undefined
  /** Its position in lists. Default: 0. */
  sortOrder?: number | null | undefined
  /** The values that it can have; none for any. Default: empty. */
  legalValues?: GivenLegalValue[] | null | undefined
  /** When it was created. Default: the start of the world. */
  createdAt?: GivenInstant | null | undefined
  /** The project that it belongs to; null for all. Default: null. */
  project?: string | null | undefined
  /** The number of projects with features that use it. It must agree with them. */
  usedInProjects?: number | null | undefined
  /** The number of features that use it. It must agree with them. */
  usedInFeatures?: number | null | undefined
}

export interface GivenLegalValue {
  /** The value. */
  value: string
  /** What it means. */
  description?: string | undefined
}

export interface GivenStrategyType {
  /** Its name, which strategies name. */
  name: string
  /** The name to show. Default: null. */
  displayName?: string | null | undefined
  /** A title. Default: null. */
  title?: string | null | undefined
  /** What it does. Default: null. */
  description?: string | null | undefined
  /** Whether it can be changed and deleted; built-in types can't. Default: true. */
  editable?: boolean | null | undefined
  /** Whether it should no longer be used. Default: false. */
  deprecated?: boolean | null | undefined
  /** The parameters that its strategies take. Default: empty. */
  parameters?: GivenStrategyParameter[] | null | undefined
}

export interface GivenStrategyParameter {
  /** Its name. */
  name: string
  /** What it holds. */
  type: 'boolean' | 'list' | 'number' | 'percentage' | 'string'
  /** What it is for. Default: empty. */
  description?: string | undefined
  /** Whether each strategy must have it. Default: false. */
  required?: boolean | undefined
}
