import type { ErrorRow, ErrorTable, Failure, RefusedBy } from './errors.js'

/** The steps a request passes before its operation runs. */
export type CheckName =
  | 'authentication'
  | 'maintenance'
  | 'permission'
  | 'contentType'
  | 'encoding'
  | 'size'
  | 'parameters'
  | 'syntax'
  | 'schema'

/** What a clone is checked for, once its source is found. */
export type CloneCheck =
  | 'project'
  | 'changeRequests'
  | 'name'
  | 'nameIsFree'
  | 'sourceIsActive'
  | 'permissions'
  | 'namingPattern'
  | 'featureLimit'
  | 'strategies'
  | 'parents'

/** Whose shapes answers have: those of the document, or those that the running service was seen to send. */
export type Shapes = 'document' | 'service'

/** How a body of some media type is read. */
export type BodyFormat = 'json' | 'form'

/** What an error answer is made from, beside the failure. */
export interface ErrorContext {
  row: ErrorRow
  /** The id of this one error instance. */
  id: string
  refusedBy: RefusedBy
}

/**
 * Everything in which two descriptions of the service can differ, in one place.
 * No other module asks which profile it runs under; it reads the answer here.
 */
export interface Profile {
  name: ProfileName
  /** Whose shapes answers have. */
  shapes: Shapes
  /** The one order of checks; the first that fails answers. */
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
    /** The charsets of a content type that are taken. */
    charsets: RegExp
    /** Whether bytes that the charset does not know are refused; else they become U+FFFD. */
    refusesBrokenText: boolean
    /** The media types that are read, and how. A body of another type is not seen. */
    formats: Readonly<Record<string, BodyFormat>>
    /** Whether a body is read only if all of its content type is well-formed, parameters too. */
    wellFormedTypesOnly: boolean
    /** Operations that take any content type. */
    anyTypeFor: readonly string[]
    /** Operations that take no body and want its type to be JSON's nevertheless. */
    typeEvenFor: readonly string[]
    /** Whether a body is read, and refused if it can't be, where the operation takes none. */
    alwaysRead: boolean
    /** Whether a body that is empty, or not seen, counts as `{}`. */
    emptyIsObject: boolean
  }
  schema: {
    /** Whether values of other types are turned into what the schema asks for: `"true"` → `true`, `1` → `"1"` … */
    coerces: boolean
    /** How many faults are reported. */
    faults: 'all' | 'first'
    /** Whether the fault of a value that may be one of several things is told for each of them, and once for them all. */
    tellsAlternatives: boolean
    /** Whether the fault of a value that is none of those allowed is placed by the property's bare name. */
    bareEnumPaths: boolean
    /** Whether rules that go beyond types and formats, such as that for names, are left for the operation to test. */
    leavesRules: boolean
  }
  /** Who answers for a path that is not known: the kit, with its own error, or the service, with its 404. */
  unknownPaths: 'kit' | 'service'
  /** Whether answers carry an entity tag, and a GET with the one it knows is answered 304. */
  entityTags: boolean
  /** Whether pages of any origin may read answers; if not, only those that the kit counts as its own. */
  foreignOrigins: boolean
  permissions: {
    /** Whether a permission is needed in the environment that the body names, if the path names none. */
    environmentFromBody: boolean
  }
  users: {
    /** Where users (not keys) may do anything at all; everywhere if not given. */
    projects?: readonly string[]
    /** In which environments they may; in all if not given. */
    environments?: readonly string[]
    /** Whether somebody may not sign up with an address like `a@b.test`, which can't be a real one. */
    refusesReservedDomains: boolean
  }
  clone: {
    /** How success is answered. */
    status: 200 | 201
    /** Whether the source may live in another project than the path's. */
    acrossProjects: boolean
    /** What is checked when the source is found; the first that fails answers. */
    checks: readonly CloneCheck[]
  }
  signupTokens: {
    /** Until when somebody can sign up: the instant of `expiresAt`, or the start of its day (UTC). */
    usableUntil: 'expiry' | 'startOfExpiryDay'
  }
  projects: {
    /** Whether what happened in a project is counted by a job, some time later, so that nothing is counted yet. */
    countsLater: boolean
    /** Which projects the list shows; all active ones if not given. */
    listed?: readonly string[]
  }
  /** How features call who made them with an admin token; by the token's own name if not given. */
  adminTokenActor?: string
  /** In whose name the service logs what nobody is signed in for. */
  systemUser: string
}

/** What the document says, or what the running service was seen to do. */
export type ProfileName = 'documented' | 'unleash-8'
