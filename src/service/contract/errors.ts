/** The meaning of each error status, for the OpenAPI document. */
export const STATUS_TEXT: Readonly<Record<number, string>> = {
  400: 'The request is malformed, or breaks the schema or a rule',
  401: 'Authorization is missing or invalid',
  403: 'The caller lacks the permission that the message names',
  404: 'A record that the path names does not exist',
  405: 'The operation is not offered',
  409: 'The name is taken',
  413: 'The body is too large',
  415: 'The body is not application/json',
  429: 'Too many requests',
  500: 'The server failed',
  503: 'The server is unavailable',
}
/** The response of a profile to one kind of error. */
export interface ErrorRow {
  status: number
  name: string
  /**
   * `message`: only a message. `error`: only the message, as `error`. `summary`: all errors in one detail. `empty`: no
   * body. Default: the whole error object.
   */
  shape?: 'message' | 'error' | 'summary' | 'empty'
  /** Whether the error object has an id even if an operation rejects the request. */
  alwaysHasId?: true
  /** Further fields of the error object. */
  extra?: Readonly<Record<string, unknown>>
}

/**
 * The reasons for rejecting a request, with their names in documented responses. The names are spelt as documented:
 * `ContentTypeerror` is not our typo.
 */
export const documentedErrors = {
  badData: { status: 400, name: 'BadDataError' },
  unreadableBody: { status: 400, name: 'BadDataError' },
  nothingToChange: { status: 400, name: 'BadDataError' },
  weakPassword: { status: 400, name: 'OwaspValidationError' },
  noPassword: { status: 400, name: 'PasswordUndefinedError' },
  unusableToken: { status: 400, name: 'BadDataError' },
  brokenPattern: { status: 400, name: 'PatternError' },
  limitExceeded: { status: 400, name: 'ExceedsLimitError' },
  authenticationRequired: { status: 401, name: 'AuthenticationRequired' },
  passwordMismatch: { status: 401, name: 'PasswordMismatch' },
  unknownCredentials: { status: 401, name: 'AuthenticationRequired' },
  unknownToken: { status: 404, name: 'NotFoundError' },
  unusableLink: { status: 401, name: 'AuthenticationRequired' },
  unsigned: { status: 403, name: 'ForbiddenError' },
  sdkTokenRequired: { status: 401, name: 'AuthenticationRequired' },
  wrongTokenKind: { status: 401, name: 'AuthenticationRequired' },
  noAccess: { status: 403, name: 'NoAccessError' },
  invalidOperation: { status: 403, name: 'InvalidOperationError' },
  archivedFeature: { status: 400, name: 'ArchivedFeatureError' },
  forbidden: { status: 403, name: 'ForbiddenError' },
  operationDenied: { status: 403, name: 'OperationDeniedError' },
  notFound: { status: 404, name: 'NotFoundError' },
  notImplemented: { status: 405, name: 'NotImplementedError' },
  nameExists: { status: 409, name: 'NameExistsError' },
  inUse: { status: 409, name: 'ConflictError' },
  conflict: { status: 409, name: 'ConflictError' },
  payloadTooLarge: { status: 413, name: 'PayloadTooLargeError' },
  contentType: { status: 415, name: 'ContentTypeerror' },
  unsupportedEncoding: { status: 415, name: 'ContentTypeerror' },
  tooManyRequests: { status: 429, name: 'TooManyRequestsError' },
  tooSoon: { status: 429, name: 'RateLimitError' },
  usedPassword: { status: 400, name: 'PasswordPreviouslyUsedError' },
  internal: { status: 500, name: 'InternalServerError' },
  maintenance: { status: 503, name: 'ServiceUnavailableError' },
  unavailable: { status: 503, name: 'ServiceUnavailableError' },
} as const satisfies Readonly<Record<string, ErrorRow>>

export type ErrorKind = keyof typeof documentedErrors

/** A profile's response to each error. */
export type ErrorTable = Readonly<Record<ErrorKind, ErrorRow>>

/** Whether a check rejected the request before the operation ran, or the operation itself. */
export type RefusedBy = 'check' | 'operation'

/** One validation error: the problem and its place (`/body/name`). */
export interface Detail {
  message: string
  path: string
}

/** The facts about a rejected request. The profile turns them into a response. */
export interface Failure {
  kind: ErrorKind
  message: string
  /** For a 400: every validation error. */
  details?: readonly Detail[]
  /** Whether Unleash sends the message of each validation error twice, also as its description. */
  repeatsMessages?: true
  /** Whether the response tells the places of the errors even if an operation rejects the request. */
  tellsPlace?: boolean
  /** For a 403: the missing permission, or a list of which any permission is enough. */
  permissions?: readonly string[]
}

/** A failure with one validation error. */
export function failureAt(kind: ErrorKind, message: string, path: string): Failure {
  return { kind, message, details: [{ message, path }] }
}

export function badData(message: string, path: string): Failure {
  return failureAt('badData', message, path)
}

export function limitExceeded(limit: string, path: string): Failure {
  return failureAt('limitExceeded', `There can't be more than ${limit}.`, path)
}

export function notFound(message: string): Failure {
  return { kind: 'notFound', message }
}

/** A 403 that names the missing permission, or a list of which one is needed, and its environment if it has one. */
export function noAccess(permission: string | readonly string[], environment?: string): Failure {
  const permissions = [permission].flat()
  const names = permissions.map((name) => `"${name}"`).join(' or ')
  const where = environment === undefined ? '' : ` in the environment "${environment}"`
  const message = `This operation needs the permission ${names}${where}, which the caller does not have.`
  return { kind: 'noAccess', message, permissions }
}

/** The result of a step, or the reason why it failed. Steps return it; operations `reject`. */
export type Outcome<Data, Reason = Failure> =
  | { readonly data: Data; readonly failure?: undefined }
  | { readonly data?: undefined; readonly failure: Reason }

/** Ends an operation. Not an `Error`: rejecting a request isn't a bug, and a stack costs more than the rest of the request. */
export class Rejection {
  constructor(readonly failure: Failure) {}
}

/**
 * Rejects the request if there is a failure. It throws a `Rejection`, which rolls back the transaction; the profile turns
 * the failure into a response.
 */
export function reject(failure: Failure): never
export function reject(failure: Failure | undefined): undefined
export function reject(failure: Failure | undefined): undefined {
  if (failure !== undefined) throw new Rejection(failure)
}

/** The outcome of a function that can reject, for callers outside of a request. */
export function outcomeOf<Value>(run: () => Value): Outcome<Value> {
  try {
    return { data: run() }
  } catch (thrown) {
    if (thrown instanceof Rejection) return { failure: thrown.failure }
    throw thrown
  }
}

/** The value. Rejects the request with a 404 if the value is undefined. */
export function found<Value>(value: Value | undefined, message: () => string): Value {
  return value === undefined ? reject(notFound(message())) : value
}
