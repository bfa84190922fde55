import fc from 'fast-check'
import { expect, it } from 'vitest'
import { CORE } from '../../src/engine/mock/session.js'
import { createMock, type Mock, type PartialState } from '../../src/index.js'
import { type OperationRow, operations } from '../../src/service/api/operations.js'
import { FIXED } from '../support/adapters.js'
import { anyWrite, MEETING } from '../support/any-request.js'
import { AMPLE, RUNS } from '../support/runs.js'

/** A mock, and the cookies of a user who signs in and out while its history goes on. */
interface Tried {
  mock: Mock
  signedIn: string[]
}

interface Act {
  name: string
  run(tried: Tried): unknown
  /** Whether it is an undo or redo, and not a step itself. */
  isMove?: true
  /** Whether it signs in, registers or reports: it can change the appearance of every entry, but isn't a step. */
  isReport?: true
}

const origin = 'http://localhost'
const scenarios = ['default', 'missing-permission', 'slow', 'flaky', 'expired-token', 'saved'] as const

const onMock = (name: string, run: (mock: Mock) => unknown): Act => ({ name, run: ({ mock }) => run(mock) })
const move = (name: string, run: (mock: Mock) => unknown): Act => ({ ...onMock(name, run), isMove: true })

function send(mock: Mock, method: string, path: string, headers: Record<string, string> = {}, body?: string) {
  const init = { method, headers: { 'content-type': 'application/json', ...headers }, ...(body && { body }) }
  return mock.fetch(new Request(origin + path, init))
}

const anyScenario = fc.constantFrom(...scenarios)
const reports = new Set<string>(operations.filter((row: OperationRow) => row.isStep === false).map(({ id }) => id))
const anyRequest = fc.tuple(anyWrite, fc.option(anyScenario)).map(([{ id, method, path, key, body }, beside]): Act => {
  const headers = { ...(key && { authorization: key }), ...(beside && { 'x-mock-scenario': beside }) }
  const run = (mock: Mock) => send(mock, method, path, headers, body)
  return { ...onMock(`${method} ${path} ${beside ?? ''}`, run), ...(reports.has(id) && { isReport: true }) }
})

/** The user who signs in: no tried request affects any other. */
const PERSON = 'traveller'
const person = { id: 77, username: PERSON, name: PERSON, email: 'traveller@example.com', password: 'flagdouble' }
const signIn: Act = {
  name: 'sign in',
  isReport: true,
  run: async ({ mock, signedIn }) => {
    const body = JSON.stringify({ username: PERSON, password: 'flagdouble' })
    const { headers } = await send(mock, 'POST', '/auth/simple/login', {}, body)
    const cookie = headers.get('set-cookie')?.split(';', 1)[0]
    if (cookie !== undefined) signedIn.push(cookie)
  },
}
const signOut: Act = {
  name: 'sign out',
  isReport: true,
  run: ({ mock, signedIn: [cookie] }) => send(mock, 'POST', '/logout', { cookie: cookie ?? '' }),
}

const anyAct = fc.oneof(
  { weight: 10, arbitrary: anyRequest },
  { weight: 2, arbitrary: fc.constant(signIn) },
  fc.constant(signOut),
  { weight: 3, arbitrary: anyScenario.map((name) => onMock(`switch to ${name}`, (mock) => mock.useScenario(name))) },
  anyScenario.map((name) => onMock(`link to ${name}`, (mock) => send(mock, 'GET', `/__mock/use/${name}`))),
  fc.nat(5).map((number) =>
    onMock(`save ${number}`, (mock) => {
      const title = { name: `saved-${number}`, title: 'Saved', promise: 'Saved' }
      return send(mock, 'POST', '/__mock/scenarios', {}, JSON.stringify(title))
    }),
  ),
  fc.nat(5).map((number) =>
    onMock(`switch to saved ${number}`, (mock) => {
      const saved = mock.scenarios.find(({ name }) => name === `saved-${number}`)
      if (saved !== undefined) mock.useScenario(saved.name)
    }),
  ),
  fc
    .nat(5)
    .map((number) => onMock(`remove ${number}`, (mock) => send(mock, 'DELETE', `/__mock/scenarios/saved-${number}`))),
  fc.constant(onMock('reset', (mock) => mock.reset())),
  fc.constant(onMock('restore', (mock) => mock.restore({ projects: [{ id: 'default' }], environments: [] }))),
  fc.nat(9).map((number) => onMock('add', (mock) => mock.add({ features: [{ name: `added-${number}` }] }))),
  fc.constant(onMock('remove', (mock) => mock.add({ features: { 'legacy-export': null } } as never))),
  fc.constant(onMock('force', (mock) => mock.force({ operation: 'cloneFeature', status: 503 }))),
  fc.nat(9).map((hours) => onMock('advance', (mock) => mock.clock.advance({ hours }))),
  { weight: 5, arbitrary: fc.constant(move('undo', (mock) => mock.history.undo())) },
  { weight: 3, arbitrary: fc.constant(move('redo', (mock) => mock.history.redo())) },
  fc.nat().map((at) => move('go to', (mock) => goToAny(mock, at))),
  anyScenario.map((name) =>
    move('undo elsewhere', (mock) => send(mock, 'POST', `/__mock/history/undo?scenario=${name}`)),
  ),
)

