import { expect, it } from 'vitest'
import { ADMIN, CLIENT, onEveryAdapter, read } from '../../support/adapters.js'

const features = '/api/admin/projects/default/features'
const clone = `${features}/checkout-redesign/clone`
const update = '/api/admin/invite-link/tokens/live-invite'

onEveryAdapter('paths', (client) => {
  it.each([
    ['a trailing slash', `${clone}/`],
    ['repeated slashes', clone.replaceAll('/', '//')],
    [
      'another case of the route',
      clone.replace('/api/admin/projects', '/API/Admin/PROJECTS').replace('clone', 'Clone'),
    ],
    ['percent-encoded letters', clone.replace('checkout', '%63%68eckout')],
    ['a query that is not used', `${clone}?x=%ZZ&name=other`],
  ])('a path matches with %s', async (_, path) => {
    const { status, body } = await client.send('POST', path, { name: 'copy' })
    expect([status, body.name, body.project]).toEqual([200, 'copy', 'default'])
  })

  it('names in a path can be percent-encoded', async () => {
    const secret = 'a/b c?d#ü%'
    client.mock.add({ signupTokens: [{ secret }] })
    const encoded = encodeURIComponent(secret)
    const { status, body } = await client.send('PUT', `/api/admin/invite-link/tokens/${encoded}`, { enabled: false })
    expect([status, body.secret]).toEqual([200, secret])
    expect(body.url).toBe(`${client.mock.baseUrl}/new-user?invite=${encoded}`)
  })

  it.each(['%ZZ', '%', '%4', '%C3%28', '%FF', '%E0%A4%A'])(
    'a path with the malformed %s gets a 400',
    async (segment) => {
      const answers = [
        await client.send('POST', `${features}/${segment}/clone`, { name: 'copy' }),
        await client.send('POST', `/api/admin/projects/${segment}/features/x/clone`, { name: 'copy' }),
        await client.send('PUT', `/api/admin/invite-link/tokens/${segment}`, { enabled: true }),
        await client.send('GET', `${features}/${segment}`),
        await client.send('GET', `/invite/${segment}/validate`, undefined, { key: null }),
      ]
      for (const { status, body } of answers) {
        expect([status, body.name]).toEqual([400, 'BadDataError'])
        expect(body.details[0].path).toMatch(/^\/params\/(featureName|projectId|token)$/)
      }
    },
  )

  it('every malformed parameter of a path is reported at once', async () => {
    const { body } = await client.send('GET', '/api/admin/projects/%Z1/features/%Z2')
    expect(body.details.map(({ path }: { path: string }) => path)).toEqual(['/params/projectId', '/params/featureName'])
  })

  it.each(['%00', '%0A', '%20', '%F0%9F%9A%80', '..%2F..', '__proto__', 'constructor', 'x'.repeat(5000)])(
    'the name %s in a path is looked up like any other',
    async (segment) => {
      expect((await client.send('GET', `${features}/${segment}`)).status).toBe(404)
      expect((await client.send('PUT', `${update}${segment}`, { enabled: true })).status).toBe(404)
    },
  )

  it.each([
    ['GET', clone],
    ['PUT', clone],
    ['PATCH', clone],
    ['DELETE', clone],
    ['OPTIONS', clone],
    ['POST', update],
    ['PATCH', update],
    ['DELETE', update],
    ['PUT', '/api/admin/projects'],
  ])('a known path rejects other methods: %s %s', async (method, path) => {
    const { status, body } = await client.send(method, path)
    expect([status, body.name]).toEqual([404, 'NotFoundError'])
    const anonymous = await client.send(method, path, undefined, { key: null })
    expect([anonymous.status, anonymous.body.name]).toEqual([401, 'AuthenticationRequired'])
    expect(client.mock.requests.unmatched()).toHaveLength(2)
  })

  it.each([
    [features, 200],
    [`${features}/checkout-redesign`, 200],
    [`${features}/nothing`, 404],
    [clone, 404],
  ])('a path that accepts GET accepts HEAD: %s', async (path, expected) => {
    const { status, body, headers } = await client.send('HEAD', path)
    expect([status, body]).toEqual([expected, undefined])
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  })
})

