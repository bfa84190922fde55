import type { GivenInstant } from '../../../service/resources/shared/schema.js'

export interface GivenSegment extends SegmentChange {
  /** The ID. */
  id: number
}

export interface SegmentChange {
  /** The number of projects with features that use it. Must agree with them. */
  usedInProjects?: number | null | undefined
  /** The number of features that use it. Must agree with them. */
  usedInFeatures?: number | null | undefined
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
}

export interface GivenConstraint {
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
  /** The number of projects with features that use it. Must agree with them. */
  usedInProjects?: number | null | undefined
  /** The number of features that use it. Must agree with them. */
  usedInFeatures?: number | null | undefined
}

export interface GivenLegalValue {
  /** The value. */
  value: string
  /** The description. */
  description?: string | undefined
}

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

export interface GivenStrategyParameter {
  /** The name. */
  name: string
  /** The type of its value. */
  type: 'boolean' | 'list' | 'number' | 'percentage' | 'string'
  /** The description. Default: empty. */
  description?: string | undefined
  /** Whether it is required. Default: false. */
  required?: boolean | undefined
}
