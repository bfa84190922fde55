import type { PartialState } from '../../src/index.js'
import type { OperationId } from '../../src/service/api/operations.js'

/** The time of the examples. */
export const NOW = '2027-01-01T12:00:00.000Z'

export const KEYS = {
  admin: '*:*.mock-admin',
  client: '*:development.mock-client',
  frontend: '*:development.mock-frontend',
  public: undefined,
} as const

/** For every parameter, a name of nothing. It is also a number, because some IDs must be. */
export const UNKNOWN = '404'

/** The values of path parameters, by their names or also by the segment before them. */
const NAMES: Readonly<Record<string, string>> = {
  appName: 'shop',
  'api-tokens/token': '*:development.mock-client',
  'api-tokens/name': 'mock-client',
  contextField: 'appName',
  environment: 'development',
  featureName: 'checkout-redesign',
  'features/name': 'checkout-redesign',
  id: '1',
  'feature-types/id': 'release',
  legalValue: 'shop',
  linkId: 'wiki',
  name: 'development',
  parent: 'legacy-export',
  projectId: 'default',
  'strategies/name': 'custom',
  strategyId: 'half',
  'tag-types/name': 'simple',
  token: 'live-invite',
  type: 'simple',
  value: 'checkout',
}

/** The value of a parameter of a path. */
export function exampleName(path: string, name: string): string {
  const segments = path.split('/')
  const before = segments[segments.indexOf(`:${name}`) - 1]
  return NAMES[`${before}/${name}`] ?? NAMES[name] ?? UNKNOWN
}

const constraint = { contextName: 'userId', operator: 'IN' as const, values: ['17', '42'] }
const variants = [{ name: 'blue', weight: 1000, weightType: 'variable' as const, stickiness: 'default' }]
const webhook = {
  provider: 'webhook',
  parameters: { url: 'https://hooks.example.com/flags' },
  events: ['feature-created'],
}

/** Additions to the default scenario's data for the examples. */
export const MORE: PartialState = {
  features: {
    'checkout-redesign': {
      environments: {
        development: {
          strategies: [{ id: 'half', name: 'flexibleRollout' }],
          variants,
        },
      },
      links: [{ id: 'wiki', url: 'https://example.com/wiki', title: 'Wiki' }],
    },
  },
  segments: [{ id: 1, name: 'staff', constraints: [constraint] }],
  addons: [{ id: 1, ...webhook }],
  resetTokens: [{ secret: 'reset-link', userId: 2, expiresAt: 'now+1d' }],
  applications: [{ appName: 'shop', description: 'The shop' }],
  strategyTypes: [{ name: 'custom' }],
  contextFields: { appName: { legalValues: [{ value: 'shop' }] } },
}

const toOneStrategy = { environmentId: 'development', strategyId: 'half' }
const newTag = { type: 'simple', value: 'night' }
const patch = (path: string, value: unknown) => [{ op: 'replace', path, value }]
const context = { appName: 'shop', userId: '17' }
const sdk = { appName: 'shop', instanceId: 'shop-1' }
const metrics = { ...sdk, bucket: { start: NOW, stop: NOW, toggles: { 'checkout-redesign': { yes: 3, no: 1 } } } }

/** Queries, for operations that need one. */
export const QUERIES: Partial<Record<OperationId, string>> = {
  getUserRoles: '?projectId=default',
  validateToken: '?token=reset-link',
}

/** Bodies. An operation without one gets an empty object. */
export const BODIES: Partial<Record<OperationId, unknown>> = {
  cloneFeature: { name: 'checkout-copy', replaceGroupId: true },
  updatePublicSignupToken: { expiresAt: '2027-01-31T12:00:00.000Z', enabled: true },
  createPublicSignupToken: { name: 'Workshop', expiresAt: '2027-01-10T12:00:00.000Z' },
  addPublicSignupTokenUser: { email: 'ada@example.com', name: 'Ada', password: 'Correct-horse-7' },
  createFeature: { name: 'dark-mode', type: 'release', description: 'A theme for the night' },
  updateFeature: { name: 'checkout-redesign', type: 'experiment', description: 'Two checkouts' },
  patchFeature: patch('/description', 'Two checkouts'),
  validateArchiveFeatures: { features: ['legacy-export'] },
  addFeatureStrategy: { name: 'flexibleRollout', parameters: { rollout: '25', stickiness: 'default' } },
  updateFeatureStrategy: { name: 'flexibleRollout', parameters: { rollout: '50', stickiness: 'default' } },
  patchFeatureStrategy: patch('/title', 'A quarter'),
  overwriteFeatureVariantsOnEnvironments: { environments: ['development'], variants },
  overwriteEnvironmentFeatureVariants: variants,
  patchEnvironmentsFeatureVariants: patch('/0/stickiness', 'userId'),
  addFeatureDependency: { feature: 'legacy-export' },
  addTag: newTag,
  updateTags: { addedTags: [newTag], removedTags: [] },
  createTag: newTag,
  createTagType: { name: 'team', description: 'Who owns it' },
  validateTagType: { name: 'team' },
  createSegment: { name: 'beta', constraints: [constraint] },
  updateFeatureStrategySegments: { projectId: 'default', ...toOneStrategy, segmentIds: [1] },
  createContextField: { name: 'plan', description: 'What the user pays for' },
  createContextFieldForProject: { name: 'plan', description: 'What the user pays for' },
  createStrategy: { name: 'byPlan', parameters: [] },
  updateFeatureTypeLifetime: { lifetimeDays: 30 },
  addDefaultStrategyToProjectEnvironment: { name: 'flexibleRollout', constraints: [], parameters: { rollout: '50' } },
  exportFeatures: { environment: 'development', features: ['checkout-redesign'] },
  validateImport: {
    project: 'default',
    environment: 'development',
    data: { features: [], featureStrategies: [], tagTypes: [] },
  },
  login: { username: 'admin@example.com', password: 'flagdouble' },
  createFeedback: { feedbackId: 'checkout', neverShow: false },
  createUser: { email: 'ada@example.com', name: 'Ada', rootRole: 2 },
  resetUserPassword: { id: 'editor@example.com' },
  createPat: { description: 'For my scripts', expiresAt: '2027-01-31T12:00:00.000Z' },
  createApiToken: { tokenName: 'shop', type: 'client', environment: 'development', projects: ['default'] },
  createProjectApiToken: { tokenName: 'shop', type: 'client', environment: 'development', projects: ['default'] },
  registerFrontendClient: { ...sdk, started: NOW, interval: 15, strategies: [] },
  registerFrontendMetrics: metrics,
  registerClientMetrics: metrics,
  getPlayground: { environment: 'development', projects: ['default'], context },
  getAdvancedPlayground: { environments: ['development', 'production'], context: { appName: 'shop', userId: '17,18' } },
  getValidTokens: { tokens: [KEYS.client] },
  edgeCreateOrReturnTokens: { tokens: [{ environment: 'development', projects: ['default'] }] },
  setCors: { frontendApiOrigins: ['https://shop.example.com'] },
  deleteInactiveUsers: { ids: [3] },
  sendResetPasswordEmail: { email: 'editor@example.com' },
  createAddon: { ...webhook, enabled: true },
  updateAddon: { ...webhook, enabled: false },
}
