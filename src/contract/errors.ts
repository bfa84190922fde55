/**
 * The errors the service answers, as data: kind → status and name.
 * The names are spelt as documented; `ContentTypeerror` is no slip of ours.
 */
export const documentedErrors = {
  badData: { status: 400, name: 'BadDataError' },
  nothingToChange: { status: 400, name: 'BadDataError' },
  weakPassword: { status: 400, name: 'OwaspValidationError' },
  unusableToken: { status: 400, name: 'BadDataError' },
  authenticationRequired: { status: 401, name: 'AuthenticationRequired' },
  passwordMismatch: { status: 401, name: 'PasswordMismatch' },
  unknownCredentials: { status: 401, name: 'AuthenticationRequired' },
  wrongTokenKind: { status: 401, name: 'AuthenticationRequired' },
  noAccess: { status: 403, name: 'NoAccessError' },
  invalidOperation: { status: 403, name: 'InvalidOperationError' },
  notFound: { status: 404, name: 'NotFoundError' },
  nameExists: { status: 409, name: 'NameExistsError' },
  payloadTooLarge: { status: 413, name: 'PayloadTooLargeError' },
  contentType: { status: 415, name: 'ContentTypeerror' },
  tooManyRequests: { status: 429, name: 'TooManyRequestsError' },
  internal: { status: 500, name: 'InternalServerError' },
  maintenance: { status: 503, name: 'ServiceUnavailableError' },
  unavailable: { status: 503, name: 'ServiceUnavailableError' },
} as const satisfies Record<string, ErrorRow>

export interface ErrorRow {
  status: number
  name: string
}

export type ErrorKind = keyof typeof documentedErrors

/** One fault of a request: what is wrong, and where (`/body/name`). */
export interface Detail {
  message: string
  path: string
}

/** Why the service refuses: the facts. How they are worded on the wire is the profile's affair. */
export interface Failure {
  kind: ErrorKind
  message: string
  /** Every fault found, for a 400. */
  details?: readonly Detail[]
  /** The permission that is missing, for a 403. */
  permission?: string
  /** The environment in which it is missing. */
  environment?: string
}

/** A 400 with one fault. */
export function badData(message: string, path: string): Failure {
  return { kind: 'badData', message, details: [{ message, path }] }
}

export function notFound(message: string): Failure {
  return { kind: 'notFound', message }
}

/** A 403 that names the missing permission and, where it is bound to one, the environment. */
export function noAccess(permission: string, environment?: string): Failure {
  const where = environment === undefined ? '' : ` in the environment "${environment}"`
  const message = `This operation needs the permission "${permission}"${where}, which the caller does not have.`
  return { kind: 'noAccess', message, permission, ...(environment === undefined ? {} : { environment }) }
}
