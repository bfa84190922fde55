import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { scratchFolder } from '../support/cli.js'
import { AMPLE, RUNS } from '../support/runs.js'
import { type StateServer, startWithState } from '../support/state-server.js'

/** A minimal model of the saved state. */
interface Model {
  /** The names of the added features, by session and scenario. */
  features: Map<string, Set<string>>
  /** The active scenario of each session. */
  active: Map<string, string>
}

/** The server changes with each restart. */
interface Real {
  file: string
  server: StateServer
}

type Command = fc.AsyncCommand<Model, Real>

const sessions = ['', 'ada', 'bob'] as const
const scenarios = ['default', 'empty', 'expired-token'] as const
const names = ['a', 'b', 'c', 'd'] as const

const anySession = fc.constantFrom(...sessions)
const anyScenario = fc.constantFrom(...scenarios)
const anyName = fc.constantFrom(...names)

const activeIn = ({ active }: Model, session: string) => active.get(session) ?? 'default'

function featuresOf({ features }: Model, session: string, scenario: string): Set<string> {
  const key = `${session}/${scenario}`
  const found = features.get(key) ?? new Set()
  features.set(key, found)
  return found
}

/** Checks after each command that every state matches the model. */
async function agree(model: Model, { server }: Real): Promise<void> {
  for (const session of sessions) {
    expect(await server.activeScenarios({ session })).toEqual([activeIn(model, session)])
    for (const scenario of scenarios) {
      const found = await server.names({ session, scenario })
      const expected = [...featuresOf(model, session, scenario)]
      expect(found.toSorted(), `${session}/${scenario}`).toEqual(expected.toSorted())
    }
  }
}

function command(label: string, run: (model: Model, real: Real) => Promise<void>): Command {
  return {
    check: () => true,
    async run(model, real) {
      await run(model, real)
      await agree(model, real)
    },
    toString: () => label,
  }
}

const create = fc.tuple(anySession, anyName).map(([session, name]) =>
  command(`create ${name} in the active scenario of "${session}"`, async (model, { server }) => {
    const features = featuresOf(model, session, activeIn(model, session))
    const path = '/api/admin/projects/default/features'
    const { status } = await server.send('POST', path, { name }, { session })
    expect(status).toBe(features.has(name) ? 409 : 201)
    features.add(name)
  }),
)

const remove = fc.tuple(anySession, anyScenario, anyName).map(([session, scenario, name]) =>
  command(`delete ${name} in ${scenario} of "${session}"`, async (model, { server }) => {
    const where = { session, scenario }
    await server.send('DELETE', `/api/admin/projects/default/features/${name}`, undefined, where)
    await server.send('DELETE', `/api/admin/archive/${name}`, undefined, where)
    featuresOf(model, session, scenario).delete(name)
  }),
)

const addFixture = fc.tuple(anySession, anyScenario, fc.uniqueArray(anyName)).map(([session, scenario, added]) =>
  command(`add [${added}] to ${scenario} of "${session}"`, async (model, { server }) => {
    const fixture = { features: added.map((name) => ({ name })) }
    expect((await server.send('PATCH', '/__mock/state', fixture, { session, scenario })).status).toBe(200)
    for (const name of added) featuresOf(model, session, scenario).add(name)
  }),
)

const replaceState = fc.tuple(anySession, anyScenario, anyScenario).map(([session, from, to]) =>
  command(`replace ${to} by ${from}, in "${session}"`, async (model, { server }) => {
    const snapshot = await (await server.send('GET', '/__mock/state', undefined, { session, scenario: from })).json()
    expect((await server.send('PUT', '/__mock/state', snapshot, { session, scenario: to })).status).toBe(200)
    model.features.set(`${session}/${to}`, new Set(featuresOf(model, session, from)))
  }),
)

const switchTo = fc.tuple(anySession, anyScenario).map(([session, scenario]) =>
  command(`switch "${session}" to ${scenario}`, async (model, { server }) => {
    await server.switchTo(scenario, { session })
    model.active.set(session, scenario)
  }),
)

const followLink = fc.tuple(anySession, anyScenario).map(([session, scenario]) =>
  command(`QA link to ${scenario} in "${session}"`, async (_, { server }) => {
    expect((await server.send('GET', `/__mock/use/${scenario}`, undefined, { session })).status).toBe(302)
  }),
)

const reset = anySession.map((session) =>
  command(`reset "${session}"`, async (model, { server }) => {
    await server.reset({ session })
    for (const scenario of scenarios) model.features.delete(`${session}/${scenario}`)
    model.active.delete(session)
  }),
)

const restart = fc.constantFrom([], ['--state-sync'], ['--seed', '1']).map((flags) =>
  command(`restart ${flags}`, async (_, real) => {
    expect(await real.server.stop()).toBe(0)
    real.server = await startWithState(real.file, '--quiet', ...flags)
  }),
)

it('a state file saves the state of a simple model', { timeout: AMPLE }, async () => {
  const folder = scratchFolder().path
  let run = 0
  const commands = [create, create, remove, addFixture, replaceState, switchTo, followLink, reset, restart]
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 20 }), async (sequence) => {
      const file = join(folder, `state-${run++}.json`)
      const real: Real = { file, server: await startWithState(file, '--quiet') }
      const start = () => ({ model: { features: new Map(), active: new Map() }, real })
      try {
        await fc.asyncModelRun(start, sequence)
      } finally {
        await real.server.stop()
      }
    }),
    { numRuns: 2 * RUNS },
  )
})
