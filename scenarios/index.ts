import builtIn from '../fixtures/built-in.json' with { type: 'json' }
import fresh from '../fixtures/fresh-server.json' with { type: 'json' }
import sample from '../fixtures/sample.json' with { type: 'json' }
import service from '../fixtures/service.json' with { type: 'json' }
import type { PartialState, Scenario } from '../src/engine/scenarios/scenario.js'
import { operations } from '../src/service/api/operations.js'

/** The strategy types, in the order in which Unleash's migrations create them. */
const migrated = ['default', 'applicationHostname', 'remoteAddress', 'flexibleRollout']

/** The events that the migrations leave in a new instance. */
const migrations = migrated.map((type, i) => {
  const found = builtIn.strategyTypes.find(({ name }) => name === type)
  const parameters = found?.parameters.length ? found.parameters : undefined
  const data = { name: type, description: found?.description, ...(parameters && { parameters }) }
  return { id: i + 1, type: 'strategy-created', createdBy: 'migration', data }
})

const guarded = operations.filter(({ method, permission }) => method !== 'GET' && permission !== undefined)
const withBody = operations.filter(({ path, body }) => body !== undefined && path.startsWith('/api/admin/'))

/** The built-in scenarios, with the panel's heading of each: code, not files to read, so that they bundle for a browser. */
const rows: readonly (Scenario & { heading: 'Data' | 'Errors' | 'Network' })[] = [
  // Its three users sign in with the password `flagdouble`, stored as hashes in fixtures/service.json.
  {
    name: 'default',
    heading: 'Data',
    title: 'A small instance',
    promise:
      'Two projects, four flags, three signup tokens, three users and six API tokens, together with your fixtures. Nothing fails.',
    seed: { ...builtIn, ...service, ...sample } as PartialState,
  },
  {
    name: 'empty',
    heading: 'Data',
    title: 'Only your own data',
    promise:
      'Your fixtures, without the built-in flags and signup tokens. API tokens, users, roles, environments and projects remain.',
    seed: { ...builtIn, ...service } as PartialState,
  },
  {
    name: 'expired-token',
    heading: 'Data',
    title: 'The signup token has expired',
    promise:
      'The signup token live-invite expired a day ago, and nobody can sign up with it. It reads as disabled (in unleash-8, as enabled).',
    extends: 'default',
    seed: { signupTokens: { 'live-invite': { createdAt: 'now-31d', expiresAt: 'now-1d' } } },
  },
  {
    name: 'missing-permission',
    heading: 'Errors',
    title: 'The permission is missing',
    promise:
      'Every change that needs a permission is rejected with 403 NoAccessError (in unleash-8, PermissionError), even with an admin token. All users are Viewers.',
    extends: 'default',
    // So that the users' own permissions match, and a user interface can disable forbidden actions.
    seed: { users: service.users.map(({ id }) => ({ id, rootRole: 'Viewer' })) },
    force: guarded.map(({ id }) => ({ operation: id, status: 403 })),
  },
  {
    name: 'unsupported-content-type',
    heading: 'Errors',
    title: 'The content type is not supported',
    promise:
      'Every admin operation that takes a body is rejected with 415 ContentTypeerror (in unleash-8, ContentTypeError), whatever its content type.',
    extends: 'default',
    force: withBody.map(({ id }) => ({ operation: id, status: 415 })),
  },
  {
    name: 'disabled-token',
    heading: 'Data',
    title: 'The signup token is disabled',
    promise: 'The signup token live-invite is disabled, and nobody can sign up with it.',
    extends: 'default',
    seed: { signupTokens: { 'live-invite': { enabled: false } } },
  },
  {
    name: 'unauthenticated',
    heading: 'Errors',
    title: 'Nobody is signed in',
    promise: 'Every operation is rejected with 401 AuthenticationRequired, whatever API token is sent.',
    extends: 'default',
    force: [{ operation: '*', status: 401 }],
  },
  {
    name: 'unknown-feature',
    heading: 'Errors',
    title: 'The flag is gone',
    promise:
      'Reading, cloning or archiving a single flag is rejected with 404 NotFoundError. Lists and bulk operations still work.',
    extends: 'default',
    force: [
      { operation: 'cloneFeature', status: 404 },
      { operation: 'getFeature', status: 404 },
      { operation: 'archiveFeature', status: 404 },
    ],
  },
  {
    name: 'name-taken',
    heading: 'Errors',
    title: 'The name is taken',
    promise: 'Cloning or creating a flag is rejected with 409 NameExistsError, whatever its name.',
    extends: 'default',
    force: [
      { operation: 'cloneFeature', status: 409 },
      { operation: 'createFeature', status: 409 },
    ],
  },
  {
    name: 'slow',
    heading: 'Network',
    title: 'A slow network',
    promise: 'Every response takes a second and a half.',
    extends: 'default',
    latency: 1500,
  },
  {
    name: 'flaky',
    heading: 'Network',
    title: 'Fails twice, then works',
    promise:
      'The first two requests fail with 503 ServiceUnavailableError (in unleash-8, without a name). All later requests work.',
    extends: 'default',
    force: [{ operation: '*', status: 503, times: 2 }],
  },
  {
    name: 'rate-limited',
    heading: 'Errors',
    title: 'Too many requests',
    promise:
      'Every operation is rejected with 429 TooManyRequestsError (in unleash-8, without a name) and a Retry-After header of 30 seconds.',
    extends: 'default',
    force: [{ operation: '*', status: 429, headers: { 'retry-after': '30' } }],
  },
  {
    name: 'server-error',
    heading: 'Errors',
    title: 'The server fails',
    promise: 'Every operation fails with 500 InternalServerError (in unleash-8, UnknownError).',
    extends: 'default',
    force: [{ operation: '*', status: 500 }],
  },
  {
    name: 'offline',
    heading: 'Network',
    title: 'The connection breaks',
    promise: 'Every request for an operation ends with a broken connection.',
    extends: 'default',
    force: [{ operation: '*', fault: 'reset' }],
  },
  {
    name: 'large-project',
    heading: 'Data',
    title: 'A large project',
    promise: 'The project default has 500 additional generated flags, which are the same every time.',
    extends: 'default',
    generate: { features: 500 },
  },
  {
    name: 'fresh-server',
    heading: 'Data',
    title: 'A new instance',
    promise: 'One user (admin), one project and two environments. No API tokens and no flags.',
    seed: {
      ...builtIn,
      ...fresh,
      contextFields: builtIn.contextFields.map((field) => ({ ...field, createdAt: 'now' })),
      roles: [...service.roles, ...fresh.roles],
      events: migrations,
    } as PartialState,
  },
]

export const scenarios: readonly Scenario[] = rows.map(({ heading, ...scenario }) => scenario)

/** The panel's heading of each scenario. `npm run docs` writes it, and the type of the names, for the rest of the code. */
export const headingsByName: ReadonlyMap<string, string> = new Map(rows.map(({ name, heading }) => [name, heading]))
