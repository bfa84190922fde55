import type { ErrorTable } from './errors.js'
import type { Profile } from './profile.js'

/** The names are spelt as documented; `ContentTypeerror` is no slip of ours. */
const table: ErrorTable = {
  badData: { status: 400, name: 'BadDataError' },
  unreadableBody: { status: 400, name: 'BadDataError' },
  nothingToChange: { status: 400, name: 'BadDataError' },
  weakPassword: { status: 400, name: 'OwaspValidationError' },
  unusableToken: { status: 400, name: 'BadDataError' },
  brokenPattern: { status: 400, name: 'PatternError' },
  limitExceeded: { status: 400, name: 'ExceedsLimitError' },
  authenticationRequired: { status: 401, name: 'AuthenticationRequired' },
  passwordMismatch: { status: 401, name: 'PasswordMismatch' },
  unknownCredentials: { status: 401, name: 'AuthenticationRequired' },
  wrongTokenKind: { status: 401, name: 'AuthenticationRequired' },
  noAccess: { status: 403, name: 'NoAccessError' },
  invalidOperation: { status: 403, name: 'InvalidOperationError' },
  forbidden: { status: 403, name: 'ForbiddenError' },
  notFound: { status: 404, name: 'NotFoundError' },
  nameExists: { status: 409, name: 'NameExistsError' },
  inUse: { status: 409, name: 'ConflictError' },
  payloadTooLarge: { status: 413, name: 'PayloadTooLargeError' },
  contentType: { status: 415, name: 'ContentTypeerror' },
  unsupportedEncoding: { status: 415, name: 'ContentTypeerror' },
  tooManyRequests: { status: 429, name: 'TooManyRequestsError' },
  internal: { status: 500, name: 'InternalServerError' },
  maintenance: { status: 503, name: 'ServiceUnavailableError' },
  unavailable: { status: 503, name: 'ServiceUnavailableError' },
}

/** What the document says and, where it is silent, what its decisions say. */
export const documented: Profile = {
  name: 'documented',
  shapes: 'document',
  checks: [
    'authentication',
    'maintenance',
    'permission',
    'contentType',
    'encoding',
    'size',
    'parameters',
    'syntax',
    'schema',
  ],
  errors: {
    table,
    body: ({ message, details }, { id, row: { name } }) => ({
      id,
      name,
      message,
      ...(details === undefined ? {} : { details }),
    }),
  },
  body: {
    limit: 102_400,
    encodings: ['gzip', 'deflate'],
    charsets: /^utf-8$/,
    refusesBrokenText: true,
    formats: { 'application/json': 'json' },
    anyTypeFor: [],
    alwaysRead: false,
    emptyIsObject: false,
  },
  schema: { coerces: false, faults: 'all', leavesRules: false },
  unknownPaths: 'kit',
  entityTags: false,
  foreignOrigins: true,
  users: { refusesReservedDomains: false },
  clone: {
    status: 200,
    acrossProjects: true,
    checks: ['project', 'sourceIsActive', 'changeRequests', 'name', 'nameIsFree', 'permissions', 'parents'],
  },
  signupTokens: { readsDisabledWhenExpired: true, usableUntil: 'expiry' },
  projects: { countsLater: false },
  systemUser: 'system',
}
