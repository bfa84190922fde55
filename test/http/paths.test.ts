import { setupServer } from 'msw/node'
import { expect, it } from 'vitest'
import { createHandlers } from '../../src/entries/adapters/msw.js'
import { startServer } from '../../src/entries/adapters/node.js'
import { createMock } from '../../src/index.js'
import { FRONTEND } from '../support/adapters.js'

const headers = { authorization: FRONTEND }
const paths = { '/proxy': '/api/frontend', '/flags/v0': '/api/frontend' }

async function namesAt(url: string, ask: (request: Request) => Promise<Response> = fetch) {
  const { toggles } = (await (await ask(new Request(url, { headers }))).json()) as { toggles: { name: string }[] }
  return toggles.map(({ name }) => name)
}

it('the paths of a gateway lead to the mock, in process and at a server, also below a base path', async () => {
  const mock = createMock({ paths, basePath: '/base' })
  mock.enable('sale')
  expect(await namesAt('http://localhost:4242/base/proxy?userId=1', mock.fetch)).toContain('sale')
  expect((await mock.fetch(new Request('http://localhost:4242/base/proxying', { headers }))).status).toBe(501)
  await using server = await startServer(mock, { port: 0 })
  expect(await namesAt(`${server.url}/flags/v0/`)).toContain('sale')
  const body = JSON.stringify({
    appName: 'page',
    bucket: { start: '2026-01-01T00:00:00Z', stop: '2026-01-01T01:00:00Z', toggles: {} },
  })
  const metrics = { method: 'POST', body, headers: { ...headers, 'content-type': 'application/json' } }
  expect((await fetch(`${server.url}/flags/v0/client/metrics`, metrics)).status).toBe(200)
  expect(mock.requests.all().map(({ path, operation }) => [path.split('?')[0], operation])).toEqual([
    ['/base/proxy', 'getFrontendFeatures'],
    ['/base/proxying', null],
    ['/base/flags/v0/', 'getFrontendFeatures'],
    ['/base/flags/v0/client/metrics', 'registerFrontendMetrics'],
  ])
})

it('handlers respond to them, in all sessions of the mock', async () => {
  const mock = createMock()
  mock.enable('sale')
  const server = setupServer(...createHandlers(mock, { paths }))
  server.listen()
  try {
    expect(await namesAt('https://gateway.example.com/proxy')).toContain('sale')
  } finally {
    server.close()
  }
  expect(await namesAt('https://gateway.example.com/flags/v0', mock.session('other').fetch)).not.toContain('sale')
})

it('an invalid path is rejected', () => {
  const hint = 'must be paths that begin with a slash and end without one'
  expect(() => createMock({ paths: { proxy: '/api/frontend' } })).toThrow(hint)
  expect(() => createMock({ paths: { '/proxy': 'https://flags.example.com/api/frontend' } })).toThrow(hint)
  expect(() => createHandlers(createMock(), { paths: { '/': '/api/frontend' } })).toThrow(hint)
})

it('a path must lead to a path of Unleash, in every letter case, or to the start of such paths', () => {
  const told = 'maps "/proxy" to "/api/frontnd", which is not a path of Unleash. Did you mean "/api/frontend"?'
  const wrong = { '/proxy': '/api/frontnd' }
  expect(() => createMock({ paths: wrong })).toThrow(told)
  expect(() => createHandlers(createMock(), { paths: wrong })).toThrow(told)
  for (const target of ['/api', '/API/Frontend', '/api/admin/projects/shop', '/__mock', '/docs', '/health']) {
    expect(createMock({ paths: { '/proxy': target } })).toBeDefined()
  }
  expect(() => createMock({ paths: { '/proxy': '/api/frontend/features/more' } })).toThrow('is not a path of Unleash')
})
