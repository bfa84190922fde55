import type { GivenConstraint, GivenInstant, GivenList, GivenNames, GivenWholes, OrOther } from './shared.js'

/** A project. Only its id is needed. */
export interface GivenProject {
  /** Its id, as in URLs. */
  id: string
  /** The name to show. Default: the id. */
  name?: string | undefined
  /** What it is for. Default: null. */
  description?: string | null | undefined
  /** Who sees and changes it. Default: `open`. */
  mode?: 'open' | 'protected' | 'private' | undefined
  /** When it was created. Default: the start of the world. */
  createdAt?: GivenInstant | undefined
  /** When it was last changed. Default: null. */
  updatedAt?: GivenInstant | null | undefined
  /** When it was archived. Default: null, not at all. */
  archivedAt?: GivenInstant | null | undefined
  /** The names of its environments. Default: all. */
  environments?: GivenNames | undefined
  /** Its members: a user name with the name of a role, or their ids. */
  members?: GivenWholes<GivenMember | GivenMemberById> | undefined
  /** The names of the environments that need change requests. */
  changeRequests?: GivenNames | undefined
  /** The pattern that names of its features must match. */
  featureNaming?: GivenFeatureNaming | undefined
  /** The most features that it takes. Default: null, no limit. */
  featureLimit?: number | null | undefined
  /** For each environment, the strategy that a feature gets when it is first switched on there. */
  defaultStrategies?: Record<string, GivenDefaultStrategy> | undefined
  /** Templates of links that new features get. */
  linkTemplates?: GivenList<GivenLinkTemplate> | undefined
  /** A rating, as responses have it. */
  health?: number | undefined
  /** A rating, as responses have it. */
  technicalDebt?: number | undefined
  /** The number of its features. It must agree with `features`. */
  featureCount?: number | undefined
  /** The number of its members. It must agree with `members`. */
  memberCount?: number | undefined
  /** The time of its latest event, as responses have it. */
  lastUpdatedAt?: string | null | undefined
  /** Always null, as responses have it. */
  lastReportedFlagUsage?: string | null | undefined
  /** What is done and to do in it, as responses have it. */
  onboardingStatus?: Record<string, string> | undefined
  /** Its owners, as responses have them. See `members`. */
  owners?: Record<string, unknown>[] | undefined
  /** Whether a user marked it as a favorite. It must agree with `favorites`. */
  favorite?: boolean | undefined
}

/** The strategy that a feature gets when it is first switched on in an environment. Only its type is needed. */
export interface GivenDefaultStrategy {
  /** Its type: a built-in one, or one of the `strategyTypes`. */
  name: string
  /** A title. Default: null. */
  title?: string | null | undefined
  /** Whether it is switched off. Default: false. */
  disabled?: boolean | null | undefined
  /** Its position. */
  sortOrder?: number | undefined
  /** The ids of the segments that have to apply too. */
  segments?: number[] | undefined
  /** Conditions that have to hold too. */
  constraints?: GivenConstraint[] | undefined
  /** Its own variants. */
  variants?: GivenDefaultVariant[] | undefined
  /** Its parameters, as text. */
  parameters?: Record<string, string> | undefined
}

/** A variant of a default strategy. */
export interface GivenDefaultVariant {
  /** Its name. */
  name: string
  /** Its share, in thousandths. */
  weight: number
  /** Whether the share is fixed, or what the fixed ones leave. */
  weightType: 'fix' | 'variable'
  /** The field of the context that decides who gets it. */
  stickiness: string
  /** What comes with it. */
  payload?: GivenDefaultPayload | undefined
}

/** What comes with a variant of a default strategy. */
export interface GivenDefaultPayload {
  /** How the value is read. */
  type: 'json' | 'csv' | 'string' | 'number'
  /** The value, as text. */
  value: string
}

/** A member of a project, by name. */
export interface GivenMember {
  /** The user name. */
  user: string
  /** The name of the role in the project. */
  role: string
  /** False takes the role away. Default: true. */
  granted?: boolean | undefined
}

/** A member of a project, by id. */
export interface GivenMemberById {
  /** The id of the user. */
  id: number
  /** The id of the role in the project. */
  role: number
}

/** The pattern that names of features must match. */
export interface GivenFeatureNaming {
  /** A regular expression for the whole name; null for none. */
  pattern: string | null
  /** A name that matches. */
  example: string | null
  /** The pattern in words. */
  description: string | null
}

/** A template of a link. */
export interface GivenLinkTemplate {
  /** The text of the link. */
  title: string | null
  /** Where it leads; `{{project}}` and `{{feature}}` are replaced. */
  urlTemplate: string
}

/** An environment. Only its name is needed. */
export interface GivenEnvironment {
  /** Its name. */
  name: string
  /** Its type. Default: `development`. */
  type?: OrOther<'development' | 'test' | 'preproduction' | 'production'> | undefined
  /** Its position in lists. */
  sortOrder?: number | undefined
  /** Whether it is in use. Default: true. */
  enabled?: boolean | undefined
  /** False removes it, from projects and features too. */
  exists?: boolean | undefined
  /** Always false, as responses have it. */
  protected?: boolean | undefined
  /** Always null, as responses have it. */
  requiredApprovals?: number | null | undefined
  /** The number of its projects. It must agree with `projects`. */
  projectCount?: number | undefined
  /** The number of its API tokens. It must agree with `apiTokens`. */
  apiTokenCount?: number | undefined
  /** The number of features that are on in it. It must agree with `features`. */
  enabledToggleCount?: number | undefined
}
