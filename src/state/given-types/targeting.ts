import type { GivenConstraint, GivenInstant, GivenList } from './shared.js'

/** A type of strategy. Only its name is needed. */
export interface GivenStrategyType {
  /** Its name, which strategies name. */
  name: string
  /** The name to show. */
  displayName?: string | null | undefined
  /** A title. Default: null. */
  title?: string | null | undefined
  /** What it does. Default: null. */
  description?: string | null | undefined
  /** Whether it can be changed and deleted; built-in types can't. Default: true. */
  editable?: boolean | undefined
  /** Whether it should no longer be used. Default: false. */
  deprecated?: boolean | undefined
  /** The parameters that its strategies take. */
  parameters?: GivenList<GivenStrategyParameter> | undefined
}

/** A parameter of a type of strategy. */
export interface GivenStrategyParameter {
  /** Its name. */
  name: string
  /** What it holds. */
  type: 'string' | 'percentage' | 'list' | 'number' | 'boolean'
  /** What it is for. */
  description?: string | undefined
  /** Whether each strategy must have it. Default: false. */
  required?: boolean | undefined
}

/** What can be changed of a segment whose id is known. */
export interface GivenSegmentChange {
  /** The name to show. */
  name?: string | undefined
  /** What it is for. Default: null. */
  description?: string | null | undefined
  /** The project that it belongs to. Default: null, all. */
  project?: string | null | undefined
  /** The conditions that all have to hold. */
  constraints?: GivenList<GivenConstraint> | undefined
  /** Who created it. */
  createdBy?: string | undefined
  /** When it was created. Default: the start of the world. */
  createdAt?: GivenInstant | undefined
  /** The number of projects with features that use it. It must agree with them. */
  usedInProjects?: number | undefined
  /** The number of features that use it. It must agree with them. */
  usedInFeatures?: number | undefined
}

/** A group of users, described by constraints. Only its id is needed. */
export interface GivenSegment extends GivenSegmentChange {
  /** Its id. */
  id: number
}

/** A field of the context. Only its name is needed. */
export interface GivenContextField {
  /** Its name, which constraints name. */
  name: string
  /** What it is. Default: null. */
  description?: string | null | undefined
  /** Whether it can decide who gets a variant. Default: false. */
  stickiness?: boolean | undefined
  /** Its position in lists. Default: 0. */
  sortOrder?: number | undefined
  /** The values that it can have. Default: any. */
  legalValues?: GivenList<GivenLegalValue> | undefined
  /** When it was created. Default: the start of the world. */
  createdAt?: GivenInstant | undefined
  /** The project that it belongs to. Default: null, all. */
  project?: string | null | undefined
  /** The number of projects with features that use it. It must agree with them. */
  usedInProjects?: number | undefined
  /** The number of features that use it. It must agree with them. */
  usedInFeatures?: number | undefined
}

/** A value that a field of the context can have. */
export interface GivenLegalValue {
  /** The value. */
  value: string
  /** What it means. */
  description?: string | undefined
}
