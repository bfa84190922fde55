import { request } from 'node:http'
import { expect, it } from 'vitest'
import { CORE } from '../../src/engine/mock/session.js'
import { startServer } from '../../src/entries/adapters/node.js'
import { createMock } from '../../src/index.js'
import { FIXED, onEveryAdapter } from '../support/adapters.js'
import { sendRaw } from '../support/raw.js'

const features = '/api/admin/projects/default/features'

const changing: [string, string, unknown?][] = [
  ['PUT', '/__mock/scenario', { name: 'empty' }],
  ['DELETE', '/__mock/scenario'],
  ['PUT', '/__mock/scenarios/sale', { name: 'sale', title: 'x', promise: 'x' }],
  ['POST', '/__mock/reset'],
  ['PUT', '/__mock/state', {}],
  ['PATCH', '/__mock/state', {}],
  ['DELETE', '/__mock/requests'],
  ['PUT', '/__mock/clock', { now: 0 }],
  ['DELETE', '/__mock/clock'],
  ['POST', '/__mock/clock/advance', { ms: 1 }],
  ['POST', '/__mock/forced', { operation: '*', status: 500 }],
  ['DELETE', '/__mock/forced'],
  ['DELETE', '/__mock/forced/1'],
]

const foreign = [
  'https://evil.example',
  'null',
  'http://localhost.evil.example',
  'http://127.0.0.1.evil.example',
  'http://evil.example:4242',
  'file://localhost',
  'http://localhost@evil.example',
  'nonsense',
]

const ours = [
  'http://localhost:3000',
  'https://localhost',
  'http://127.0.0.1:5173',
  'http://127.1.2.3',
  'http://[::1]:8080',
  'http://app.localhost:3000',
  'http://app.test:3000',
  'https://allowed.example',
]

onEveryAdapter(
  'pages of other origins',
  (client) => {
    it.each(foreign)("a page of a foreign origin can't control the mock: %s", async (origin) => {
      const before = client.mock.state()
      for (const [method, path, body] of changing) {
        const answer = await client.send(method, path, body, { key: null, headers: { origin } })
        expect([answer.status, answer.body.code]).toEqual([403, 'ORIGIN_NOT_ALLOWED'])
      }
      expect(client.mock.state()).toEqual(before)
      expect(client.mock.activeScenarios).toEqual(['default'])
    })

    it.each(ours)('a page of an allowed origin can control the mock: %s', async (origin) => {
      const { status, headers } = await client.send(
        'PUT',
        '/__mock/scenario',
        { name: 'empty' },
        { headers: { origin } },
      )
      expect([status, headers.get('access-control-allow-origin')]).toEqual([200, origin])
    })

    it.each(ours)('a page of an allowed origin can use the API: %s', async (origin) => {
      const { status, headers } = await client.send('GET', features, undefined, { headers: { origin } })
      expect([status, headers.get('access-control-allow-origin')]).toEqual([200, origin])
      const exposed = headers.get('access-control-expose-headers')?.toLowerCase()
      for (const header of ['x-mock-scenario', 'x-mock-error', 'x-mock-forced', 'location']) {
        expect(exposed).toContain(header)
      }
      const refused = await client.send('GET', features, undefined, { key: null, headers: { origin } })
      expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, origin])
    })

    it.each(['POST', 'PUT', 'DELETE', 'PATCH'])('a preflight for %s needs no API token', async (method) => {
      const response = await client.adapter.fetch(`${features}/checkout-redesign/clone`, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://allowed.example',
          'access-control-request-method': method,
          'access-control-request-headers': 'authorization,content-type,x-mock-session',
        },
      })
      expect([response.status, await response.text()]).toEqual([204, ''])
      expect(response.headers.get('access-control-allow-origin')).toBe('https://allowed.example')
      expect(response.headers.get('access-control-allow-methods')).toContain(method)
      expect(response.headers.get('access-control-allow-headers')).toBe('authorization,content-type,x-mock-session')
      expect(client.mock.requests.all()).toEqual([])
    })
  },
  { ...FIXED, allowOrigins: ['https://allowed.example'] },
)

