import { documentedErrors } from './errors.js'
import { documentedChecks, type Profile } from './profile.js'

/** Follows the document and, where it is silent, docs/fidelity.md. */
export const documented: Profile = {
  name: 'documented',
  responds: 'responds as the document says (200 for a clone); --profile unleash-8 responds as Unleash 8.2',
  checks: documentedChecks,
  errors: {
    table: documentedErrors,
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
    rejectsBrokenText: true,
    formats: { 'application/json': 'json' },
    wellFormedTypesOnly: false,
    anyTypeFor: [],
    typeEvenFor: [],
    alwaysRead: false,
    emptyIsObject: false,
  },
  schema: {
    exactTypesFor: [
      'cloneFeature',
      'createFeature',
      'createPublicSignupToken',
      'updatePublicSignupToken',
      'addPublicSignupTokenUser',
    ],
    faults: 'all',
    tellsAlternatives: false,
    bareEnumPaths: false,
    leavesRules: false,
  },
  unknownPaths: 'flagdouble',
  entityTags: false,
  permissions: { scopeFromBody: false },
  users: { oneResetMailAMinute: false, rejectsUnknownDomains: false },
  sdkPaths: { keysOfOthers: [], belowAnyPrefix: false },
  features: { batchesSkipUnknown: false, putEmptiesStrategies: false, seeksNameFirst: false },
  clone: {
    acrossProjects: true,
    remakesStrategies: false,
    checks: [
      'project',
      'sourceIsActive',
      'changeRequests',
      'name',
      'namingPattern',
      'nameIsFree',
      'permissions',
      'featureLimit',
      'parents',
    ],
  },
  signupTokens: { usableUntil: 'expiry' },
  projects: {},
  systemUser: 'system',
}