it.each([
  ['/api/admin/project', 'GET /api/admin/projects;'],
  ['/api/admin/projects/default/feature', 'GET /api/admin/projects/:projectId/features;'],
  ['/api/admin/invite-link/token/live-invite', 'GET /api/admin/invite-link/tokens/:token;'],
  ['/api/client/streaming', 'GET /api/client/features;'],
  ['/api/client/delta', 'GET /api/client/features;'],
])('the response to a mistyped path names the nearest: %s', async (path, nearest) => {
  const { createMock } = await import('../../../src/index.js')
  const { body } = await read(await createMock().fetch(new Request(`http://localhost${path}`)))
  expect(body.hint).toContain(`The nearest modelled route is ${nearest}`)
})

it.each([
  ['POST', '/api/admin/features', 'POST /api/admin/projects/:projectId/features'],
  ['PUT', '/api/admin/features/beta', 'PUT /api/admin/projects/:projectId/features/:featureName'],
  ['DELETE', '/api/admin/features/beta', 'DELETE /api/admin/projects/:projectId/features/:featureName'],
  [
    'POST',
    '/api/admin/features/beta/toggle/on',
    'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/on',
  ],
  [
    'POST',
    '/api/admin/features/beta/toggle/off/',
    'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/off',
  ],
  [
    'POST',
    '/api/admin/features/beta/toggle',
    'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/on',
  ],
  ['GET', '/api/admin/features/beta', 'GET /api/admin/projects/:projectId/features/:featureName'],
  [
    'PATCH',
    '/api/admin/projects/default/features/beta/variants',
    'PATCH /api/admin/projects/:projectId/features/:featureName/environments/:environment/variants',
  ],
  ['POST', '/api/admin/features/beta/stale/off', 'POST /api/admin/projects/:projectId/stale'],
  ['POST', '/api/admin/state/import', 'POST /api/admin/features-batch/import'],
  ['GET', '/api/admin/state/export', 'POST /api/admin/features-batch/export'],
  ['GET', '/api/features', 'GET /api/client/features'],
  ['GET', '/proxy', 'GET /api/frontend'],
  ['GET', '/api/admin/features', 'GET /api/admin/search/features'],
  ['GET', '/api/admin/projects/default', 'GET /api/admin/projects/:projectId/overview'],
])('the response to a path of Unleash 3 to 5 names the present one: %s %s', async (method, path, present) => {
  const { createMock } = await import('../../../src/index.js')
  const { operations } = await import('../../../src/service/api/operations.js')
  const { body } = await read(await createMock().fetch(new Request(`http://localhost${path}`, { method })))
  expect(body.hint).toContain(`The nearest modelled route is ${present};`)
  expect(operations.map((row) => `${row.method} ${row.path}`)).toContain(present)
})

it.each([
  ['GET', '/api/admin/groups'],
  ['PUT', '/api/admin/roles/7'],
  ['GET', '/api/admin/auth/oidc/settings'],
  ['GET', '/api/admin/projects/default/access'],
  ['PUT', '/api/admin/projects/default/environments/production/change-requests/config'],
  ['DELETE', '/api/admin/projects/shop'],
])('the response to a route of paid editions says so: %s %s', async (method, path) => {
  const { createMock } = await import('../../../src/index.js')
  const { body } = await read(await createMock().fetch(path, { method, headers: { authorization: ADMIN } }))
  expect(body.hint).toMatch(/^Only paid editions of Unleash have this route;/)
})

it.each(['/api/admin/projects', '/api/admin/environments'])('so does the error of POST %s', async (path) => {
  const { createMock } = await import('../../../src/index.js')
  const headers = { authorization: ADMIN, 'content-type': 'application/json' }
  const response = await createMock().fetch(path, { method: 'POST', headers, body: '{}' })
  const hint = decodeURIComponent(response.headers.get('x-mock-hint') ?? '')
  expect([response.status, hint]).toEqual([404, 'Only paid editions of Unleash have this route.'])
})

it.each(['/docs', '/mock', '/nothing', '/x', '/api/orders', '/api/v1/cart'])(
  'the response to a path without a similar one names none: %s',
  async (path) => {
    const { createMock } = await import('../../../src/index.js')
    const { body } = await read(await createMock().fetch(new Request(`http://localhost${path}`)))
    expect(body.hint).toBe('All modelled routes are in /docs/openapi.json; the control panel is at /__mock/.')
  },
)

it('the response to a mistyped path outside /api names the nearest route', async () => {
  const { createMock } = await import('../../../src/index.js')
  const { body } = await read(await createMock().fetch(new Request('http://localhost/helth')))
  expect(body.hint).toContain('The nearest modelled route is GET /health;')
})

