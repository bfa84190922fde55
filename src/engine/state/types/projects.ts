import type { GivenInstant } from '../../../service/resources/shared/schema.js'
import type { GivenDetachedVariant, GivenPayload } from './features.js'
import type { GivenConstraint } from './targeting.js'

export interface GivenProject {
  /** The ID, as in URLs. */
  id: string
  /** The display name. Default: the ID. */
  name?: string | null | undefined
  /** The description. Default: null. */
  description?: string | null | undefined
  /** Its access mode. Default: `"open"`. */
  mode?: 'open' | 'private' | 'protected' | null | undefined
  /** The time of creation. Default: the start of the world. */
  createdAt?: GivenInstant | null | undefined
  /** The time of the last change. Default: null. */
  updatedAt?: GivenInstant | null | undefined
  /** The time of archiving; null if it isn't archived. Default: null. */
  archivedAt?: GivenInstant | null | undefined
  /** The names of its environments. Default: all. */
  environments?: string[] | null | undefined
  /** Its members: each a user by user name (`user`) or `id`, with a role by name or ID. */
  members?: (GivenMember | GivenMemberById)[] | null | undefined
  /** The names of the environments that need change requests; `true` for all. */
  changeRequests?: string[] | boolean | null | undefined
  /** The naming pattern for its features. */
  featureNaming?: GivenFeatureNaming | null | undefined
  /** The maximum number of features; null for no limit. Default: null. */
  featureLimit?: number | null | undefined
  /** Links of every new feature; `{{project}}` and `{{feature}}` are replaced by their names. Default: empty. */
  linkTemplates?: GivenLinkTemplate[] | null | undefined
  /** By environment, the default strategy of a feature that is enabled without strategies. */
  defaultStrategies?: { [name: string]: GivenDefaultStrategy | null } | null | undefined
  /** Connects or disconnects single environments, by name. */
  connected?: { [name: string]: boolean | null } | null | undefined
  /** A rating, as in responses. */
  health?: number | null | undefined
  /** A rating, as in responses. */
  technicalDebt?: number | null | undefined
  /** The number of its features. Must agree with `features`. */
  featureCount?: number | null | undefined
  /** The number of its members. Must agree with `members`. */
  memberCount?: number | null | undefined
  /** The time of its latest event, as in responses. */
  lastUpdatedAt?: string | null | undefined
  /** Always null, as in responses. */
  lastReportedFlagUsage?: string | null | undefined
  /** Its onboarding status, as in responses. */
  onboardingStatus?: { [name: string]: string | null } | null | undefined
  /** Its owners, as in responses. See `members`. */
  owners?: { [name: string]: unknown }[] | null | undefined
  /** Whether it is a user's favorite. Must agree with `favorites`. */
  favorite?: boolean | null | undefined
}

export interface GivenMember {
  /** The user name. */
  user: string
  /** The role in the project, by name or ID. */
  role: string | number
  /** False removes an earlier entry of the list. Default: true. */
  granted?: boolean | undefined
}

export interface GivenMemberById {
  /** The ID of the user. */
  id: number
  /** The role in the project, by name or ID. */
  role: string | number
}

export interface GivenFeatureNaming {
  /** A regular expression for the whole name; null for none. Default: null. */
  pattern?: string | null | undefined
  /** An example of a matching name. Default: null. */
  example?: string | null | undefined
  /** The pattern in words. Default: null. */
  description?: string | null | undefined
}

export interface GivenLinkTemplate {
  /** The text of the link. */
  title: string | null
  /** The URL; `{{project}}` and `{{feature}}` are replaced. */
  urlTemplate: string
}

export interface GivenDefaultStrategy {
  /** The title. */
  title?: string | null | undefined
  /** Whether it is disabled. */
  disabled?: boolean | null | undefined
  /** The position. */
  sortOrder?: number | null | undefined
  /** The IDs of segments that must also match. */
  segments?: number[] | null | undefined
  /** Constraints that must also match. */
  constraints?: GivenConstraint[] | null | undefined
  /** Its own variants. */
  variants?: GivenDefaultVariant[] | null | undefined
  /** Its parameters, as text. */
  parameters?: { [name: string]: string | null } | null | undefined
  /** The type. */
  name: string
}

export interface GivenDefaultVariant extends GivenDetachedVariant {
  /** The payload. */
  payload?: GivenTypedPayload | undefined
}

export interface GivenTypedPayload extends GivenPayload {
  /** The payload's type. */
  type: 'csv' | 'json' | 'number' | 'string'
}

export interface GivenEnvironment {
  /** The name. */
  name: string
  /** The type. Default: `production` for an environment with this name, or else `development`. */
  type?: 'development' | 'preproduction' | 'production' | 'test' | (string & {}) | null | undefined
  /** The position in lists. Default: 9999. */
  sortOrder?: number | null | undefined
  /** Whether it is enabled. Default: true. */
  enabled?: boolean | null | undefined
  /** False removes it, including from projects and features. */
  exists?: boolean | null | undefined
  /** Always false, as in responses. */
  protected?: boolean | null | undefined
  /** Always null, as in responses. */
  requiredApprovals?: number | null | undefined
  /** The number of its projects. Must agree with `projects`. */
  projectCount?: number | null | undefined
  /** The number of its API tokens. Must agree with `apiTokens`. */
  apiTokenCount?: number | null | undefined
  /** The number of features that are on in it. Must agree with `features`. */
  enabledToggleCount?: number | null | undefined
}
