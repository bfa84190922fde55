import { documentedErrors } from './errors.js'
import { documentedChecks, type Profile } from './profile.js'
import { unleash8 } from './profile-unleash-8.js'

/** As Unleash 8, except for the facts of the document and, where it is silent, of docs/profiles.md. */
export const documented: Profile = {
  ...unleash8,
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
    ...unleash8.body,
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
    leavesRules: false,
  },
  unknownPaths: 'flagdouble',
  entityTags: false,
  users: { oneResetMailAMinute: false, rejectsReservedDomains: false },
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
  adminTokenActor: undefined,
  systemUser: 'system',
  serviceVersion: undefined,
}
