import type { ErrorRow, ErrorTable, Failure, RefusedBy } from './errors.js'

/** The version of the service that is imitated. */
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

/** The checks of a clone, once its source is found, in the order of the running service. */
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

/** How a body of a media type is parsed. */
export type BodyFormat = 'json' | 'form'

/** What an error response is made from, besides the failure. */
export interface ErrorContext {
  row: ErrorRow
  /** The id of this error instance. */
  id: string
  refusedBy: RefusedBy
}

/** A key that works whatever the data is. */
export interface KnownKey {
  secret: string
  type: 'admin' | 'backend' | 'frontend'
  tokenName: string
  environment: string
  projects: readonly string[]
}

/**
 * The settings in which profiles differ. No other code asks which profile is active: it reads a setting, or its row says
 * how each profile answers.
 */
export interface Profile {
  name: ProfileName
  /** The order of checks; the first that fails determines the response. */
  checks: readonly CheckName[]
  errors: {
    table: ErrorTable
    /** The body of an error answer; `undefined` for none. */
    body(failure: Failure, context: ErrorContext): unknown
  }
  body: {
    /** Bytes, counted after inflating. */
    limit: number
    /** Content codings of a request body that are inflated. */
    encodings: readonly string[]
    /** The charsets of a content type that are accepted. */
    charsets: RegExp
    /** Whether bytes that are invalid in the charset are rejected; otherwise they become U+FFFD. */
    rejectsBrokenText: boolean
    /** The media types that are read, and how. A body of any other type is ignored. */
    formats: Readonly<Record<string, BodyFormat>>
    /** Whether a body is read only if its content type is well-formed, parameters included. */
    wellFormedTypesOnly: boolean
    /** Operations that accept any content type. */
    anyTypeFor: readonly string[]
    /** Operations that take no body but still require a JSON content type. */
    typeEvenFor: readonly string[]
    /** Whether a body is read even if the operation takes none, and rejected if it can't be read. */
    alwaysRead: boolean
    /** Whether an empty or ignored body counts as `{}`. */
    emptyIsObject: boolean
  }
  schema: {
    /** Whether values are coerced to the type that the schema expects: `"true"` → `true`, `1` → `"1"` … */
    coerces: boolean
    /** How many faults are reported. */
    faults: 'all' | 'first'
    /** Whether a value that matches none of several alternatives is reported once per alternative, and once for the whole. */
    tellsAlternatives: boolean
    /** Whether the path of a value that is not in its enum is the property's bare name. */
    bareEnumPaths: boolean
    /** Whether rules beyond types and formats, such as the one for names, are left to the operation. */
    leavesRules: boolean
  }
  /** The response for an unknown path: the error of flagdouble, or the 404 of Unleash. */
  unknownPaths: 'flagdouble' | 'service'
  /** Whether responses carry an entity tag, and a GET with a matching tag gets a 304. */
  entityTags: boolean
  /** Whether pages of any origin can read responses; if not, only pages of this machine and of allowed origins, and at `/api/frontend` those of the setting. */
  foreignOrigins: boolean
  /** Whether a request without an API token acts as an admin, or as an SDK with the token `*:development`. */
  open?: boolean
  permissions: {
    /** Whether a permission is needed in the environment that the body names, if the path names none. */
    environmentFromBody: boolean
  }
  users: {
    /** The projects in which users (not API tokens) can do anything; if undefined, all projects. */
    projects?: readonly string[]
    /** The environments in which they can; if undefined, all environments. */
    environments?: readonly string[]
    /** Whether a user is mailed at most one link to a new password a minute. */
    oneResetMailAMinute: boolean
    /** What signs in as the user of this name, too, for as long as that has a password of the mock's own. */
    defaultLogin?: { username: string; password: string }
    /** Whether signing up with a reserved domain such as `a@b.test`, which can't be real, is rejected. */
    rejectsReservedDomains: boolean
  }
  sdkPaths: {
    /** How keys begin that are rejected below the paths of SDKs as being of another kind, known or not. */
    keysOfOthers: readonly string[]
    /** Whether any path with one of an SDK's somewhere in it needs a token, whatever stands before it. */
    belowAnyPrefix: boolean
  }
  /** Keys that work without being among the API tokens: everybody's examples have them. */
  knownKeys: readonly KnownKey[]
  features: {
    /** Whether operations on several features skip unknown names, and reject features of another project with a 403. */
    batchesSkipUnknown: boolean
    /** Whether a PUT of a strategy empties the parameters, constraints and variants that it omits. */
    putEmptiesStrategies: boolean
  }
  clone: {
    /** Whether the source can belong to a different project from the path's. */
    acrossProjects: boolean
    /** The checks once the source is found; the first that fails determines the response. */
    checks: readonly CloneCheck[]
  }
  signupTokens: {
    /** How long a token can be used to sign up: until the instant of `expiresAt`, or until the start of its day (UTC). */
    usableUntil: 'expiry' | 'startOfExpiryDay'
  }
  projects: {
    /** Whether a job counts a project's activity some time later, so that nothing is counted yet. */
    countsLater: boolean
    /** The projects that the list shows; all active ones if not given. */
    listed?: readonly string[]
  }
  /** The name of a feature's creator when it was created with an admin token; the token's own name if not given. */
  adminTokenActor?: string
  /** The user in whose name the service logs unauthenticated actions. */
  systemUser: string
  /** The version of the service that it imitates, if it imitates one. */
  serviceVersion?: string
}

/** `documented` follows the document, `unleash-8` the observed behaviour of the running service. */
export type ProfileName = 'documented' | 'unleash-8'
