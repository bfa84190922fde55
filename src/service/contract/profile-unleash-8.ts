import { documentedErrors, type ErrorTable, type Failure } from './errors.js'
import { type ErrorContext, type Profile, SERVICE_VERSION, serviceCloneChecks } from './profile.js'

const table: ErrorTable = {
  ...documentedErrors,
  unreadableBody: { status: 400, name: 'BadDataError', shape: 'message' },
  nothingToChange: { status: 400, name: 'BadDataError', shape: 'empty' },
  weakPassword: { status: 400, name: 'OwaspValidationError', shape: 'summary' },
  noPassword: { status: 400, name: 'PasswordUndefinedError', shape: 'summary' },
  unusableToken: { status: 400, name: 'BadDataError', shape: 'empty' },
  authenticationRequired: {
    status: 401,
    name: 'AuthenticationRequired',
    extra: { path: '/auth/simple/login', type: 'password', defaultHidden: false },
  },
  unknownCredentials: { status: 401, name: 'UnauthorizedError' },
  unknownToken: { status: 404, name: 'NotFoundError', shape: 'empty' },
  unusableLink: { status: 401, name: 'InvalidTokenError' },
  unsigned: { status: 401, name: 'UnauthorizedError', shape: 'error' },
  sdkTokenRequired: { status: 401, name: 'UnauthorizedError', shape: 'message' },
  wrongTokenKind: { status: 403, name: 'PermissionError', shape: 'message' },
  noAccess: { status: 403, name: 'PermissionError' },
  notImplemented: { status: 405, name: 'NotImplementedError', alwaysHasId: true },
  inUse: { status: 409, name: 'ConflictError', shape: 'empty' },
  payloadTooLarge: { status: 413, name: 'PayloadTooLargeError', shape: 'message' },
  contentType: { status: 415, name: 'ContentTypeError' },
  unsupportedEncoding: { status: 415, name: 'UnsupportedMediaType', shape: 'message' },
  tooManyRequests: { status: 429, name: 'TooManyRequestsError', shape: 'message' },
  internal: { status: 500, name: 'UnknownError' },
  maintenance: { status: 503, name: 'ServiceUnavailableError', shape: 'message' },
  unavailable: { status: 503, name: 'ServiceUnavailableError', shape: 'message' },
}

/**
 * The observed behaviour of Unleash 8.2.0 (open-source edition). It doesn't imitate defects (500s, crashes): the nearest
 * honest 4xx replaces them.
 */
export const unleash8: Profile = {
  name: 'unleash-8',
  responds: 'responds as Unleash 8.2 (201 for a clone); --profile documented responds as the document says',
  checks: [
    'encoding',
    'size',
    'syntax',
    'authentication',
    'maintenance',
    'parameters',
    'permission',
    'contentType',
    'schema',
  ],
  errors: { table, body: errorBody },
  body: {
    charsets: /^utf-/,
    rejectsBrokenText: false,
    formats: { 'application/json': 'json', 'application/x-www-form-urlencoded': 'form' },
    wellFormedTypesOnly: true,
    anyTypeFor: ['cloneFeature', 'reviveFeatures', 'deleteFeatures', 'complete'],
    typeEvenFor: ['addFavoriteFeature', 'removeFavoriteFeature', 'addFavoriteProject', 'removeFavoriteProject'],
    alwaysRead: true,
    emptyIsObject: true,
  },
  schema: { exactTypesFor: [], faults: 'first', leavesRules: true },
  unknownPaths: 'service',
  entityTags: true,
  tokenFormat: 'v1',
  users: {
    projects: ['default'],
    environments: ['default', 'development', 'production'],
    oneResetMailAMinute: true,
    rejectsReservedDomains: true,
    defaultLogin: { username: 'admin', password: 'unleash4all' },
  },
  clone: { acrossProjects: false, remakesStrategies: true, checks: serviceCloneChecks },
  signupTokens: { usableUntil: 'startOfExpiryDay' },
  projects: { listed: ['default'] },
  adminTokenActor: 'Unleash Admin Token User',
  systemUser: 'unleash_system_user',
  serviceVersion: SERVICE_VERSION,
}

/** Only the failures of checks have an id, list the missing permissions, and name the place of an error. */
function errorBody(
  { message, details, repeatsMessages, tellsPlace = false, permissions }: Failure,
  { row, id, refusedBy }: ErrorContext,
): unknown {
  if (row.shape === 'empty') return undefined
  if (row.shape === 'message') return { message }
  if (row.shape === 'error') return { error: message }
  if (row.shape === 'summary') {
    const validationErrors = details?.map((fault) => fault.message) ?? []
    return { name: row.name, message, details: [{ validationErrors, message }] }
  }
  const byCheck = refusedBy === 'check'
  const faults = details ?? [{ message }]
  return {
    ...(byCheck || row.alwaysHasId ? { id } : {}),
    name: row.name,
    message,
    details:
      byCheck || tellsPlace
        ? faults
        : faults.map((fault) => ({ ...(repeatsMessages && { description: fault.message }), message: fault.message })),
    ...(byCheck && permissions !== undefined ? { permissions } : {}),
    ...row.extra,
  }
}
