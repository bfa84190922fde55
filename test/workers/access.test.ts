import { expect, it } from 'vitest'
import { clientOf, KEY, startWorker, type TestWorker } from '../support/workers.js'

const FEATURES = '/api/admin/projects/default/features'
const PATHS = [
  '/',
  '/__mock/',
  '/__mock/state',
  '/__mock/health',
  '/__mock/events',
  FEATURES,
  '/health',
  '/api/nothing',
]
const page = { accept: 'text/html' }
const get = (worker: TestWorker, path: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
  fetch(worker.url + path, { redirect: 'manual', ...init, headers })
const link = (path: string, key: string) =>
  `${path}${path.includes('?') ? '&' : '?'}flagdouble-access=${encodeURIComponent(key)}`

it.each(PATHS)('without an access key, the worker serves only a page on how to set one: %s', async (path) => {
  await using worker = await startWorker({ env: { FLAGDOUBLE_ACCESS: '' } })
  for (const headers of [
    {},
    { 'x-flagdouble-access': '' },
    { 'x-flagdouble-access': KEY },
    { cookie: 'flagdouble-access=' },
  ]) {
    const response = await get(worker, path, { ...page, ...headers })
    expect(response.status).toBe(503)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await response.text()).toContain('npx wrangler secret put FLAGDOUBLE_ACCESS')
  }
  const body = await (await get(worker, path)).json()
  expect(body).toMatchObject({ name: 'MockError', code: 'ACCESS_NOT_SET' })
})

it('without the key, or with another key, the worker serves nothing and stores nothing', async () => {
  await using worker = await startWorker()
  const wrong = ['', 'x', KEY.slice(0, -1), `${KEY}x`, KEY.toUpperCase()]
  for (const path of PATHS) {
    for (const key of wrong) {
      for (const headers of [{}, { 'x-flagdouble-access': key }, { cookie: `flagdouble-access=${key || 'x'}` }]) {
        const response = await get(worker, path, headers)
        expect([response.status, response.headers.get('x-mock-error')]).toEqual([401, 'ACCESS_REQUIRED'])
        expect(await response.text()).not.toContain(KEY)
      }
      const followed = await get(worker, link(path, key), page)
      expect([followed.status, followed.headers.get('set-cookie')]).toEqual([401, null])
    }
  }
  const { kept } = (await clientOf(worker, '').send('GET', '/test/stored')).body
  expect(kept).toEqual([])
  const cookie = `flagdouble-access=${KEY}`
  expect((await get(worker, FEATURES, { cookie })).status, 'the cookie is not the key').toBe(401)
  expect((await get(worker, FEATURES, page)).headers.get('content-type')).toBe('text/html; charset=utf-8')
})

it('a link gives access permanently, and removes the key from the URL', async () => {
  await using worker = await startWorker()
  const response = await get(worker, link('/__mock/use/slow?redirect=/x', KEY))
  expect(response.status).toBe(302)
  expect(response.headers.get('location')).toBe(`${worker.url}/__mock/use/slow?redirect=%2Fx`)
  expect(response.headers.get('referrer-policy')).toBe('no-referrer')
  const given = response.headers.get('set-cookie') ?? ''
  expect(given).toMatch(/^flagdouble-access=[0-9a-f]{64}; .*HttpOnly; SameSite=Lax/)
  expect(JSON.stringify([...response.headers])).not.toContain(KEY)
  const cookie = given.split(';')[0] ?? ''
  expect((await get(worker, '/__mock/health', { cookie: `mock-session=qa; ${cookie}` })).status).toBe(200)
})

it('over HTTPS the cookie is secure, and valid for all sessions of a domain', async () => {
  await using worker = await startWorker({ env: { FLAGDOUBLE_DOMAIN: 'flags.example.com' } })
  const response = await worker.fetch('', link('https://qa.flags.example.com//evil.example/x', KEY))
  expect(response.headers.get('location')).toBe('https://qa.flags.example.com//evil.example/x')
  expect(response.headers.get('set-cookie')).toMatch(/Domain=flags\.example\.com; .*Secure/)
})

