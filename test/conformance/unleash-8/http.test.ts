import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { startServer } from '../../../src/doors/node.js'
import { createMock } from '../../../src/mock.js'
import { onEveryDoor, read } from '../../support/doors.js'
import { by, running, tokens } from '../../support/unleash-8.js'

const tokensPath = '/api/admin/invite-link/tokens'

onEveryDoor(
  'the running service',
  (client) => {
    it('tags answers weakly and knows them again', async () => {
      const first = await client.door.fetch('/api/admin/projects', { headers: { authorization: tokens.admin } })
      const body = Buffer.from(await first.arrayBuffer())
      const hash = createHash('sha1').update(body).digest('base64').replace(/=+$/, '')
      const etag = first.headers.get('etag') ?? ''
      expect(etag).toBe(`W/"${body.length.toString(16)}-${hash}"`)
      expect(first.headers.get('vary')).toBe('Accept-Encoding')
      const again = await client.door.fetch('/api/admin/projects', {
        headers: { authorization: tokens.admin, 'if-none-match': etag },
      })
      expect([again.status, await again.text()]).toEqual([304, ''])
    })

    it('tells a missing key from a wrong one and from an SDK’s', async () => {
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

    it('stops changes in maintenance, after the key and before the permission', async () => {
      client.mock.add({ settings: [{ name: 'maintenance', enabled: true }] })
      const change = (key: string | null) => client.send('POST', tokensPath, {}, by(key))
      expect((await change(null)).status).toBe(401)
      expect(await change(tokens.viewer)).toMatchObject({ status: 503, body: { message: expect.any(String) } })
    })

    it('says what a path takes', async () => {
      const response = await client.door.fetch(`${tokensPath}/abc`, {
        method: 'OPTIONS',
        headers: { authorization: tokens.admin },
      })
      expect([response.status, response.headers.get('allow')]).toEqual([200, 'GET,HEAD,PUT'])
      expect(await response.text()).toBe('GET,HEAD,PUT')
    })
  },
  running,
)

describe('paths of the running service', () => {
  const fetch = async (path: string, init: RequestInit = {}) =>
    read(await createMock(running).fetch(new Request(`http://localhost${path}`, init)))
  const headers = { authorization: tokens.admin }

  it('are 404 where it has none, after the key', async () => {
    expect(await fetch('/api/admin/nope')).toMatchObject({ status: 401 })
    expect(await fetch('/api/admin/nope', { headers })).toMatchObject({ status: 404, body: { name: 'NotFoundError' } })
  })

  it('are 501 by the kit where the service has them and the kit does not', async () => {
    expect(await fetch('/api/admin/addons', { headers })).toMatchObject({ status: 501 })
  })

  it('are pages outside the API', async () => {
    const page = await fetch('/nope')
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const method = await fetch('/invite/abc/validate', { method: 'POST' })
    expect([method.status, method.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  })

  it('may not be read by pages of foreign origins', async () => {
    const asked = { origin: 'https://x.example', 'access-control-request-method': 'POST' }
    const preflight = await fetch(tokensPath, { method: 'OPTIONS', headers: asked })
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([401, null])
  })
})

it('compresses long answers for who asks', async () => {
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
