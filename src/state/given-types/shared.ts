/** A date-time such as `2026-11-20T12:00:00Z`, or one relative to the start of the world: `now+30d`, `now-2h`. */
export type GivenInstant = string

/** A list or, in its place, an object that changes the items that it names. There, `null` removes one. */
export type GivenList<Item> = Item[] | { [name: string]: Partial<Item> | null }

/** The same where each item has to be given whole. */
export type GivenWholes<Item> = Item[] | { [name: string]: Item | null }

/** A list of names or, in its place, an object in which `true` adds a name and `false` removes one. */
export type GivenNames = string[] | { [name: string]: boolean }

/** One of some known names, which editors complete, or any other. */
export type OrOther<Known extends string> = Known | (string & {})

/** A type of tag and its value. */
export interface GivenTag {
  /** The type of the tag, such as `simple`. */
  type: string
  /** The value of the tag. */
  value: string
}

/** A condition on a field of the context. */
export interface GivenConstraint {
  /** The field of the context, such as `userId` or `appName`. */
  contextName: string
  /** How the field is compared. */
  operator:
    | 'IN'
    | 'NOT_IN'
    | 'STR_CONTAINS'
    | 'STR_STARTS_WITH'
    | 'STR_ENDS_WITH'
    | 'NUM_EQ'
    | 'NUM_GT'
    | 'NUM_GTE'
    | 'NUM_LT'
    | 'NUM_LTE'
    | 'DATE_AFTER'
    | 'DATE_BEFORE'
    | 'SEMVER_EQ'
    | 'SEMVER_GT'
    | 'SEMVER_GTE'
    | 'SEMVER_LT'
    | 'SEMVER_LTE'
    | 'REGEX'
  /** The values to compare with, for `IN`, `NOT_IN` and the operators that begin with `STR_`. */
  values?: string[] | undefined
  /** The value to compare with, for all other operators. */
  value?: string | undefined
  /** Whether the condition is negated. Default: false. */
  inverted?: boolean | undefined
  /** Whether upper and lower case are the same. Default: false. */
  caseInsensitive?: boolean | undefined
}

/** What comes with a variant. */
export interface GivenPayload {
  /** `json`, `csv`, `string` or `number`. */
  type: string
  /** The payload as text, whatever its type. */
  value: string
}