it.each([
  ['localhost', 200],
  ['localhost:1234', 200],
  ['LOCALHOST', 200],
  ['127.0.0.1', 200],
  ['127.9.9.9:80', 200],
  ['[::1]:4242', 200],
  ['app.localhost:3000', 200],
  ['flags.example', 200],
  ['FLAGS.example:8080', 200],
  ['unleash', 200],
  ['feature-flags_1:4242', 200],
  ['host.docker.internal:4242', 200],
  ['evil.example', 403],
  ['unleash.example', 403],
  ['internal.evil.example', 403],
  ['evilinternal.example', 403],
  ['docker.internal.evil.example', 403],
  ['localhost.evil.example', 403],
  ['127.0.0.1.evil.example', 403],
  ['10.1.2.3:4242', 200],
  ['[fd00::1]:4242', 200],
  ['unleash.default.svc', 200],
  ['unleash.default.svc.cluster.local:4242', 200],
  ['unleash.default', 200],
  ['unleash.service.consul:4242', 200],
  ['unleash.lan', 200],
  ['unleash.home.arpa', 200],
  ['unleash.dev', 403],
  ['arpa', 200],
  ['evil.arpa', 403],
  ['evillan.example', 403],
  ['default.example', 403],
  ['printer.local', 200],
  ['flags.test', 200],
  ['xflags.example', 403],
  ['svc.example', 403],
  ['local', 200],
  ['cluster.local.evil.example', 403],
])('the Node server handles the host %j with %i', async (host, expected) => {
  await using server = await startServer(createMock(FIXED), { port: 0, allowHosts: ['flags.example'] })
  const paths = ['/api/admin/projects', '/__mock/state', '/__mock/use/empty']
  for (const path of paths) {
    const { status, code } = await askFor(host, `${server.url}${path}`)
    expect(status).toBe(expected === 403 ? 403 : ({ '/__mock/state': 200, '/__mock/use/empty': 302 }[path] ?? 401))
    expect(code).toBe(expected === 403 ? 'HOST_NOT_ALLOWED' : undefined)
  }
  expect(server.mock.requests.count()).toBe(expected === 403 ? 0 : 1)
})

it.each(['app.test', 'app.local', 'app.lan', 'app.internal', 'app.home.arpa', 'unleash'])(
  'a page of a name that only a network can have can do everything, as SECURITY.md says: %s',
  async (host) => {
    await using server = await startServer(createMock(FIXED), { port: 0 })
    const headers = { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' }
    expect((await sendRaw(server.port, { target: '/__mock/state', headers })).status).toBe(200)
    expect((await sendRaw(server.port, { method: 'DELETE', target: '/__mock/scenario', headers })).status).toBe(204)
  },
)

it.each([
  ['http://evil.example/__mock/keys', 'localhost', 403],
  ['http://evil.example/health', 'localhost', 403],
  ['http://evil.example/__mock/keys', 'evil.example', 403],
  ['http://localhost/__mock/keys', 'evil.example', 403],
  ['http://flags.example:80/__mock/keys', 'FLAGS.example:80', 200],
  ['http://127.0.0.1:4242/__mock/keys', 'localhost', 200],
])('a complete URL as the target is judged by its own host: %s with the host %s', async (target, host, expected) => {
  await using server = await startServer(createMock(FIXED), { port: 0, allowHosts: ['flags.example'] })
  const origin = expected === 200 ? {} : { origin: 'http://evil.example' }
  const { status, body } = await sendRaw(server.port, { target, headers: { host, ...origin } })
  expect([status, body.includes('HOST_NOT_ALLOWED')]).toEqual([expected, expected === 403])
})

it('tells any host whether it is up, and does nothing else for it', async () => {
  await using server = await startServer(createMock(FIXED), { port: 0 })
  for (const path of ['/health', '/ready', '/HEALTH/']) {
    expect((await askFor('evil.example', server.url + path)).status, path).toBe(200)
  }
  expect((await askFor('evil.example', `${server.url}/__mock/health`)).status).toBe(403)
  for (const headers of [{ 'x-mock-session': 'new' }, { 'x-mock-scenario': 'empty' }, { cookie: 'mock-session=new' }]) {
    expect((await askFor('evil.example', `${server.url}/health`, { headers })).status).toBe(403)
  }
  expect((await askFor('evil.example', `${server.url}/health?scenario=empty`)).status).toBe(403)
  expect(server.mock[CORE].sessions.all().map(({ name, worlds }) => [name, [...worlds.keys()]])).toEqual([
    ['', ['default']],
  ])
})

it('a page whose name points at this machine can neither read nor change anything', async () => {
  await using server = await startServer(createMock(FIXED), { port: 0 })
  const before = server.mock.state()
  const rebound = { host: 'evil.example', origin: 'http://evil.example', 'sec-fetch-site': 'same-origin' }
  for (const path of ['/api/client/features', '/__mock/state', '/__mock/use/empty', '/__mock/reset']) {
    for (const method of ['GET', 'POST']) {
      const { status, code } = await askFor('evil.example', server.url + path, { method, headers: rebound })
      expect([status, code]).toEqual([403, 'HOST_NOT_ALLOWED'])
    }
  }
  expect(server.mock.state()).toEqual(before)
})

function askFor(
  host: string,
  url: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<{ status: number | undefined; code: unknown }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers: { ...headers, host } }, (incoming) => {
      incoming.resume()
      incoming.on('end', () => resolve({ status: incoming.statusCode, code: incoming.headers['x-mock-error'] }))
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
}
