import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createMock } from '../../../src/engine/mock/mock.js'
import { startServer } from '../../../src/entries/adapters/node.js'
import { onEveryAdapter, read } from '../../support/adapters.js'
import { sendRaw } from '../../support/raw.js'
import { by, running, tokens } from '../../support/unleash-8.js'

const tokensPath = '/api/admin/invite-link/tokens'

onEveryAdapter(
  'Unleash',
  (client) => {
    it('responses have a weak entity tag, and a request with that tag gets a 304', async () => {
      const first = await client.adapter.fetch('/api/admin/projects', { headers: { authorization: tokens.admin } })
      const body = Buffer.from(await first.arrayBuffer())
      const hash = createHash('sha1').update(body).digest('base64').replace(/=+$/, '')
      const etag = first.headers.get('etag') ?? ''
      expect(etag).toBe(`W/"${body.length.toString(16)}-${hash}"`)
      expect(first.headers.get('vary')).toBe('Accept-Encoding')
      const again = await client.adapter.fetch('/api/admin/projects', {
        // Without the header, fetch adds `no-cache`.
        headers: { authorization: tokens.admin, 'if-none-match': etag, 'cache-control': 'max-age=0' },
      })
      expect([again.status, await again.text()]).toEqual([304, ''])
    })

    it('a request that asks for no cached response gets none, except for the features of SDKs', async () => {
      const statusOf = async (path: string, key: string) => {
        const first = await client.adapter.fetch(path, { headers: { authorization: key } })
        const headers = { 'if-none-match': first.headers.get('etag') ?? '', 'cache-control': 'no-cache' }
        return (await client.adapter.fetch(path, { headers: { authorization: key, ...headers } })).status
      }
      expect(await statusOf('/api/admin/projects', tokens.admin)).toBe(200)
      expect(await statusOf('/api/client/features', tokens.client)).toBe(304)
      const { headers } = await client.adapter.fetch('/api/client/features', {
        headers: { authorization: tokens.client },
      })
      expect(headers.get('vary')).toBe('Accept-Encoding')
    })

    it('any body except an object is rejected, also by an operation that takes none', async () => {
      await client.send('POST', '/api/admin/projects/default/features', { name: 'on' }, by(tokens.admin))
      const on = '/api/admin/projects/default/features/on/environments/development/on'
      for (const sent of ['[]', 'null', '{']) {
        expect((await client.send('POST', on, sent, by(tokens.admin))).status).toBe(400)
      }
      for (const sent of [undefined, {}])
        expect((await client.send('POST', on, sent, by(tokens.admin))).status).toBe(200)
    })

    it('a value that fits none of its alternatives gets an error for each, and one error if it must be an object', async () => {
      const detailsOf = async (path: string, sent: unknown, key: string = tokens.admin) =>
        (await client.send('POST', path, sent, by(key))).body.details
      const exported = '/api/admin/features-batch/export'
      expect(await detailsOf(exported, '[]')).toEqual([{ path: '/body', message: expect.stringContaining('[]') }])
      expect(await detailsOf(exported, { features: ['a'] })).toMatchObject([
        { path: '/body/environment' },
        { path: '/body/environment' },
        { path: '/body/environment' },
        { path: '/body', message: expect.stringContaining('{"features":["a"]}') },
      ])
      const metric = { appName: 'shop', environment: 'development', featureName: 'src', timestamp: 'soon', yes: 1 }
      const told = await detailsOf('/api/client/metrics/bulk', { applications: [], metrics: [metric] }, tokens.client)
      expect(told.map(({ path }: { path: string }) => path)).toEqual(Array(3).fill('/body/metrics/0/timestamp'))
    })

    it('the error for a string outside a list names the property alone, the one for another type its place', async () => {
      const pathOf = async (operator: unknown) => {
        const sent = { name: 'default', constraints: [{ contextName: 'userId', operator }] }
        const path = '/api/admin/projects/default/features/src/environments/development/strategies'
        return (await client.send('POST', path, sent, by(tokens.admin))).body.details[0].path
      }
      expect([await pathOf('LIKE'), await pathOf([])]).toEqual(['operator', '/body/constraints/0/operator'])
    })

    it('of several API tokens, the first counts', async () => {
      const headers = new Headers({ authorization: `Bearer ${tokens.admin}` })
      headers.append('authorization', 'unknown')
      expect((await client.adapter.fetch('/api/admin/projects', { headers })).status).toBe(200)
    })

    it('the document promises no body for responses without one', async () => {
      const { body: document } = await client.send('GET', '/docs/openapi.json')
      const empty: [method: string, path: string, body?: unknown][] = [
        ['PUT', `${tokensPath}/{token}`, {}],
        ['GET', '/invite/{token}/validate'],
        ['POST', '/invite/{token}/signup', { email: 'ada@example.com', name: 'Ada', password: 'Correct-horse-7' }],
        ['GET', '/api/admin/user/roles'],
        ['POST', '/api/admin/user/change-password', { password: 'Correct-horse-7', confirmPassword: 'Other' }],
      ]
      for (const [method, path, sent] of empty) {
        const key = path.includes('/user/') ? tokens.viewer : tokens.admin
        const { status, body } = await client.send(method, path.replace('{token}', 'nobody'), sent, by(key))
        expect([path, status, body]).toEqual([path, 400, undefined])
        expect(document.paths[path][method.toLowerCase()].responses[400]).toEqual({
          description: expect.stringContaining('no body'),
        })
      }
    })

    it('a missing, a wrong and an SDK’s API token get different responses', async () => {
      const missing = await client.send('GET', tokensPath, undefined, by(null))
      expect([missing.status, missing.body.name, missing.body.type]).toEqual([
        401,
        'AuthenticationRequired',
        'password',
      ])
      const wrong = await client.send('GET', tokensPath, undefined, by('wrong'))
      expect([wrong.status, wrong.body.name]).toEqual([401, 'UnauthorizedError'])
      const sdk = await client.send('GET', tokensPath, undefined, by(tokens.client))
      expect([sdk.status, Object.keys(sdk.body)]).toEqual([403, ['message']])
    })

    it('maintenance mode stops changes, after the check of the API token and before that of the permission', async () => {
      client.mock.add({ settings: [{ name: 'maintenance', enabled: true }] })
      const change = (key: string | null) => client.send('POST', tokensPath, {}, by(key))
      expect((await change(null)).status).toBe(401)
      expect(await change(tokens.viewer)).toMatchObject({ status: 503, body: { message: expect.any(String) } })
    })

    it('maintenance mode does not stop a JSON Patch', async () => {
      client.mock.add({ features: [{ name: 'src' }], settings: [{ name: 'maintenance', enabled: true }] })
      const patch = [{ op: 'replace', path: '/stale', value: true }]
      const answer = await client.send('PATCH', '/api/admin/projects/default/features/src', patch, by(tokens.admin))
      expect(answer.status).toBe(200)
    })

    it('if one of several permissions is needed, all of them are named', async () => {
      const asViewer = (method: string, path: string) => client.send(method, path, undefined, by(tokens.viewer))
      const { body } = await asViewer('GET', '/api/admin/maintenance')
      expect(body.permissions).toEqual(['ADMIN', 'UPDATE_MAINTENANCE_MODE'])
      expect(body.message).toContain('"UPDATE_MAINTENANCE_MODE"')
      expect((await asViewer('DELETE', '/api/admin/api-tokens/any')).body.permissions).toHaveLength(3)
      const defaultStrategy = '/api/admin/projects/default/environments/development/default-strategy'
      const named = (await asViewer('POST', defaultStrategy)).body.permissions
      expect(named).toEqual(['UPDATE_PROJECT', 'PROJECT_DEFAULT_STRATEGY_WRITE'])
    })

    it('the environment in a body of any type counts, and users are confined to three environments', async () => {
      client.mock.add({ features: [{ name: 'src' }] })
      const clone = async (environment: unknown, key: string) => {
        const path = '/api/admin/projects/default/features/src/clone'
        return (await client.send('POST', path, { name: 'copy', environment }, by(key))).status
      }
      for (const other of ['nope', 5, ['development']]) expect(await clone(other, tokens.admin2)).toBe(403)
      expect(await clone(null, tokens.admin2)).toBe(201)
      expect(await clone(5, tokens.admin)).toBe(409)
    })

    it.each(['__proto__', 'constructor'])(
      'the body of a request with the content type %s is not read',
      async (type) => {
        const path = '/api/admin/projects/default/features'
        const headers = { authorization: tokens.admin, 'content-type': type }
        const { status, body } = await read(
          await client.adapter.fetch(path, { method: 'POST', headers, body: '{"name":"x"}' }),
        )
        expect([status, body.name]).toEqual([415, 'ContentTypeError'])
      },
    )

    it('favourites need the content type JSON, although they have no body', async () => {
      client.mock.add({ features: [{ name: 'src' }] })
      const path = '/api/admin/projects/default/features/src/favorites'
      expect((await client.send('POST', path, undefined, by(tokens.viewer))).status).toBe(415)
      const json = { 'content-type': 'application/json' }
      expect((await client.send('POST', path, undefined, by(tokens.viewer, json))).status).toBe(200)
    })

    it('the word Bearer before an API token is ignored only below /api', async () => {
      const bearer = by(`Bearer ${tokens.client}`)
      expect((await client.send('GET', tokensPath, undefined, bearer)).status).toBe(403)
      expect((await client.send('GET', '/invite/nope/validate', undefined, bearer)).status).toBe(400)
      expect((await client.send('GET', '/invite/nope/validate', undefined, by(tokens.client))).status).toBe(403)
    })

    it('OPTIONS lists the methods of a path', async () => {
      const response = await client.adapter.fetch(`${tokensPath}/abc`, {
        method: 'OPTIONS',
        headers: { authorization: tokens.admin },
      })
      expect([response.status, response.headers.get('allow')]).toEqual([200, 'GET,HEAD,PUT'])
      expect(await response.text()).toBe('GET,HEAD,PUT')
    })
  },
  running,
)

