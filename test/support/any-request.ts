import fc from 'fast-check'
import type { PartialState } from '../../src/index.js'
import { type OperationRow, operations } from '../../src/service/api/operations.js'
import { ADMIN, EDITOR } from './adapters.js'
import { BODIES, exampleName, KEYS, MORE, NOW, QUERIES } from './example-requests.js'
import { filled, RequestValues } from './request-values.js'

/** A personal access token of the admin: some operations need a user. */
export const ADMIN_USER = 'user:any-admin'

/** Additions to the default scenario's data, so that requests find records. */
export const MEETING: PartialState = {
  ...MORE,
  features: {
    ...MORE.features,
    'dark-mode': { name: 'dark-mode', dependencies: [{ feature: 'legacy-export' }] },
  },
  environments: [{ name: 'qa' }],
  contextFields: {
    ...MORE.contextFields,
    region: { name: 'region', project: 'default', legalValues: [{ value: 'eu' }] },
  },
  apiTokens: [
    { secret: ADMIN_USER, type: 'user', userId: 1 },
    { secret: 'default:development.spare', type: 'client', environment: 'development', projects: ['default'] },
  ],
}

/** Further values of path parameters, besides their examples. */
export const OTHERS: Readonly<Record<string, string>> = {
  featureName: 'dark-mode',
  contextField: 'region',
  legalValue: 'eu',
  token: 'default:development.spare',
  environment: 'production',
  id: '2',
}

const strategy = { featureName: 'new', name: 'flexibleRollout', segments: [1], constraints: [], parameters: {} }
const imported = {
  features: [{ name: 'new' }, { name: 'checkout-redesign' }],
  featureStrategies: [strategy],
  featureEnvironments: [{ name: 'new', environment: 'development', enabled: true }],
  contextFields: [{ name: 'plan', legalValues: [{ value: 'gold' }] }],
  featureTags: [{ featureName: 'new', tagType: 'squad', tagValue: 'one' }],
  segments: [{ id: 1, name: 'staff' }],
  tagTypes: [{ name: 'squad', color: '#123abc' }],
  dependencies: [{ feature: 'new', dependencies: [{ feature: 'legacy-export' }] }],
  links: [{ feature: 'new', links: [{ url: 'https://example.com' }] }],
}
const password = { password: 'Correct-horse-7' }
const two = { features: ['archived-banner', 'legacy-export'] }
const constraint = { contextName: 'userId', operator: 'IN', values: ['17'] }
const sdk = { appName: 'shop', instanceId: 'shop-1' }
const described = { description: 'Who buys' }
const registration = {
  ...sdk,
  started: NOW,
  interval: 15,
  strategies: ['default'],
  sdkVersion: 'unleash-client-node:6.0.0',
}
const counted = {
  featureName: 'checkout-redesign',
  appName: 'shop',
  environment: 'development',
  timestamp: NOW,
  yes: 2,
  no: 1,
}

