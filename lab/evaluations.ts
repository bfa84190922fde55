import fc from 'fast-check'
import { InMemStorageProvider, Unleash as UnleashSdk } from 'unleash-client'
import { isObject } from '../src/support/json.js'
import { sorted } from '../test/fidelity/compare.js'
import type { FidelityRequest, FidelityResponse, Server } from '../test/fidelity/exchange.js'
import { Pair, type Servers } from './pair.js'

const FLAGS = 100
const CONTEXTS = 50
/** How often a different evaluation is asked again, to see whether chance decides it. */
const REPEATS = 20

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
type Context = typeof context extends fc.Arbitrary<infer Value> ? Value : never

/** An import of random flags. */
function flagsOf(seed: number): FidelityRequest {
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

interface Figures {
  evaluations: number
  byChance: number
  different: string[]
}

/** Compares evaluations of random flags: of `/api/frontend`, and of the Node SDK fed by each server. */
export async function compareEvaluations(seed: number, servers: Servers): Promise<Figures> {
  const pair = await Pair.fresh(servers)
  const { response } = await pair.send(flagsOf(seed))
  if (response.status !== 200) throw new Error(`The import of seed ${seed} failed: ${JSON.stringify(response.body)}`)
  await servers.unleash.runJobs()
  const figures: Figures = { evaluations: 0, byChance: 0, different: [] }
  const contexts = fc.sample(context, { seed, numRuns: CONTEXTS })
  for (const [index, one] of contexts.entries()) {
    const request = frontendRequest(one, index)
    await note(figures, `/api/frontend ${JSON.stringify(one)}`, (server) => server.send(request).then(togglesOf), pair)
  }
  const [theirs, ours] = await Promise.all([sdkOf(pair.theirs), sdkOf(pair.ours)])
  for (const one of contexts) {
    const evaluate = async (server: Server) => evaluated(server === pair.theirs ? theirs : ours, one)
    await note(figures, `the Node SDK ${JSON.stringify(one)}`, evaluate, pair)
  }
  theirs.destroy()
  ours.destroy()
  return figures
}

function frontendRequest(one: Context, index: number): FidelityRequest {
  const path = '/api/frontend'
  if (index % 2 === 1) return { method: 'POST', path, actor: 'frontend', body: { context: one } }
  const { properties, ...fields } = one
  const query = new URLSearchParams(fields)
  for (const [name, text] of Object.entries(properties)) query.set(`properties[${name}]`, text)
  return { method: 'GET', path: `${path}?${query}`, actor: 'frontend' }
}

type Evaluations = Readonly<Record<string, string>>

/** Counts evaluations. A different one is asked again: chance decides it if one server gives it in turns with another. */
async function note(
  figures: Figures,
  where: string,
  ask: (server: Server) => Promise<Evaluations>,
  { theirs, ours }: Pair,
): Promise<void> {
  const [there, here] = [await ask(theirs), await ask(ours)]
  const names = [...new Set([...Object.keys(there), ...Object.keys(here)])]
  figures.evaluations += FLAGS
  const differing = names.filter((name) => there[name] !== here[name])
  if (differing.length === 0) return
  const [allThere, allHere] = [[there], [here]]
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    allThere.push(await ask(theirs))
    allHere.push(await ask(ours))
  }
  for (const name of differing) {
    const [seenThere, seenHere] = [allThere, allHere].map((all) => new Set(all.map((one) => one[name])))
    const meets = [...(seenHere ?? [])].some((one) => seenThere?.has(one))
    if (meets) figures.byChance += 1
    else figures.different.push(`${where}: ${name}: ${there[name]}, here ${here[name]}`)
  }
}

function togglesOf({ body }: FidelityResponse): Evaluations {
  const toggles = isObject(body) && Array.isArray(body.toggles) ? body.toggles : []
  return Object.fromEntries(toggles.map(({ name, ...toggle }) => [name, JSON.stringify(sorted(toggle))]))
}

/** The Node SDK with the flags of a server, and no connection to it. */
async function sdkOf(server: Server): Promise<UnleashSdk> {
  const { body } = await server.send({ method: 'GET', path: '/api/client/features', actor: 'backendAll' })
  const features = isObject(body) && Array.isArray(body.features) ? body.features : []
  const sdk = new UnleashSdk({
    appName: 'lab',
    url: server.url,
    bootstrap: { data: features },
    storageProvider: new InMemStorageProvider(),
    refreshInterval: 0,
    disableMetrics: true,
    disableAutoStart: false,
  })
  await new Promise((resolve) => sdk.once('ready', resolve))
  return sdk
}

function evaluated(sdk: UnleashSdk, own: Context): Evaluations {
  const names = sdk.getFeatureToggleDefinitions().map(({ name }) => name)
  return Object.fromEntries(
    names.map((name) => [name, JSON.stringify(sorted([sdk.isEnabled(name, own), sdk.getVariant(name, own)]))]),
  )
}
