import type { GivenInstant } from '../../../service/resources/shared/schema.js'
import type { GivenDetachedVariant, GivenPayload } from './features.js'
import type { GivenConstraint } from './targeting.js'

export interface GivenProject {
  /** Its id, as in URLs. */
  id: string
  /** The name to show. Default: the id. */
  name?: string | null | undefined
  /** What it is for. Default: null. */
  description?: string | null | undefined
  /** Who sees and changes it. Default: `"open"`. */
  mode?: 'open' | 'private' | 'protected' | null | undefined
  /** When it was created. Default: the start of the world. */
  createdAt?: GivenInstant | null | undefined
  /** When it was last changed. Default: null. */
  updatedAt?: GivenInstant | null | undefined
  /** When it was archived; null if it was not. Default: null. */
  archivedAt?: GivenInstant | null | undefined
  /** The names of its environments. Default: all. */
  environments?: string[] | null | undefined
  /** Its members: a user by user name (`user`) or `id`, each with a role by name or id. */
  members?: (GivenMember | GivenMemberById)[] | null | undefined
  /** The names of the environments that need change requests; `true` for all. */
  changeRequests?: string[] | boolean | null | undefined
  /** The pattern that names of its features must match. */
  featureNaming?: GivenFeatureNaming | null | undefined
  /** The most features that it takes; null for no limit. Default: null. */
  featureLimit?: number | null | undefined
  /** Links that every new feature gets; `{{project}}` and `{{feature}}` stand for their names. Default: empty. */
  linkTemplates?: GivenLinkTemplate[] | null | undefined
  /** By environment, the strategy that a feature gets when it is enabled without one. */
  defaultStrategies?: { [name: string]: GivenDefaultStrategy | null } | null | undefined
  /** By environment, whether it is connected: changes single `environments`. */
  connected?: { [name: string]: boolean | null } | null | undefined
  /** A rating, as responses have it. */
  health?: number | null | undefined
  /** A rating, as responses have it. */
  technicalDebt?: number | null | undefined
  /** The number of its features. It must agree with `features`. */
  featureCount?: number | null | undefined
  /** The number of its members. It must agree with `members`. */
  memberCount?: number | null | undefined
  /** The time of its latest event, as responses have it. */
  lastUpdatedAt?: string | null | undefined
  /** Always null, as responses have it. */
  lastReportedFlagUsage?: string | null | undefined
  /** What is done and to do in it, as responses have it. */
  onboardingStatus?: { [name: string]: string | null } | null | undefined
  /** Its owners, as responses have them. See `members`. */
  owners?: { [name: string]: unknown }[] | null | undefined
  /** Whether a user marked it as a favorite. It must agree with `favorites`. */
  favorite?: boolean | null | undefined
}

export interface GivenMember {
  /** The user name. */
  user: string
  /** The role in the project, by name or by id. */
  role: string | number
  /** False takes back an earlier entry of the list. Default: true. */
  granted?: boolean | undefined
}

export interface GivenMemberById {
  /** The id of the user. */
  id: number
  /** The role in the project, by name or by id. */
  role: string | number
}

export interface GivenFeatureNaming {
  /** A regular expression for the whole name; null for none. Default: null. */
  pattern?: string | null | undefined
  /** A name that matches. Default: null. */
  example?: string | null | undefined
  /** The pattern in words. Default: null. */
  description?: string | null | undefined
}

export interface GivenLinkTemplate {
  /** The text of the link. */
  title: string | null
  /** Where it leads; `{{project}}` and `{{feature}}` are replaced. */
  urlTemplate: string
}

export interface GivenDefaultStrategy {
  /** A title. */
  title?: string | null | undefined
  /** Whether it is switched off. */
  disabled?: boolean | null | undefined
  /** Its position. */
  sortOrder?: number | null | undefined
  /** The ids of the segments that have to apply too. */
  segments?: number[] | null | undefined
  /** Conditions that have to hold too. */
  constraints?: GivenConstraint[] | null | undefined
  /** Its own variants. */
  variants?: GivenDefaultVariant[] | null | undefined
  /** Its parameters, as text. */
  parameters?: { [name: string]: string | null } | null | undefined
  /** Its type. */
  name: string
}

export interface GivenDefaultVariant extends GivenDetachedVariant {
  /** What comes with it. */
  payload?: GivenTypedPayload | undefined
}

export interface GivenTypedPayload extends GivenPayload {
  /** What the payload is. */
  type: 'csv' | 'json' | 'number' | 'string'
}

export interface GivenEnvironment {
  /** Its name. */
  name: string
  /** Its type. Default: `production` if that is its name, or `development`. */
  type?: 'development' | 'preproduction' | 'production' | 'test' | (string & {}) | null | undefined
  /** Its position in lists. Default: 9999. */
  sortOrder?: number | null | undefined
  /** Whether it is in use. Default: true. */
  enabled?: boolean | null | undefined
  /** False removes it, from projects and features too. */
  exists?: boolean | null | undefined
  /** Always false, as responses have it. */
  protected?: boolean | null | undefined
  /** Always null, as responses have it. */
  requiredApprovals?: number | null | undefined
  /** The number of its projects. It must agree with `projects`. */
  projectCount?: number | null | undefined
  /** The number of its API tokens. It must agree with `apiTokens`. */
  apiTokenCount?: number | null | undefined
  /** The number of features that are on in it. It must agree with `features`. */
  enabledToggleCount?: number | null | undefined
}