it('a very long path gets a 501', async () => {
  const { createMock } = await import('../../../src/index.js')
  const path = `/api/admin/projects/${'a'.repeat(15_000)}`
  expect((await createMock().fetch(new Request(`http://localhost${path}`))).status).toBe(501)
})

it('an unmodelled path gets a 400 if the scenario is unknown', async () => {
  const { createMock } = await import('../../../src/index.js')
  const mock = createMock()
  const { status, body } = await read(await mock.fetch(new Request('http://localhost/api/nothing?scenario=emty')))
  expect([status, body.code]).toEqual([400, 'UNKNOWN_SCENARIO'])
  expect(mock.requests.unmatched()).toHaveLength(1)
})

const unmodelled = ['/api/admin/nothing', '/api/client/nothing', '/api', '/nothing', '/docs', `${features}/a/b/c`]

it.each(unmodelled)("an unmodelled path gets flagdouble's 501: %s", async (path) => {
  const { createMock } = await import('../../../src/index.js')
  const mock = createMock()
  const { status, headers, body } = await read(await mock.fetch(new Request(`http://localhost${path}`)))
  expect([status, headers.get('x-mock-error'), body.code]).toEqual([501, 'UNMODELLED_ROUTE', 'UNMODELLED_ROUTE'])
  expect(headers.get('x-mock-scenario')).toBe('default')
  expect(() => mock.assertNoUnmatched()).toThrow(`GET ${path}`)
})

const wrongSdkPaths = [
  ['GET', '/client/features', 'GET /api/client/features'],
  ['GET', '/frontend', 'GET /api/frontend'],
  ['GET', '/api/api/client/features', 'GET /api/client/features'],
  ['POST', '/unleash/api/client/metrics', 'POST /api/client/metrics'],
  ['POST', '/proxy/client/metrics', 'POST /api/frontend/client/metrics'],
  ['GET', '/api', 'GET /api/frontend'],
  ['GET', '/admin/projects', 'GET /api/admin/projects'],
  ['POST', '/unleash/api/admin/projects/default/features', 'POST /api/admin/projects/:projectId/features'],
] as const

it.each(wrongSdkPaths)(
  'the response to a path that only ends with a route names the route: %s %s',
  async (method, path, route) => {
    const { createMock } = await import('../../../src/index.js')
    const { body } = await read(await createMock().fetch(new Request(`http://localhost${path}`, { method })))
    expect(body.hint).toContain(`The nearest modelled route is ${route};`)
  },
)

it("in the profile unleash-8, a hint of Unleash's own error names the nearest route", async () => {
  const { createMock } = await import('../../../src/index.js')
  const mock = createMock({ profile: 'unleash-8' })
  const ask = async (path: string, authorization: string) => {
    const { status, headers } = await mock.fetch(path, { headers: { authorization } })
    return [status, decodeURIComponent(headers.get('x-mock-hint') ?? '')]
  }
  const hint = 'The nearest modelled route is GET /api/client/features.'
  expect(await ask('/client/features', CLIENT)).toEqual([403, hint])
  expect(await ask('/api/api/client/features', CLIENT)).toEqual([404, hint])
  expect(await ask('/unleash/api/client/features', CLIENT)).toEqual([200, hint])
  expect(await ask('/api/admin/archive/features', ADMIN)).toEqual([
    404,
    'Unleash 7 has removed this route. The nearest modelled route is GET /api/admin/search/features.',
  ])
  for (const [path, route] of [
    ['feature-toggles', 'GET /api/admin/client-metrics/features/:name'],
    ['seen-toggles', 'GET /api/admin/client-metrics/features/:name'],
    ['seen-apps', 'GET /api/admin/metrics/applications'],
  ] as const) {
    const [status, told] = await ask(`/api/admin/metrics/${path}`, ADMIN)
    expect([status, told]).toEqual([410, expect.stringContaining(route)])
  }
  expect(await ask('/api/client/features', CLIENT)).toEqual([200, ''])
})

it('of the paths of a gateway, the longest counts', async () => {
  const { createMock } = await import('../../../src/index.js')
  for (const entries of [
    [
      ['/proxy', '/api/frontend'],
      ['/proxy/health', '/health'],
    ],
    [
      ['/proxy/health', '/health'],
      ['/proxy', '/api/frontend'],
    ],
  ]) {
    const mock = createMock({ paths: Object.fromEntries(entries) })
    expect((await mock.fetch('/proxy/health')).status).toBe(200)
    expect((await mock.fetch('/proxy')).status).toBe(401)
  }
})