/** Accepted bodies, for operations with a rejected example, or without one. */
const ACCEPTED: Readonly<Record<string, unknown>> = {
  ...BODIES,
  importToggles: { project: 'default', environment: 'development', data: imported },
  addEnvironmentToProject: { environment: 'qa' },
  validatePassword: password,
  validateUserPassword: password,
  changeUserPassword: password,
  changePassword: { token: 'reset-link', ...password },
  changeMyPassword: { ...password, confirmPassword: password.password, oldPassword: 'flagdouble' },
  getFrontendApiFeaturesWithPost: { context: { userId: '17', properties: { plan: 'gold' } } },
  updateApiToken: { expiresAt: '2027-01-31T12:00:00.000Z' },
  validateFeature: { name: 'new-flag', projectId: 'default' },
  staleFeatures: { ...two, stale: true },
  archiveFeatures: two,
  reviveFeatures: two,
  deleteFeatures: two,
  bulkToggleFeaturesEnvironmentOn: two,
  bulkToggleFeaturesEnvironmentOff: two,
  setStrategySortOrder: [{ id: 'half', sortOrder: 3 }],
  createFeatureLink: { url: 'https://example.com/plan', title: 'Plan' },
  updateFeatureLink: { url: 'https://example.com/plan' },
  complete: { status: 'discarded' },
  addTagToFeatures: { ...two, tags: { addedTags: [{ type: 'simple', value: 'checkout' }], removedTags: [] } },
  updateTagType: { description: 'Which team', icon: 'T' },
  validateSegment: { name: 'new-segment' },
  updateSegment: { name: 'staff', constraints: [constraint] },
  validateConstraint: constraint,
  validateContextFieldName: { name: 'new-field' },
  validateContextFieldNameForProject: { name: 'new-field' },
  updateContextField: described,
  updateContextFieldForProject: described,
  updateContextFieldLegalValue: { value: 'silver' },
  updateContextFieldLegalValueForProject: { value: 'silver' },
  updateStrategy: { ...described, parameters: [{ name: 'rollout', type: 'percentage', required: true }] },
  updateSortOrder: { production: 1, development: 7 },
  uiObservability: { errorMessage: 'It failed', errorStack: 'at line 1' },
  updateFeedback: { neverShow: true },
  updateUser: { name: 'Ada', rootRole: 2 },
  registerClientApplication: registration,
  clientBulkMetrics: { applications: [registration], metrics: [counted] },
  createApplication: { ...described, url: 'https://example.com', color: '#123abc' },
}

/** An accepted body of an operation; undefined if unknown. */
export function acceptedBody({ id }: OperationRow): unknown {
  return Object.hasOwn(ACCEPTED, id) ? ACCEPTED[id] : undefined
}

/** An operation's path with the names of its example. */
export function examplePath({ path }: OperationRow): string {
  return filled(path, (name) => exampleName(path, name))
}

/** A request of a property test: for an operation, by a caller. */
export interface AnyRequest {
  id: string
  method: string
  path: string
  key: string | undefined
  body: string | undefined
}

/** Names in the world of the examples, so that requests find records. */
export const known: readonly string[] = [
  ...['default', 'mobile-app', 'development', 'production', 'checkout-redesign', 'legacy-export', 'archived-banner'],
  ...['half', 'wiki', 'simple', 'team', 'release', 'flexibleRollout', 'appName', 'userId', 'shop', 'staff', 'blue'],
  ...[
    'dark-mode',
    'qa',
    'region',
    'eu',
    'new-flag',
    'IN',
    'SEMVER_EQ',
    '50',
    '1',
    '2',
    '2027-01-01T12:00:00.000Z',
    'webhook',
    'feature-created',
  ],
  ...['admin@example.com', 'ada@example.com', 'Correct-horse-7', '#123abc', 'https://example.com'],
]

const values = new RequestValues({
  known,
  likely: ({ path }, param) => {
    const example = exampleName(path, param)
    return [example, OTHERS[param] ?? example]
  },
  accepted: acceptedBody,
  queries: ({ id }) => [new Map<string, string>(Object.entries(QUERIES)).get(id) ?? ''],
})

/** Requests for an operation, most of them valid, or nearly. */
function requestFor(row: OperationRow): fc.Arbitrary<AnyRequest> {
  const key = row.access === 'admin' ? fc.constantFrom(ADMIN, ADMIN_USER, EDITOR) : fc.constant(KEYS[row.access])
  return fc
    .record({ path: values.path(row), body: values.body(row), key })
    .map((request) => ({ id: row.id, method: row.method, ...request }))
}

const rows = operations as readonly OperationRow[]
const canChange = ({ method, writes }: OperationRow) => method !== 'GET' || writes === true

/** Requests for all operations that can change something. */
export const anyWrite: fc.Arbitrary<AnyRequest> = fc.oneof(...rows.filter(canChange).map(requestFor))

/** Requests for all other operations. */
export const anyRead: fc.Arbitrary<AnyRequest> = fc.oneof(...rows.filter((row) => !canChange(row)).map(requestFor))