describe('paths of Unleash', () => {
  const fetch = async (path: string, init: RequestInit = {}) =>
    read(await createMock(running).fetch(new Request(`http://localhost${path}`, init)))
  const headers = { authorization: tokens.admin }

  it('an unknown path gets a 404, after the check of the API token', async () => {
    expect(await fetch('/api/admin/nope')).toMatchObject({ status: 401 })
    expect(await fetch('/api/admin/nope', { headers })).toMatchObject({ status: 404, body: { name: 'NotFoundError' } })
  })

  it('a path that only has another method gets a 404', async () => {
    const answer = await fetch('/api/admin/ui-config/cors', { headers })
    expect(answer).toMatchObject({ status: 404, body: { name: 'NotFoundError' } })
  })

  it('an unknown path outside the API gets a page', async () => {
    const page = await fetch('/nope')
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const method = await fetch('/invite/abc/validate', { method: 'POST' })
    expect([method.status, method.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect([page.headers.has('etag'), method.headers.has('etag')]).toEqual([true, false])
    const list = { method: 'POST', body: '[]', headers: { 'content-type': 'application/json' } }
    expect((await fetch('/nope', list)).status).toBe(404)
  })

  it('outside the API, GET gets a page even at a path of other methods, except for file names', async () => {
    const statuses = async (method: string, ...paths: string[]) =>
      Promise.all(paths.map(async (path) => (await fetch(path, { method })).status))
    const paths = ['/invite/abc/signup', '/auth/simple/login', '/new-user', '/nope.js']
    expect(await statuses('GET', ...paths)).toEqual([200, 200, 200, 404])
    expect(await statuses('HEAD', ...paths)).toEqual([200, 200, 200, 404])
    const allowed = await fetch('/new-user', { method: 'OPTIONS' })
    expect([allowed.status, allowed.headers.get('allow')]).toEqual([200, 'GET,HEAD'])
  })

  it('an unknown path needs an API token for its part of the API', async () => {
    expect(await fetch('/api')).toMatchObject({ status: 401, body: { name: 'AuthenticationRequired' } })
    expect(await fetch('/api', { headers })).toMatchObject({ status: 404, body: { name: 'NotFoundError' } })
    expect(Object.keys((await fetch('/api/client/nope')).body)).toEqual(['message'])
    expect(await fetch('/api/client/nope', { headers })).toMatchObject({ status: 403 })
    const client = { authorization: tokens.client }
    expect(await fetch('/api/client/features', { method: 'POST', headers: client })).toMatchObject({ status: 404 })
  })

  it.each([
    ['frontend', 404],
    ['admin', 404],
    ['client', 403],
    ['unknown', 401],
  ] as const)(
    'the frontend API is no longer below /api/proxy: with a token of the type %s, %i',
    async (type, status) => {
      const authorization = type === 'unknown' ? 'unknown' : tokens[type]
      expect(await fetch('/api/proxy', { headers: { authorization } })).toMatchObject({ status })
    },
  )

  it('methods are listed in Unleash’s order', async () => {
    const feature = '/api/admin/projects/default/features/any'
    const answer = await fetch(feature, { method: 'OPTIONS', headers })
    expect(answer.headers.get('allow')).toBe('GET,HEAD,PUT,PATCH,DELETE')
  })
})

describe('the body of a GET', () => {
  const ask = async (target: string, body: string, key: string = tokens.admin) => {
    await using server = await startServer(running, { port: 0 })
    const headers = { authorization: key, 'content-type': 'application/json' }
    const answer = await sendRaw(Number(new URL(server.url).port), { target, headers, body })
    const isJson = answer.headers['content-type']?.startsWith('application/json')
    return { ...answer, json: isJson ? JSON.parse(answer.body) : undefined }
  }

  it('must be JSON, even without a valid API token', async () => {
    expect(await ask('/api/admin/projects', '{', 'unknown')).toMatchObject({
      status: 400,
      json: { message: expect.any(String) },
    })
    expect(await ask('/nowhere', '{')).toMatchObject({ status: 400 })
  })

  it('must be an object if the operation describes its requests', async () => {
    for (const body of ['[]', '""', 'null', '5']) {
      const details = [{ path: '/body', message: expect.stringContaining(body) }]
      expect(await ask('/api/admin/projects', body)).toMatchObject({ status: 400, json: { details } })
      expect(await ask('/internal-backstage/prometheus', body)).toMatchObject({ status: 200 })
    }
    expect(await ask('/api/admin/projects', '{"any":1}')).toMatchObject({ status: 200 })
  })
})

it('long responses are compressed on request', async () => {
  await using server = await startServer(running, { port: 0 })
  const ask = (encoding: string) =>
    fetch(`${server.url}/api/admin/user-admin`, {
      headers: { authorization: tokens.admin, 'accept-encoding': encoding },
    })
  const zipped = await ask('gzip')
  expect(zipped.headers.get('content-encoding')).toBe('gzip')
  expect((await zipped.json()).users).toHaveLength(4)
  expect((await ask('identity')).headers.get('content-encoding')).toBeNull()
})
