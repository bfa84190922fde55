/** Why a request is refused, as the code names it. What a kind is called on the wire is the profile's affair. */
export const errorKinds = [
  'badData',
  'unreadableBody',
  'nothingToChange',
  'weakPassword',
  'noPassword',
  'unusableToken',
  'brokenPattern',
  'limitExceeded',
  'authenticationRequired',
  'passwordMismatch',
  'unknownCredentials',
  'unusableLink',
  'sdkTokenRequired',
  'wrongTokenKind',
  'noAccess',
  'invalidOperation',
  'archivedFeature',
  'forbidden',
  'operationDenied',
  'notFound',
  'notImplemented',
  'nameExists',
  'inUse',
  'payloadTooLarge',
  'contentType',
  'unsupportedEncoding',
  'tooManyRequests',
  'internal',
  'maintenance',
  'unavailable',
] as const

export type ErrorKind = (typeof errorKinds)[number]

/** How a profile answers one kind of error. */
export interface ErrorRow {
  status: number
  name: string
  /**
   * `message`: only a message is answered; `summary`: all faults in one detail; `empty`: nothing at all.
   * Default: the whole error object.
   */
  shape?: 'message' | 'summary' | 'empty'
  /** Whether the error object has an id even if an operation rejects the request. */
  alwaysHasId?: true
  /** Further fields of the error object. */
  extra?: Readonly<Record<string, unknown>>
}

export type ErrorTable = Readonly<Record<ErrorKind, ErrorRow>>

/** Who refused: a check, before the operation ran, or the operation itself. */
export type RefusedBy = 'check' | 'operation'

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
  /** The permission that is missing, for a 403; of several, one would have been enough. */
  permissions?: readonly string[]
  /** The environment in which it is missing. */
  environment?: string
}

/** A 400 with one fault. */
export function badData(message: string, path: string): Failure {
  return { kind: 'badData', message, details: [{ message, path }] }
}

/** A 400 because there can't be more of something. */
export function limitExceeded(limit: string, path: string): Failure {
  const message = `There can't be more than ${limit}.`
  return { kind: 'limitExceeded', message, details: [{ message, path }] }
}

export function notFound(message: string): Failure {
  return { kind: 'notFound', message }
}

/** A 403 that names the missing permission (or those of which one is needed) and, where it is bound to one, the environment. */
export function noAccess(permission: string | readonly string[], environment?: string): Failure {
  const permissions = [permission].flat()
  const names = permissions.map((name) => `"${name}"`).join(' or ')
  const where = environment === undefined ? '' : ` in the environment "${environment}"`
  const message = `This operation needs the permission ${names}${where}, which the caller does not have.`
  return { kind: 'noAccess', message, permissions, ...(environment === undefined ? {} : { environment }) }
}
