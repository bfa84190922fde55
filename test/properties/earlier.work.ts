import { expect, it } from 'vitest'
import { CORE } from '../../src/engine/mock/session.js'
import { SESSIONS_KEPT } from '../../src/engine/sessions/sessions.js'
import { createMock, type Mock } from '../../src/index.js'
import { ADMIN, CLIENT, FIXED } from '../support/adapters.js'
import { SIZES, squareOfWork, workOf } from '../support/work.js'
import { many } from '../support/work-world.js'

// As requests.work.ts, for n calls in a row, and for calls after n others: the work of a call doesn't grow with those before it.

const send = (mock: Mock, method: string, path: string, body?: unknown, headers: object = {}) =>
  mock.fetch(`http://localhost${path}`, {
    method,
    headers: { authorization: ADMIN, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

/** Expects that the work of some calls grows linearly with n. */
async function expectLinear(
  prepare: (n: number) => Mock | Promise<Mock>,
  call: (mock: Mock, n: number) => Promise<number[]>,
): Promise<void> {
  const works: Map<string, number>[] = []
  for (const n of SIZES) {
    const mock = await prepare(n)
    const [statuses, work] = await workOf(() => call(mock, n))
    expect(statuses.filter((status) => status >= 400)).toEqual([])
    works.push(work)
  }
  const { work, where } = squareOfWork(works)
  expect(work < 0.5 ? [] : where).toEqual([])
}

async function inTurn(n: number, run: (i: number) => Promise<Response>): Promise<number[]> {
  const statuses: number[] = []
  for (let i = 0; i < n; i++) {
    const response = await run(i)
    await response.text()
    statuses.push(response.status)
  }
  return statuses
}

it.each([
  ['one user', () => 'u0'],
  ['n users', (i: number) => `u${i}`],
])('n logins of %s', async (_, userOf) => {
  const users = (n: number) =>
    many(n, (i) => ({ id: 100 + i, name: `u${i}`, username: `u${i}`, password: 'flagdouble' }))
  await expectLinear(
    (n) => createMock({ ...FIXED, fixtures: { users: users(n) } }),
    (mock, n) =>
      inTurn(n, (i) => send(mock, 'POST', '/auth/simple/login', { username: userOf(i), password: 'flagdouble' })),
  )
})

it.each(['vitest', 'curl'])('the copy of a request with n IDs in a mock with n features: %s', async (format) => {
  const ids = (n: number) => many(n, (i) => `01${String(i).padStart(24, '0')}`)
  await expectLinear(
    async (n) => {
      const mock = createMock({ ...FIXED, fixtures: { features: many(n, (i) => ({ name: `f${i}` })) } })
      await send(mock, 'POST', '/api/admin/projects/default/stale', { features: ids(n), stale: true })
      return mock
    },
    (mock) => inTurn(1, () => send(mock, 'GET', `/__mock/requests?format=${format}`)),
  )
})

/** A new session takes 600 steps. Asking all others about each saved scenario takes 100,000 and more. */
const STEPS_OF_SESSION = 5000

it('a new session in place of the oldest takes few steps, however many scenarios are saved', async () => {
  const mock = createMock(FIXED)
  const { sessions, catalogue } = mock[CORE]
  for (let i = 0; i < SESSIONS_KEPT; i++) sessions.open(`s${i}`)
  for (const scenario of many(100, (i) => ({ name: `saved${i}`, title: 'Saved', promise: 'It was saved.' }))) {
    catalogue.saved.add({ scenario, session: 'gone' })
  }
  const [statuses, work] = await workOf(() =>
    inTurn(1, () => send(mock, 'GET', '/health', undefined, { 'x-mock-session': 'new' })),
  )
  const steps = [...work.values()].reduce((sum, count) => sum + count, 0)
  expect([statuses, sessions.has('s0'), Math.max(steps, STEPS_OF_SESSION)]).toEqual([[200], false, STEPS_OF_SESSION])
})

/** A save takes 24 steps for each flag that its world shares with the start. Comparing all fields takes 4,000. */
const STEPS_OF_FLAG = 50

it('saving a scenario takes few steps for each unchanged flag', async () => {
  const steps = async (n: number) => {
    const features = many(n, (i) => ({ name: `f${i}` }))
    const mock = createMock({ ...FIXED, fixtures: { features } })
    const path = '/api/admin/projects/default/features/f1/environments/development/on'
    const scenario = (name: string) => ({ name, title: 'Saved', promise: 'It was saved.' })
    const [statuses, work] = await workOf(() =>
      inTurn(2, (i) => send(mock, 'POST', i === 0 ? path : '/__mock/scenarios', i === 0 ? {} : scenario('mine'))),
    )
    expect(statuses).toEqual([200, 201])
    return [...work.values()].reduce((sum, count) => sum + count, 0)
  }
  await steps(4)
  const perFlag = ((await steps(600)) - (await steps(100))) / 500
  expect(Math.max(perFlag, STEPS_OF_FLAG)).toBe(STEPS_OF_FLAG)
})

it('the raw metrics of n applications, whose names have a hundred times n characters', async () => {
  const report = (mock: Mock, appName: string) => {
    const bucket = { start: FIXED.now, stop: FIXED.now, toggles: { f0: { yes: 1 } } }
    return send(mock, 'POST', '/api/client/metrics', { appName, bucket }, { authorization: CLIENT })
  }
  await expectLinear(
    async (n) => {
      const mock = createMock({ ...FIXED, fixtures: { features: [{ name: 'f0' }] } })
      await inTurn(n, (i) => report(mock, String(i).padEnd(100 * n, 'x')))
      await report(mock, 'shop')
      return mock
    },
    (mock) => inTurn(1, () => send(mock, 'GET', '/api/admin/client-metrics/features/f0/raw')),
  )
})

it('n tests with n flags, each of which asks for a flag and leaves its report', async () => {
  const works: Map<string, number>[] = []
  for (const n of SIZES) {
    const fixtures = { features: many(n, (i) => ({ name: `f${i}`, enabled: true })) }
    const mocks = many(n, () => createMock({ ...FIXED, scenario: 'empty', fixtures }))
    for (const mock of mocks) expect(mock.client().isEnabled('f0')).toBe(true)
    const listed = new Set<string>()
    const reports = async () =>
      mocks.map(({ [CORE]: core }) => core.coverage.report(core.sessions.unnamed.world(), listed))
    const [[first, ...others], work] = await workOf(reports)
    expect([first?.flags.length, ...others.map(({ flags }) => flags.length)]).toEqual([n, ...others.map(() => 1)])
    works.push(work)
  }
  // A test looks at each flag, but says nothing about it.
  expect(squareOfWork(works).work).toBeLessThan(8)
})
