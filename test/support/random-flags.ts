import fc from 'fast-check'
import type { FidelityRequest } from '../fidelity/exchange.js'

/** How many flags an import has. */
export const FLAGS = 100
const CONTEXTS = 50

const userIds = ['1', '17', '42', 'ada']
const value = fc.constantFrom(...userIds, 'gold', 'eu', '1.2.3', '2', '2026-11-28T12:00:00.000Z')
const constraint = fc.record({
  contextName: fc.constantFrom('userId', 'plan', 'appName', 'currentTime', 'version'),
  operator: fc.constantFrom('IN', 'NOT_IN', 'STR_CONTAINS', 'STR_STARTS_WITH', 'STR_ENDS_WITH'),
  values: fc.array(value, { minLength: 1, maxLength: 3 }),
  inverted: fc.boolean(),
  caseInsensitive: fc.boolean(),
})
const comparisons = [
  ...['NUM_EQ 2', 'NUM_GT 1', 'NUM_LTE 17', 'SEMVER_EQ 1.2.3', 'SEMVER_GT 1.0.0'],
  ...['DATE_AFTER 2026-01-01T00:00:00.000Z', 'DATE_BEFORE 2027-01-01T00:00:00.000Z'],
].map((text) => text.split(' '))
const single = fc
  .tuple(fc.constantFrom('userId', 'plan', 'version', 'currentTime'), fc.constantFrom(...comparisons), fc.boolean())
  .map(([contextName, [operator, text], inverted]) => ({ contextName, operator, value: text, values: [], inverted }))
const constraints = fc.array(fc.oneof(constraint, single), { maxLength: 3 })
const variants = fc.uniqueArray(fc.constantFrom('red', 'blue', 'green'), { maxLength: 3 }).map((names) =>
  names.map((name, index) => {
    const weight = Math.floor(1000 / names.length) + (index === 0 ? 1000 % names.length : 0)
    return { name, weight, weightType: 'variable', stickiness: 'default', payload: { type: 'string', value: name } }
  }),
)
const strategy = fc.record({
  type: fc.constantFrom('flexibleRollout', 'default', 'flexibleRollout'),
  rollout: fc.constantFrom('0', '30', '50', '100'),
  stickiness: fc.constantFrom('default', 'userId', 'plan'),
  constraints,
  variants,
})
const flag = fc.record({ enabled: fc.boolean(), strategies: fc.array(strategy, { minLength: 1, maxLength: 3 }) })
const properties = fc.record({ plan: value, version: value }, { requiredKeys: [] })
const context = fc.record(
  { userId: fc.constantFrom(...userIds), sessionId: fc.constantFrom('a', 'b'), properties },
  { requiredKeys: ['userId', 'properties'] },
)
/** The context of an evaluation. */
export type Context = typeof context extends fc.Arbitrary<infer Value> ? Value : never

/** A request that imports random flags: the same ones for the same seed. */
export function importOfFlags(seed: number): FidelityRequest {
  const flags = fc.sample(flag, { seed, numRuns: FLAGS })
  const named = flags.map((one, index) => ({ ...one, name: `random-${index}` }))
  const data = {
    features: named.map(({ name }) => ({ name, type: 'release', impressionData: false })),
    featureStrategies: named.flatMap(({ name, strategies }) =>
      strategies.map(({ type, rollout, stickiness, ...rest }, sortOrder) => {
        const parameters = type === 'default' ? {} : { rollout, stickiness, groupId: name }
        return { ...rest, name: type, featureName: name, sortOrder, parameters, segments: [] }
      }),
    ),
    featureEnvironments: named.map(({ name, enabled }) => {
      return { name, featureName: name, environment: 'development', enabled, variants: [] }
    }),
    contextFields: ['plan', 'version'].map((name) => ({ name, stickiness: true, legalValues: [] })),
    segments: [],
    tagTypes: [],
    featureTags: [],
    dependencies: [],
  }
  const body = { project: 'default', environment: 'development', data }
  return { method: 'POST', path: '/api/admin/features-batch/import', actor: 'pat:admin', body }
}

/** Random contexts: the same ones for the same seed. */
export const contextsOf = (seed: number): Context[] => fc.sample(context, { seed, numRuns: CONTEXTS })
