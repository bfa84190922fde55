import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createMockOf } from '../../src/engine/mock/mock.js'
import { readSources } from '../../src/entries/files/sources.js'
import { createMock, type Mock, type MockOptions } from '../../src/index.js'
import { ADMIN, CLIENT, EDITOR, VIEWER } from '../support/adapters.js'

const FEATURES = '/api/admin/projects/default/features'
const STRATEGIES = `${FEATURES}/checkout-redesign/environments/development/strategies`
const CHANGED = 'The data had been changed before this request came.'

const send = (mock: Mock, method: string, path: string, body?: unknown, key: string | null = ADMIN) =>
  mock.fetch(
    new Request(`http://localhost${path}`, {
      method,
      headers: {
        ...(key !== null && { authorization: key }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }),
  )

/** The newest request of a mock as a test. */
async function copied(mock: Mock, query = '', base = ''): Promise<string> {
  const response = await mock.fetch(new Request(`http://localhost${base}/__mock/requests?format=vitest${query}`))
  const text = await response.text()
  expect(response.status, text).toBe(200)
  return text
}

/** Runs the text of a test file in this process. */
async function run(text: string): Promise<void> {
  const script = text.replaceAll(/^import .*$/gm, '')
  let running: Promise<void> | undefined
  const take = (_: string, test: () => Promise<void>) => {
    running = test()
  }
  new Function('createMock', 'expect', 'it', 'readFileSync', script)(createMock, expect, take, readFileSync)
  if (running === undefined) throw new Error(`The file has no test:\n${text}`)
  await running.catch((error: Error) => {
    throw new Error(`${error.message}\n${text}`)
  })
}

it.each<[string, MockOptions, (mock: Mock) => Promise<unknown>]>([
  ['a write', {}, (mock) => send(mock, 'POST', FEATURES, { name: 'dark-mode', type: 'release' }, EDITOR)],
  ['a request that is not permitted', {}, (mock) => send(mock, 'POST', FEATURES, { name: 'refused' }, VIEWER)],
  ['a request without a token', {}, (mock) => send(mock, 'GET', FEATURES, undefined, null)],
  ['a request with an unknown token', {}, (mock) => send(mock, 'GET', FEATURES, undefined, 'nonsense')],
  ['an SDK', {}, (mock) => send(mock, 'GET', '/api/client/features', undefined, CLIENT)],
  ['a list', {}, (mock) => send(mock, 'GET', FEATURES)],
  ['a body that is no JSON', {}, (mock) => send(mock, 'POST', FEATURES, '{ malformed')],
  ['a path that is not modelled', {}, (mock) => send(mock, 'GET', '/api/admin/no-such-thing')],
  [
    'a scenario with rules',
    { scenario: 'missing-permission' },
    (mock) => send(mock, 'POST', `${FEATURES}/checkout-redesign/clone`, { name: 'x' }),
  ],
  ['a slow scenario', { scenario: 'slow', latency: 1 }, (mock) => send(mock, 'GET', FEATURES)],
  ['the other profile', { profile: 'unleash-8' }, (mock) => send(mock, 'GET', '/api/admin/projects')],
  ['a base path', { baseUrl: 'http://localhost/flags' }, (mock) => send(mock, 'GET', `/flags${FEATURES}`)],
  ['fixtures', { fixtures: { features: [{ name: 'own' }] } }, (mock) => send(mock, 'GET', `${FEATURES}/own`)],
  [
    'a rule that was added',
    {},
    (mock) => {
      mock.force({ operation: 'getProjects', status: 503, times: 1 })
      return send(mock, 'GET', '/api/admin/projects')
    },
  ],
  [
    'a clock that was advanced',
    {},
    (mock) => {
      mock.clock.advance({ days: 40 })
      return send(mock, 'GET', '/api/admin/invite-link/tokens/live-invite')
    },
  ],
  [
    'an id of the start',
    {},
    async (mock) => {
      const strategies = (await (await send(mock, 'GET', STRATEGIES)).json()) as { id: string }[]
      return send(mock, 'PUT', `${STRATEGIES}/${strategies[1]?.id}`, { name: 'default', title: 'Changed' })
    },
  ],
  [
    'a reset before it',
    {},
    async (mock) => {
      await send(mock, 'POST', FEATURES, { name: 'before' })
      mock.reset()
      return send(mock, 'GET', FEATURES)
    },
  ],
  [
    'a change after it',
    {},
    async (mock) => {
      await send(mock, 'GET', FEATURES)
      mock.add({ features: [{ name: 'later' }] })
      mock.history.undo()
    },
  ],
])('a copied test runs unchanged: %s', async (_, options, act) => {
  const mock = createMock(options)
  await act(mock)
  const text = await copied(mock, '', options.baseUrl?.slice(16))
  expect(text).not.toContain(CHANGED)
  await run(text)
})

it('it contains one request, the newest that the filters find', async () => {
  const mock = createMock()
  await send(mock, 'POST', `${FEATURES}/checkout-redesign/clone`, { name: 'copy' })
  await send(mock, 'GET', '/api/admin/projects')
  const text = await copied(mock, '&operation=cloneFeature')
  expect(text).toContain(`http://localhost${FEATURES}/checkout-redesign/clone`)
  expect(text).not.toContain("/api/admin/projects'")
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(140)
  expect(await copied(mock, '&ids=2')).toContain("/api/admin/projects'")
  const none = await mock.fetch(new Request('http://localhost/__mock/requests?format=vitest&ids=77'))
  expect([none.status, await none.json()]).toEqual([
    400,
    expect.objectContaining({
      message: 'The journal has no matching request.',
      hint: expect.stringContaining('Send the request first'),
    }),
  ])
})

it('if the data had changed, its first comment says so, and the saved state makes it run', async () => {
  const mock = createMock({ fixtures: { features: [{ name: 'own' }] } })
  await send(mock, 'POST', FEATURES, { name: 'before' })
  await send(mock, 'GET', `${FEATURES}/before`)
  const text = await copied(mock)
  expect(text).toMatch(/^\/\/ The data had been changed .*"Save as scenario"/)
  await expect(run(text)).rejects.toThrow()
  const title = { name: 'our-bug', title: 'Our bug', promise: 'It has the flag before.' }
  await send(mock, 'POST', '/__mock/scenarios', title)
  mock.useScenario('our-bug')
  await send(mock, 'GET', `${FEATURES}/before`)
  const again = await copied(mock)
  expect(again).not.toContain(CHANGED)
  await run(again)
})

it('it reads fixtures from their files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'flagdouble-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'flags.json')
  writeFileSync(file, JSON.stringify({ features: Array.from({ length: 40 }, (_, at) => ({ name: `flag-${at}` })) }))
  const { fixtures } = await readSources({ fixtures: [file] })
  const mock = createMockOf({ scenario: 'empty' }, fixtures)
  await send(mock, 'POST', `${FEATURES}/flag-2/environments/development/on`)
  const text = await copied(mock)
  expect(text).toContain('flags.json')
  expect(text).not.toContain('flag-3')
  await run(text)
})