it('at an address outside of the domain, the cookie is for that address alone', async () => {
  await using worker = await startWorker({ env: { FLAGDOUBLE_DOMAIN: 'flags.example.com' } })
  for (const host of ['mine.workers.dev', 'evil-flags.example.com']) {
    const response = await worker.fetch('', link(`https://${host}/x`, KEY))
    expect(response.headers.get('set-cookie')).not.toContain('Domain')
  }
  for (const host of ['flags.example.com', 'a.b.flags.example.com']) {
    const response = await worker.fetch('', link(`https://${host}/x`, KEY))
    expect(response.headers.get('set-cookie')).toContain('Domain=flags.example.com')
  }
})

it('a link with the key gives no access by other methods', async () => {
  await using worker = await startWorker()
  expect((await get(worker, link(FEATURES, KEY), {}, { method: 'POST' })).status).toBe(401)
})

it('the key is in no response, journal, event, state or stored row', async () => {
  await using worker = await startWorker()
  const client = clientOf(worker, 'qa')
  const cookie = ((await get(worker, link('/', KEY))).headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const digest = cookie.split('=')[1] ?? 'none'
  await client.send('GET', FEATURES, undefined, { cookie: `a=1; flagdouble-access = ${digest}` })
  for (const referer of [worker.url + link('/page?x=1', KEY), `${worker.url}/?flagdouble%2Daccess=${KEY}`, KEY]) {
    await client.send('GET', FEATURES, undefined, { cookie, referer })
  }
  await client.send('GET', link(FEATURES, KEY), undefined, { cookie })
  await client.send('POST', link('/api/nothing', KEY), { key: 'x' }, { cookie })
  const seen = [
    await client.send('GET', '/__mock/requests'),
    await client.send('GET', '/__mock/state'),
    await client.send('GET', '/__mock/sessions'),
    await client.send('GET', '/test/stored'),
  ].map(({ text }) => text)
  expect(seen[0]).toContain('/api/nothing')
  for (const text of seen) {
    expect(text).not.toContain(KEY)
    expect(text).not.toContain(digest)
  }
})

it('a preflight needs no key, and a page of another site can read the reason for its rejection', async () => {
  await using worker = await startWorker()
  const origin = 'https://preview.example.com'
  const preflight = await get(
    worker,
    FEATURES,
    { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'x-flagdouble-access' },
    { method: 'OPTIONS' },
  )
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-origin')).toBe(origin)
  expect(preflight.headers.get('access-control-allow-headers')).toBe('x-flagdouble-access')
  const refused = await get(worker, FEATURES, { origin })
  expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, origin])
})

it.each([FEATURES, '/api/frontend', '/__mock/scenario'])(
  'a preflight opens nothing: it succeeds even if no mock can start: %s',
  async (path) => {
    await using worker = await startWorker({ env: { FLAGDOUBLE_SCENARIO: 'emtpy' } })
    const headers = { origin: 'https://preview.example.com', 'access-control-request-method': 'POST' }
    expect((await get(worker, path, headers, { method: 'OPTIONS' })).status).toBe(204)
    expect((await worker.fetch('', path)).status).toBe(400)
  },
)

it('a page of another site uses only the frontend API with the key, until it is allowed', async () => {
  const origin = 'https://preview.example.com'
  const change = { name: 'slow' }
  await using worker = await startWorker()
  const foreign = clientOf(worker, '')
  const frontend = { origin, authorization: '*:development.mock-frontend' }
  expect((await foreign.send('GET', '/api/frontend', undefined, frontend)).status).toBe(200)
  expect((await foreign.send('GET', FEATURES, undefined, { origin })).body.code).toBe('ORIGIN_NOT_ALLOWED')
  expect((await foreign.send('PUT', '/__mock/scenario', change, { origin })).body.code).toBe('ORIGIN_NOT_ALLOWED')
  await using open = await startWorker({ env: { FLAGDOUBLE_ALLOW_ORIGIN: `https://x.example, ${origin}` } })
  expect((await clientOf(open, '').send('PUT', '/__mock/scenario', change, { origin })).status).toBe(200)
})
