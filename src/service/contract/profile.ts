import type { ErrorRow, ErrorTable, Failure, RefusedBy } from './errors.js'

/** The imitated version of Unleash. */
export const SERVICE_VERSION = '8.2.0'

/** The checks that a request passes before its operation runs, in the documented order. */
export const documentedChecks = [
  'authentication',
  'maintenance',
  'permission',
  'contentType',
  'encoding',
  'size',
  'parameters',
  'syntax',
  'schema',
] as const

export type CheckName = (typeof documentedChecks)[number]

/** The checks of a clone after it has found its source, in the order of Unleash. */
export const serviceCloneChecks = [
  'changeRequests',
  'name',
  'nameIsFree',
  'sourceIsActive',
  'permissions',
  'namingPattern',
  'featureLimit',
  'project',
  'strategies',
  'parents',
] as const

export type CloneCheck = (typeof serviceCloneChecks)[number]

/** How to parse the body of a media type. */
export type BodyFormat = 'json' | 'form'

/** The data for an error response, besides the failure. */
export interface ErrorContext {
  row: ErrorRow
  /** The ID of this error instance. */
  id: string
  refusedBy: RefusedBy
}

/**
 * The settings in which profiles differ. No other code asks which profile is active: it reads a setting, or the row
 * defines the response of each profile.
 */
export interface Profile {
  name: ProfileName
  /** How it responds, and how to get the other profile, for users. */
  responds: string
  /** The order of checks; the first that fails determines the response. */
  checks: readonly CheckName[]
  errors: {
    table: ErrorTable
    /** The body of an error response; `undefined` for none. */
    body(failure: Failure, context: ErrorContext): unknown
  }
  body: {
    /** The accepted charsets of a content type. */
    charsets: RegExp
    /** Whether to reject bytes that are invalid in the charset; otherwise they become U+FFFD. */
    rejectsBrokenText: boolean
    /** The media types to parse, each with its format. A body of any other type is ignored. */
    formats: Readonly<Record<string, BodyFormat>>
    /** Whether to read a body only if its content type is well-formed, parameters included. */
    wellFormedTypesOnly: boolean
    /** Operations that accept any content type. */
    anyTypeFor: readonly string[]
    /** Operations that take no body but still require a JSON content type. */
    typeEvenFor: readonly string[]
    /** Whether to read a body even if the operation takes none, and to reject invalid bodies. */
    alwaysRead: boolean
    /** Whether an empty or ignored body counts as `{}`. */
    emptyIsObject: boolean
  }
  schema: {
    /** The operations that reject wrong types. All others coerce values to the type in the schema: `"true"` → `true`, `1` → `"1"` … */
    exactTypesFor: readonly string[]
    /** The validation errors in a response: all with their places, or the first in Unleash's form (`issues.ts`). */
    faults: 'all' | 'first'
    /** Whether to leave rules beyond types and formats, such as the rule for names, to the operation. */
    leavesRules: boolean
  }
  /** The response for an unknown path: the error of flagdouble, or the 404 of Unleash. */
  unknownPaths: 'flagdouble' | 'service'
  /** Whether responses carry an entity tag, and a GET with a matching tag gets a 304. The flags of back-end SDKs always have one. */
  entityTags: boolean
  /** Whether a request without an API token acts as an admin, or as an SDK with the token `*:development`. */
  open?: boolean
  /** Whether any API token works on any path. */
  anyKey?: boolean
  /** The form of the secrets of new API tokens and personal access tokens: `v2` is that of later versions of Unleash. */
  tokenFormat: 'v1' | 'v2'
  users: {
    /** The projects in which users (not API tokens) can do anything; if undefined, all projects. */
    projects?: readonly string[]
    /** The environments in which users can do anything; if undefined, all environments. */
    environments?: readonly string[]
    /** Whether to send a user at most one password reset mail a minute. */
    oneResetMailAMinute: boolean
    /** A login that also signs in as the user of this name, as long as that user has a password of the mock's own. */
    defaultLogin?: { username: string; password: string }
    /** Whether to reject an e-mail address of a new user in a reserved top-level domain, such as `a@b.test`. */
    rejectsReservedDomains: boolean
  }
  clone: {
    /** Whether the source can belong to a project other than the path's. */
    acrossProjects: boolean
    /** Whether copied strategies get missing parameters of a gradual rollout, and balanced weights, as new strategies do. */
    remakesStrategies: boolean
    /** The checks after the operation has found the source; the first failure determines the response. */
    checks: readonly CloneCheck[]
  }
  signupTokens: {
    /** When a signup token stops working: at `expiresAt`, or at the start of its day (UTC). */
    usableUntil: 'expiry' | 'startOfExpiryDay'
  }
  projects: {
    /** The projects that the list shows; if undefined, all active projects. */
    listed?: readonly string[]
  }
  /** The name of a feature's creator if an admin token created it; if undefined, the token's own name. */
  adminTokenActor?: string | undefined
  /** The user that Unleash logs for unauthenticated actions. */
  systemUser: string
  /** The imitated version of Unleash, if the profile imitates a version. */
  serviceVersion?: string | undefined
}

/** `documented` follows the document, `unleash-8` the observed behaviour of a running Unleash. */
export type ProfileName = 'documented' | 'unleash-8'
