import type { GivenInstant, OrOther } from './shared.js'

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
  environments?: string[] | undefined
  /** Its members: a user name with the name of a role, or their ids. */
  members?: (GivenMember | GivenMemberById)[] | undefined
  /** The names of the environments that need change requests. */
  changeRequests?: string[] | undefined
  /** The pattern that names of its features must match. */
  featureNaming?: GivenFeatureNaming | undefined
  /** The most features that it takes. Default: null, no limit. */
  featureLimit?: number | null | undefined
  /** Templates of links that new features get. */
  linkTemplates?: GivenLinkTemplate[] | undefined
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
}
