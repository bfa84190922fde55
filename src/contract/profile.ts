import { documentedErrors, type ErrorKind, type ErrorRow, type Failure } from './errors.js'

/** The steps a request passes before its operation runs. */
export type CheckName =
  | 'authentication'
  | 'maintenance'
  | 'permission'
  | 'contentType'
  | 'size'
  | 'parameters'
  | 'syntax'
  | 'schema'

/**
 * Everything in which two descriptions of the service can differ, in one place.
 * No other module asks which profile it runs under; it reads the answer here.
 */
export interface Profile {
  name: ProfileName
  /** The one order of checks; the first that fails answers. */
  checks: readonly CheckName[]
  errors: {
    table: Readonly<Record<ErrorKind, ErrorRow>>
    /** The body of an error answer. `id` is that of this one error instance. */
    body(failure: Failure, name: string, id: string): unknown
  }
  body: {
    /** Bytes, counted after inflating. */
    limit: number
    /** Content codings of a request body that are inflated. */
    encodings: readonly string[]
  }
  clone: {
    status: 200 | 201
    /** Whether the source may live in another project than the path's. */
    acrossProjects: boolean
  }
  signupTokens: {
    /** When a token stops being usable and, where `readsDisabled`, reads `enabled: false`. */
    readsDisabledWhenExpired: boolean
  }
  users: {
    /** The only projects in which users, whatever their role, may do what needs a permission; all if not given. */
    confinedTo?: readonly string[]
  }
  projects: {
    /** Which projects the list shows; all active ones if not given. */
    listed?: readonly string[]
  }
}

export type ProfileName = 'documented'

/** What the document says and, where it is silent, what its decisions say. */
const documented: Profile = {
  name: 'documented',
  checks: ['authentication', 'maintenance', 'permission', 'contentType', 'size', 'parameters', 'syntax', 'schema'],
  errors: {
    table: documentedErrors,
    body: (failure, name, id) => ({
      id,
      name,
      message: failure.message,
      ...(failure.details === undefined ? {} : { details: failure.details }),
    }),
  },
  body: { limit: 102_400, encodings: ['gzip', 'deflate'] },
  clone: { status: 200, acrossProjects: true },
  signupTokens: { readsDisabledWhenExpired: true },
  users: {},
  projects: {},
}

export const profiles: Readonly<Record<ProfileName, Profile>> = { documented }
