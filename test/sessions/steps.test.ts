import { expect, it } from 'vitest'
import { createMock, defineScenario, type Mock, type Scenario } from '../../src/index.js'
import { type OperationRow, operations } from '../../src/service/api/operations.js'
import { ADMIN, CLIENT, FIXED, NOW, onEveryAdapter } from '../support/adapters.js'
import { acceptedBody, examplePath, MEETING } from '../support/any-request.js'
import { KEYS } from '../support/example-requests.js'
import { signIn } from '../support/sign-in.js'

const NO_STEPS = [
  'login',
  'logout',
  'validateToken',
  'registerClientApplication',
  'registerFrontendClient',
  'clientBulkMetrics',
  'registerClientMetrics',
  'registerFrontendMetrics',
]

const rows = operations as readonly OperationRow[]

it("users' changes are steps; logins, reports and registrations aren't", async () => {
  expect(rows.filter(({ isStep }) => isStep === false).map(({ id }) => id)).toEqual(NO_STEPS)
  const changing: string[] = []
  for (const row of rows) {
    const mock = createMock({ ...FIXED, fixtures: MEETING })
    const headers = { authorization: KEYS[row.access] ?? '', 'content-type': 'application/json' }
    const body = row.method === 'GET' ? undefined : JSON.stringify(acceptedBody(row) ?? {})
    const before = JSON.stringify(mock.state())
    await mock.fetch(
      new Request(`http://localhost${examplePath(row)}`, { method: row.method, headers, ...(body && { body }) }),
    )
    const isChanged = JSON.stringify(mock.state()) !== before
    if (isChanged) changing.push(row.id)
    const isStep = mock.history.list().length > 1
    if (isChanged || row.isStep === false) expect([row.id, isStep]).toEqual([row.id, row.isStep !== false])
  }
  expect(changing).toEqual(expect.arrayContaining(['cloneFeature', 'deleteTag', 'registerClientMetrics']))
})

onEveryAdapter('the changes of users', (client) => {
  const FEATURES = '/api/admin/projects/default/features'
  const flag = `${FEATURES}/checkout-redesign`
  const report = () => {
    const toggles = { 'checkout-redesign': { yes: 5, no: 0 } }
    const bucket = { start: NOW, stop: NOW, toggles }
    return client.send('POST', '/api/client/metrics', { appName: 'shop', bucket }, { key: CLIENT })
  }
  const look = () => {
    const { description, lastSeenAt, environments } = client.mock.features.get('checkout-redesign') ?? {}
    return { description, lastSeenAt, seen: environments?.map((one) => one.lastSeenAt) }
  }

  it('can still be undone and redone when SDKs report and users sign in', async () => {
    await client.send('PUT', flag, { description: 'new' })
    await client.mock.history.undo()
    await report()
    await signIn(client, 'editor')
    const seen = look()
    expect(seen.lastSeenAt).toBe(NOW)
    expect(client.mock.history.redo()?.what).toBe('updateFeature')
    expect(look()).toEqual({ ...seen, description: 'new' })
  })

  it('is undone alone: later reports stay, even in the same record', async () => {
    const { description: before } = look()
    await client.send('PUT', flag, { description: 'new' })
    await client.send('POST', `${flag}/environments/development/off`)
    await report()
    const { lastSeenAt, seen } = look()
    client.mock.history.undo()
    client.mock.history.undo()
    expect(look()).toEqual({ description: before, lastSeenAt, seen })
    const metrics = await client.send('GET', '/api/admin/client-metrics/features/checkout-redesign')
    expect(metrics.body.lastHourUsage).not.toEqual([])
  })

  it('a change after an undo ends the redo', async () => {
    await client.send('POST', FEATURES, { name: 'one' })
    await client.send('POST', FEATURES, { name: 'two' })
    client.mock.history.undo()
    client.mock.history.undo()
    await client.send('POST', FEATURES, { name: 'three' })
    expect(client.mock.history.list().map(({ what }) => what)).toEqual(['start', 'createFeature'])
    expect(client.mock.history.redo()).toBeUndefined()
  })

  it('a reset can keep the logins', async () => {
    const headers = await signIn(client, 'editor')
    const who = async () => (await client.send('GET', '/api/admin/user', undefined, { key: null, headers })).status
    expect((await client.send('POST', '/__mock/reset?logins=keep')).status).toBe(204)
    expect(await who()).toBe(200)
    const { status, body } = await client.send('POST', '/__mock/reset?logins=no')
    expect([status, body.code]).toEqual([400, 'INVALID_REQUEST'])
    await client.send('POST', '/__mock/reset')
    expect(await who()).toBe(401)
  })

  it('a reset and a switch work even if a cookie names an unknown scenario', async () => {
    const headers = { cookie: 'mock-scenario=gone' }
    for (const [method, path, body, status] of [
      ['POST', '/__mock/reset', undefined, 204],
      ['PUT', '/__mock/scenario', { name: 'empty' }, 200],
      ['DELETE', '/__mock/scenario', undefined, 204],
    ] as const) {
      expect((await client.send(method, path, body, { headers })).status).toBe(status)
    }
  })
})

const mine = defineScenario({ name: 'mine', title: 'Mine', promise: 'It has mine.', extends: 'base' })
const base = defineScenario({ name: 'base', title: 'Base', promise: 'It is the base.' })

it.each<[what: string, scenarios: Scenario[], reason: RegExp]>([
  ['is gone', [base], /There is no scenario "mine"/],
  ['extends one that is gone', [mine], /There is no scenario "base"/],
  [
    'has invalid data on the new files',
    [base, { ...mine, seed: { features: [{ name: 'one', project: 'no' }] } }],
    /"no"/,
  ],
])(
  'a session whose scenario %s falls back to its default, and says so until it is switched',
  async (_, scenarios, why) => {
    const mock = createMock({ ...FIXED, scenarios: [mine, base] })
    mock.useScenario('mine')
    const send = (path: string, init: RequestInit = {}) =>
      mock.fetch(new Request(`http://localhost${path}`, { ...init, headers: { authorization: ADMIN } }))
    const names = (of: Mock) => of.features.list().map(({ name }) => name)
    mock.reload({ scenarios })
    expect([mock.activeScenarios, names(mock)]).toEqual([['default'], names(createMock(FIXED))])
    const { status, headers } = await send('/api/admin/projects')
    expect([status, headers.get('x-mock-hint')]).toEqual([200, expect.stringMatching(why)])
    expect(await (await send('/__mock/scenario')).json()).toEqual({
      names: ['default'],
      notice: expect.stringMatching(/^"mine" can't start any more, so this session is in "default": /),
    })
    mock.history.undo()
    expect((await send('/__mock/reset', { method: 'POST' })).status).toBe(204)
    expect((await send('/api/admin/projects')).headers.get('x-mock-hint')).toBeNull()
  },
)
