import { InMemStorageProvider, Unleash as UnleashSdk } from 'unleash-client'
import { isObject } from '../src/support/json.js'
import { sorted } from '../test/fidelity/compare.js'
import type { FidelityRequest, FidelityResponse, Server } from '../test/fidelity/exchange.js'
import { type Context, contextsOf, FLAGS, importOfFlags } from '../test/support/random-flags.js'
import { Pair, type Servers } from './pair.js'

/** How often a different evaluation is asked again, to see whether chance decides it. */
const REPEATS = 20

interface Figures {
  evaluations: number
  byChance: number
  different: string[]
}

/** Compares evaluations of random flags: of `/api/frontend`, and of the Node SDK fed by each server. */
export async function compareEvaluations(seed: number, servers: Servers): Promise<Figures> {
  const pair = await Pair.fresh(servers)
  const { response } = await pair.send(importOfFlags(seed))
  if (response.status !== 200) throw new Error(`The import of seed ${seed} failed: ${JSON.stringify(response.body)}`)
  await servers.unleash.runJobs()
  const figures: Figures = { evaluations: 0, byChance: 0, different: [] }
  const contexts = contextsOf(seed)
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