function goToAny(mock: Mock, at: number): void {
  const moments = mock.history.list()
  mock.history.goTo(moments[at % moments.length]?.id ?? -1)
}

/** The history entries of a mock's worlds, each after everything is undone and redone. */
function moments(mock: Mock): [moment: string, text: string][] {
  const session = mock[CORE].sessions.unnamed
  session.world()
  return [...session.worlds].map(([name, world]) => {
    const state = world.snapshot()
    const forced = world.rules.all().map(({ id, rule }) => ({ id, rule }))
    const current = session.history.list(world).find((moment) => moment.current)
    return [`${name} ${current?.id}`, JSON.stringify([world.clock.now(), forced, world.latency, state])]
  })
}

/** Whether each cookie is a login in the mock's current world. Undefined without its user. */
async function logins({ mock, signedIn }: Tried): Promise<boolean[] | undefined> {
  if (!mock.users.list().some(({ username }) => username === PERSON)) return undefined
  const identified = signedIn.map(async (cookie) => {
    await send(mock, 'GET', '/api/admin/user', { cookie })
    return mock.requests.all().at(-1)?.caller === PERSON
  })
  return Promise.all(identified)
}

const anyHistory = fc.array(anyAct, { minLength: 1, maxLength: 25 })
const fixtures: PartialState = { ...MEETING, users: [person] }
const options = { ...FIXED, fixtures }
const saved = { name: 'saved', title: 'Saved', promise: 'Saved', seed: { features: [{ name: 'of-saved' }] } }
const newMock = () => createMock({ ...options, scenarios: [saved] })

/** Runs the acts, and checks every world after each: between two reports, an entry is the same whenever it is reached. */
async function live(mock: Mock, acts: readonly Act[], places: readonly number[]): Promise<Tried> {
  const tried: Tried = { mock, signedIn: [] }
  const known = new Map<string, string>()
  const look = () => {
    for (const [moment, text] of moments(mock)) {
      expect(known.get(moment) ?? text, moment).toBe(text)
      known.set(moment, text)
    }
  }
  const tryMove = async (run: () => unknown) => {
    const before = await logins(tried)
    await run()
    look()
    const after = await logins(tried)
    if (before !== undefined && after !== undefined) expect(after).toEqual(before)
  }
  look()
  for (const { run, isMove, isReport } of acts) {
    if (isMove) await tryMove(() => run(tried))
    else await run(tried)
    if (isReport) known.clear()
    look()
  }
  while (mock.history.redo() !== undefined) look()
  while (mock.history.undo() !== undefined) look()
  expect(mock.history.list()[0]?.current).toBe(true)
  for (const place of places) await tryMove(() => goToAny(mock, place))
  const whole = JSON.stringify(mock.state())
  mock.restore(JSON.parse(whole))
  expect(JSON.stringify(mock.state())).toBe(whole)
  return tried
}

it('after any changes, undos and redos, each entry is the same again, byte by byte', {
  timeout: AMPLE,
}, async () => {
  await fc.assert(
    fc.asyncProperty(anyHistory, fc.array(fc.nat(), { maxLength: 6 }), async (acts, places) => {
      await live(newMock(), acts, places)
    }),
    { numRuns: 6 * RUNS },
  )
})
