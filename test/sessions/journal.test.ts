import { expect, it, vi } from 'vitest'
import { createMock, type JournalEntry } from '../../src/index.js'
import { ITEMS_KEPT } from '../../src/service/store/collection.js'
import { ADMIN, CLIENT, FIXED, onEveryAdapter, VIEWER } from '../support/adapters.js'

const live = '/api/admin/invite-link/tokens/live-invite'
const features = '/api/admin/projects/default/features'

const post = (body: object) => ({
  method: 'POST',
  headers: { authorization: ADMIN, 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

onEveryAdapter('the journal', (client) => {
  const journal = async (query = '') => (await client.send('GET', `/__mock/requests${query}`)).body

  it.each([
    ['a forced answer', 201, { operation: 'cloneFeature', status: 503 } as const, {}],
    ['a refused key', 401, undefined, { key: 'user:nobody-at-all' }],
    ['another kind of key', 401, undefined, { key: CLIENT }],
    ['no permission', 403, undefined, { key: VIEWER }],
    ['an unknown scenario', 400, undefined, { headers: { 'x-mock-scenario': 'none' } }],
  ])('an entry has the body, whatever the response: %s', async (_, status, rule, options) => {
    if (rule !== undefined) client.mock.force(rule)
    const body = { name: 'größer', deep: { deeper: 'x' } }
    const answer = await client.send('POST', `${features}/checkout-redesign/clone`, body, options)
    expect(answer.status).toBe(rule?.status ?? status)
    const [entry] = client.mock.requests.all()
    expect(entry).toMatchObject({ operation: 'cloneFeature', status: answer.status })
    expect(entry?.requestBody).toEqual({ name: 'größer', deep: { deeper: 'x' } })
  })

  it.each(['reset', 'hang', 'truncate', 'malformed'] as const)(
    'an entry has the body, whatever goes wrong on the way: %s',
    async (fault) => {
      client.mock.force({ operation: '*', fault })
      const abort = new AbortController()
      const { signal } = abort
      const sent = client.adapter.fetch(`${features}/checkout-redesign/clone`, { ...post({ name: 'copy' }), signal })
      const settled = sent.then((response) => response.text()).catch(() => {})
      await vi.waitFor(() => expect(client.mock.requests.all()).toHaveLength(1), { timeout: 10_000 })
      abort.abort()
      await settled
      expect(client.mock.requests.all()[0]).toMatchObject({ forced: true, requestBody: { name: 'copy' } })
    },
  )

  it.each([
    ['of another type', 'POST', `${features}/checkout-redesign/clone`, { 'content-type': 'text/plain' }, 415],
    ['that no operation takes', 'DELETE', `${features}/legacy-export`, {}, 202],
    ['by a method that the path does not take', 'PATCH', '/api/admin/projects', {}, 404],
  ])('an entry has a body %s', async (_, method, path, headers, status) => {
    const answer = await client.adapter.fetch(path, {
      ...post({ name: 'copy' }),
      method,
      headers: { authorization: ADMIN, ...headers },
    })
    expect(answer.status).toBe(status)
    expect(client.mock.requests.all()[0]?.requestBody).toEqual({ name: 'copy' })
  })

  it('requests that end in an error of flagdouble have an entry, with caller and body', async () => {
    const legalValues = Array.from({ length: ITEMS_KEPT }, (_, index) => ({ value: `value-${index}` }))
    client.mock.add({ contextFields: [{ name: 'shop', legalValues }] })
    const { body } = await client.send('POST', '/api/admin/context/shop/legal-values', { value: 'one-more' })
    expect(body.code).toBe('TOO_MUCH_DATA')
    expect(client.mock.requests.all()).toMatchObject([
      {
        operation: 'updateContextFieldLegalValue',
        status: 507,
        caller: 'mock-admin',
        requestBody: { value: 'one-more' },
        responseBody: { code: 'TOO_MUCH_DATA' },
      },
    ])
  })

  it('a rejected API token is named if the mock knows it', async () => {
    const expired = {
      tokenName: 'old',
      secret: 'user:old',
      type: 'admin' as const,
      expiresAt: '2020-01-01T00:00:00.000Z',
    }
    client.mock.add({ apiTokens: [expired] })
    for (const key of [CLIENT, `Bearer ${CLIENT}`, expired.secret, 'user:nobody-at-all', null]) {
      expect((await client.send('GET', '/api/admin/projects', undefined, { key })).status).toBe(401)
    }
    const callers = client.mock.requests.all().map(({ caller }) => caller)
    expect(callers).toEqual(['mock-client', 'mock-client', 'old', null, null])
  })

  it('the journal lists each request, newest last', async () => {
    await client.send('GET', `${features}?x=1`)
    await client.send('PUT', live, { enabled: false })
    await client.send('PUT', live, { enabled: 'no' })
    const entries = await journal()
    expect(entries).toEqual([
      {
        id: 1,
        time: FIXED.now,
        method: 'GET',
        path: `${features}?x=1`,
        operation: 'getFeatures',
        scenario: 'default',
        status: 200,
        durationMs: expect.any(Number),
        caller: 'mock-admin',
        requestHeaders: expect.objectContaining({ authorization: ADMIN }),
        requestBody: null,
        responseHeaders: { 'content-type': 'application/json; charset=utf-8', 'x-mock-scenario': 'default' },
        responseBody: expect.objectContaining({ version: 2 }),
        matched: true,
      },
      expect.objectContaining({
        id: 2,
        operation: 'updatePublicSignupToken',
        requestBody: { enabled: false },
        responseBody: expect.objectContaining({ secret: 'live-invite', enabled: false }),
      }),
      expect.objectContaining({ id: 3, status: 400, requestBody: { enabled: 'no' }, matched: true }),
    ])
    expect(client.mock.requests.all()).toEqual(entries)
  })

  it('the journal shows the headers of requests and responses, and the callers', async () => {
    const viewer = { authorization: 'user:mock-viewer', 'X-Request-Id': 'r-1' }
    await client.send('GET', '/api/admin/projects', undefined, { headers: viewer })
    await client.send('POST', features, { name: 'mine' }, { headers: viewer })
    await client.send('GET', '/api/admin/projects', undefined, { key: 'user:nobody-at-all' })
    await client.send('GET', '/health', undefined, { key: null })
    const entries = await journal()
    expect(entries[0].requestHeaders).toMatchObject({ authorization: VIEWER, 'x-request-id': 'r-1' })
    expect(entries[1].requestHeaders['content-type']).toMatch('application/json')
    for (const { responseHeaders } of entries) expect(responseHeaders['x-mock-scenario']).toBe('default')
    for (const name of entries.flatMap(({ requestHeaders, responseHeaders }: JournalEntry) =>
      Object.keys({ ...requestHeaders, ...responseHeaders }),
    ))
      expect(name).toBe(name.toLowerCase())
    expect(entries.map(({ status, caller }: JournalEntry) => [status, caller])).toEqual([
      [200, 'Viewer'],
      [403, 'Viewer'],
      [401, null],
      [200, null],
    ])
    expect(client.mock.requests.all()).toEqual(entries)
  })

  it('the journal shows bodies of any length and script unchanged', async () => {
    const scripts = ['a', 'é', '漢', '😀', '\uFEFFb']
    const texts = [1, 40, 130, 3000, 9000].flatMap((length) => scripts.map((script) => script.repeat(length)))
    for (const [index, description] of texts.entries())
      await client.send('POST', features, { name: `flag-${index}`, type: 'release', description })
    const entries = await journal('?operation=createFeature')
    for (const body of ['requestBody', 'responseBody'])
      expect(entries.map((entry: Record<string, { description: string }>) => entry[body]?.description)).toEqual(texts)
  })

  it('the journal is searched by operation, status, matched and since', async () => {
    await client.send('GET', features)
    await client.send('PUT', live, { enabled: false })
    client.mock.clock.advance(1000)
    await client.send('PUT', live, {})
    await client.send('PATCH', live)
    const ids = async (query: string) => (await journal(query)).map(({ id }: { id: number }) => id)
    expect(await ids('?operation=updatePublicSignupToken')).toEqual([2, 3])
    expect(await ids('?operation=updatePublicSignupToken&status=200')).toEqual([2])
    expect(await ids('?status=400')).toEqual([3])
    expect(await ids('?matched=false')).toEqual([4])
    expect(await ids('?matched=true')).toEqual([1, 2, 3])
    expect(await ids('?since=2')).toEqual([3, 4])
    expect(await ids('?since=2026-11-20T12:00:01.000Z')).toEqual([3, 4])
    expect(await ids('?operation=nothing')).toEqual([])
    const { requests } = client.mock
    expect([requests.count({ method: 'PUT' }), requests.count(), requests.unmatched().length]).toEqual([2, 4, 1])
    expect(requests.find({ path: features, scenario: 'default' })).toHaveLength(1)
  })

  it('the journal lists requests without an operation, and assertNoUnmatched throws for them', async () => {
    await client.send('PATCH', live)
    expect(() => client.mock.assertNoUnmatched()).toThrow(expect.objectContaining({ code: 'UNMATCHED_REQUESTS' }))
    expect(() => client.mock.assertNoUnmatched()).toThrow(`PATCH ${live} → 404`)
    client.mock.requests.clear()
    expect(() => client.mock.assertNoUnmatched()).not.toThrow()
  })

  it('the journal keeps deeply nested bodies, shortened', async () => {
    const deep = `{"name":"x","y":${'['.repeat(5000)}${']'.repeat(5000)}}`
    await client.send('POST', `${features}/checkout-redesign/clone`, deep)
    const [entry] = await journal()
    expect(JSON.stringify(entry.requestBody)).toContain('nested deeper')
  })

  it('a control call clears the journal', async () => {
    await client.send('GET', features)
    expect((await client.send('DELETE', '/__mock/requests')).status).toBe(204)
    expect(await journal()).toEqual([])
    await client.send('GET', features)
    expect((await journal())[0].id).toBe(2)
  })

  it('the journal does not list control calls', async () => {
    await client.send('GET', '/__mock/state')
    await client.send('GET', '/__mock/health')
    expect(await journal()).toEqual([])
  })

  it('the entries of the journal are copies', async () => {
    await client.send('PUT', live, { enabled: false })
    const [entry] = client.mock.requests.all()
    Object.assign(entry?.responseBody as object, { secret: 'changed' })
    expect(client.mock.requests.all()[0]?.responseBody).toMatchObject({ secret: 'live-invite' })
  })
})

it('an entry has the body of a request to an unknown path', async () => {
  const mock = createMock(FIXED)
  await mock.fetch(new Request('http://localhost/api/admin/unknown', post({ name: 'copy' })))
  expect(mock.requests.unmatched()).toMatchObject([{ status: 501, requestBody: { name: 'copy' } }])
})

it.each([
  [0, []],
  [1, [25]],
  [10, [16, 17, 18, 19, 20, 21, 22, 23, 24, 25]],
])('the journal keeps the last %i requests', async (journalSize, kept) => {
  const mock = createMock({ ...FIXED, journalSize })
  for (let i = 0; i < 25; i++) await mock.fetch(new Request('http://localhost/health'))
  expect(mock.requests.all().map(({ id }) => id)).toEqual(kept)
  expect(mock.requests.count()).toBe(kept.length)
  expect(mock.requests.find({ since: 24 }).map(({ id }) => id)).toEqual(kept.slice(-1))
})

it('headers count towards the characters of a journal', async () => {
  const mock = createMock(FIXED)
  const headers = { 'x-long': 'x'.repeat(100_000) }
  for (let i = 0; i < 400; i++) await mock.fetch(new Request('http://localhost/health', { headers }))
  const kept = mock.requests.all()
  expect(kept.length).toBeLessThan((32 * 1024 * 1024) / 100_000)
  expect(kept.length).toBeGreaterThan(300)
  expect(kept.at(-1)?.requestHeaders['x-long']).toBe(headers['x-long'])
})

it('a journal of size 0 keeps nothing, and still numbers the requests', async () => {
  const mock = createMock({ journalSize: 0 })
  const heard: number[] = []
  mock.onRequest(({ id }) => heard.push(id))
  for (let i = 0; i < 3; i++) await mock.fetch(new Request('http://localhost/health'))
  expect(mock.requests.all()).toEqual([])
  expect(heard).toEqual([1, 2, 3])
})

it('the journal rejects an unknown filter', () => {
  const { requests } = createMock()
  const mistyped = { operatoin: 'cloneFeature' } as never
  expect(() => requests.find(mistyped)).toThrow('There is no filter "operatoin".')
  expect(() => requests.count(mistyped)).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }))
})