it("a request that the journal lacks in part can't be copied, and the error gives the reason", async () => {
  const mock = createMock()
  const login = { username: 'admin', password: 'a secret that nobody may see' }
  await send(mock, 'POST', '/auth/simple/login', login, null)
  const response = await mock.fetch(new Request('http://localhost/__mock/requests?format=vitest'))
  expect(response.status).toBe(400)
  expect(await response.text()).toContain('the journal does not contain its whole body')
})

it.each<[string, boolean, (mock: Mock) => Promise<unknown>]>([
  [
    'undone before the request',
    false,
    async (mock) => {
      mock.enable('dark-mode')
      mock.history.undo()
      await send(mock, 'GET', FEATURES)
    },
  ],
  [
    'undone after the request',
    true,
    async (mock) => {
      mock.enable('dark-mode')
      await send(mock, 'GET', FEATURES)
      mock.history.undo()
    },
  ],
  [
    'redone before the request',
    true,
    async (mock) => {
      mock.enable('dark-mode')
      mock.history.undo()
      mock.history.redo()
      await send(mock, 'GET', FEATURES)
    },
  ],
  [
    'in another scenario',
    false,
    async (mock) => {
      mock.enable('dark-mode')
      mock.useScenario('empty')
      await send(mock, 'GET', FEATURES)
    },
  ],
])('its first comment knows of a change that was %s: %s', async (_, isKnown, act) => {
  const mock = createMock()
  await act(mock)
  expect((await copied(mock)).includes(CHANGED)).toBe(isKnown)
})

it('a copied test has no passwords of the fixtures', async () => {
  const users = [{ id: 9, username: 'nora', password: 'top-secret' }]
  for (const given of [users, { '1': { username: 'nora', password: 'top-secret' } }]) {
    const mock = createMock({ fixtures: { users: given } })
    await send(mock, 'GET', FEATURES)
    const text = await copied(mock)
    expect(text).toContain('nora')
    expect(text).not.toContain('secret')
  }
})
