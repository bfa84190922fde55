import { deflateRawSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { LARGEST_UNPACKED, pack, unpack } from '../../src/engine/control/fragment.js'
import { describeShared } from '../../src/engine/control/shared-words.js'
import { createMock, type Mock, type MockOptions } from '../../src/index.js'
import { version } from '../../src/version.js'
import { onEveryAdapter, read } from '../support/adapters.js'

const MINE = { name: 'mine', title: 'Mine', promise: 'Mine.' }
const ONE_DAY = { days: 1 }
/** Without a time of its own, which would go before that of the link. */
const REAL_TIME = { seed: 'tests' }
const cloned = '/api/admin/projects/default/features/checkout-redesign/clone'

/** What a link holds. */
async function worldIn(url: string): Promise<Record<string, unknown>> {
  return (await unpack(new URL(url).hash.slice(1))) as Record<string, unknown>
}

/** Everything but who is signed in, and ids that each world makes for itself. */
function comparable(mock: Mock): object {
  const { logins: _, ...lists } = JSON.parse(JSON.stringify(mock.state()).replaceAll(/"01[0-9A-Z]{24}"/g, '"an id"'))
  return lists
}

onEveryAdapter(
  'Passing a world on as a link',
  (client) => {
    const share = (headers = {}) => client.send('GET', '/__mock/share', undefined, { headers })
    const open = (given: unknown) => client.send('POST', '/__mock/share', given)

    it('another mock opens the same data, rules and clock', async () => {
      const other = createMock()
      other.useScenario('empty')
      other.add({ features: [{ name: 'dark-mode' }] })
      other.clock.set('2031-05-06T07:08:09Z')
      other.force({ operation: 'cloneFeature', status: 503, times: 3 })
      const from = await read(await other.fetch(new Request('http://localhost:4242/__mock/share')))
      expect(from.body.size).toBe(new URL(from.body.url).hash.length - 1)
      const { status, body } = await open(await worldIn(from.body.url))
      expect([status, body, client.mock.activeScenarios]).toEqual([200, { name: 'shared' }, ['shared']])
      expect(comparable(client.mock)).toEqual(comparable(other))
      expect(client.mock.clock.now()).toEqual(new Date('2031-05-06T07:08:09Z'))
      expect(client.mock.clock.frozen).toBe(true)
      const { body: rules } = await client.send('GET', '/__mock/forced')
      expect(rules).toEqual([expect.objectContaining({ operation: 'cloneFeature', status: 503, times: 3 })])
      expect((await client.send('POST', cloned, { name: 'x' })).status).toBe(503)
    })

    it('the address is that of the mock, with nothing of the session', async () => {
      const { status, body } = await share({ 'x-mock-session': 'nora' })
      expect([status, body.url.split('#')[0]]).toEqual([200, `${client.mock.baseUrl}/__mock/use`])
      expect(JSON.stringify(await worldIn(body.url))).not.toContain('nora')
    })

    it('a running clock runs on from where it was, and one that shows real time still does', async () => {
      client.mock.clock.release()
      const real = await worldIn((await share()).body.url)
      expect(real).not.toHaveProperty('clock')
      client.mock.clock.advance(ONE_DAY)
      const { clock, ...ahead } = await worldIn((await share()).body.url)
      expect(clock).toEqual({ now: expect.any(String), frozen: false })
      await open({ ...ahead, clock: { now: '2040-01-01T00:00:00Z', frozen: false } })
      expect([client.mock.clock.frozen, client.mock.clock.now().getUTCFullYear()]).toEqual([false, 2040])
      await open(real)
      expect([client.mock.clock.frozen, client.mock.clock.now().getUTCFullYear() < 2040]).toEqual([false, true])
    })

    it('takes a free name where another world has the name, and the same one for the same world', async () => {
      const first = await worldIn((await share()).body.url)
      client.mock.add({ features: [{ name: 'second' }] })
      const second = await worldIn((await share()).body.url)
      const names: string[] = []
      for (const world of [first, second, first, second]) names.push((await open(world)).body.name)
      expect(names).toEqual(['shared', 'shared-2', 'shared', 'shared-2'])
      expect(client.mock.features.get('second')).toBeDefined()
    })

    it('a world that was opened can be changed and passed on to a mock that has never seen it', async () => {
      await open(await worldIn((await share()).body.url))
      client.mock.add({ features: [{ name: 'later' }] })
      const world = await worldIn((await share()).body.url)
      const other = createMock()
      const init = { method: 'POST', body: JSON.stringify(world), headers: { 'content-type': 'application/json' } }
      expect((await other.fetch(new Request('http://localhost:4242/__mock/share', init))).status).toBe(200)
      expect(other.features.get('later')).toBeDefined()
    })

    it('opening is one step, which undo takes back, and redo does again', async () => {
      client.mock.clock.set('2031-05-06T07:08:09Z')
      const world = await worldIn((await share()).body.url)
      client.mock.clock.set('2032-05-06T07:08:09Z')
      client.mock.add({ features: [{ name: 'mine' }] })
      await open(world)
      expect(client.mock.features.get('mine')).toBeUndefined()
      client.mock.history.undo()
      expect([client.mock.activeScenarios, client.mock.clock.now()]).toEqual([
        ['default'],
        new Date('2032-05-06T07:08:09Z'),
      ])
      expect(client.mock.features.get('mine')).toBeDefined()
      client.mock.history.redo()
      expect([client.mock.activeScenarios, client.mock.clock.now()]).toEqual([
        ['shared'],
        new Date('2031-05-06T07:08:09Z'),
      ])
    })

    it('what a link brought starts again only by that link', async () => {
      const world = await worldIn((await share()).body.url)
      expect((await open(world)).body).toEqual({ name: 'shared' })
      const listed = async () =>
        (await client.send('GET', '/__mock/scenarios')).body.map((one: { name: string }) => one.name)
      expect(await listed()).toContain('shared')
      expect((await client.send('GET', '/health')).headers.get('x-mock-scenario')).toBe('shared')
      client.mock.reset()
      expect(await listed()).not.toContain('shared')
      const tries = [
        await client.send('GET', '/health?scenario=shared'),
        await client.send('GET', '/health', undefined, { headers: { 'x-mock-scenario': 'empty,shared' } }),
        await client.send('GET', '/health', undefined, { headers: { cookie: 'mock-scenario=shared' } }),
        await client.send('GET', '/__mock/use/shared'),
        await client.send('PUT', '/__mock/scenario', { name: 'shared' }),
      ]
      for (const { status, body } of tries) {
        expect([status, body.code, body.message]).toEqual([
          400,
          'UNKNOWN_SCENARIO',
          expect.stringContaining('by a link'),
        ])
      }
      expect(client.mock.activeScenarios).toEqual(['default'])
      expect((await open(world)).body).toEqual({ name: 'shared' })
    })

    const rule = { operation: 'getHealth', status: 200 }
    it.each([
      ['generates data', { generate: { features: 50_000 } }],
      ['has every answer take an hour', { latency: 3_600_000 }],
      ['has an answer take an hour', { force: [{ ...rule, delay: 3_600_000 }] }],
      ['has more rules than a page shows', { force: Array.from({ length: 51 }, () => ({ ...rule, body: {} })) }],
      ['has a name that no header has room for', { name: 'a'.repeat(65) }],
      ['has a title that fills a page', { title: 'a'.repeat(101) }],
      ...[
        ['content-type', 'text/html'],
        ['Content-Type', 'text/html'],
        ['set-cookie', 'a=b'],
        ['location', 'https://evil.example'],
        ['refresh', '0'],
        ['clear-site-data', '"*"'],
        ['x-frame-options', 'ALLOWALL'],
        ['X-SourceMap', 'https://evil.example'],
        ['x-accel-redirect', '/'],
        ['x-mock-scenario', 'other'],
      ].map(([name = '', value]): [string, object] => [
        `forces the header ${name}`,
        { force: [{ ...rule, body: {}, headers: { [name]: value } }] },
      ]),
    ])('a link that %s opens nothing', async (_, change) => {
      const { scenario, ...rest } = await worldIn((await share()).body.url)
      const before = client.mock.state()
      const { status, body } = await open({ ...rest, scenario: { ...(scenario as object), ...change } })
      expect([status, body.code]).toEqual([400, 'INVALID_SCENARIO'])
      expect([client.mock.activeScenarios, client.mock.state()]).toEqual([['default'], before])
    })

    it('a link may bring errors, JSON, waits, faults, Retry-After and headers of its own', async () => {
      client.mock.force({
        operation: 'getHealth',
        status: 429,
        headers: { 'retry-after': '3', 'X-Team': 'shop' },
        times: 2,
      })
      client.mock.force({ operation: 'getProjects', body: '<script>1</script>', delay: 1 })
      client.mock.force({ operation: 'getTags', fault: 'truncate', match: { query: { a: 1 } } })
      const world = await worldIn((await share()).body.url)
      client.mock.reset()
      expect((await open(world)).status).toBe(200)
      const { status, headers } = await client.send('GET', '/health')
      expect([status, headers.get('retry-after'), headers.get('x-team')]).toEqual([429, '3', 'shop'])
      const projects = await client.adapter.fetch('/api/admin/projects')
      expect([projects.headers.get('content-type'), await projects.json()]).toEqual([
        'application/json; charset=utf-8',
        '<script>1</script>',
      ])
    })

    it('a world that a link may not bring is not made one', async () => {
      client.mock.force({ operation: 'getHealth', body: 'x', headers: { 'content-type': 'text/html' } })
      const { status, body } = await share()
      expect([status, body.code]).toEqual([400, 'INVALID_SCENARIO'])
      expect(body.message).toContain('content-type')
    })

    it('a world whose rules have applied is told as what differs, too', async () => {
      client.mock.useScenario('flaky')
      await client.send('POST', cloned, { name: 'x' })
      const { scenario } = await worldIn((await share()).body.url)
      expect(scenario).toMatchObject({ extends: 'default', force: [{ operation: '*', status: 503, times: 1 }] })
      expect(scenario).not.toHaveProperty('seed')
    })

    it('a larger world is refused, and the hint names the way by file', async () => {
      const description = () => Array.from({ length: 200 }, () => Math.random().toString(36).slice(2)).join('')
      client.mock.add({
        features: Array.from({ length: 20 }, (_, at) => ({ name: `f${at}`, description: description() })),
      })
      const { status, body } = await share()
      expect([status, body.code]).toEqual([413, 'TOO_LARGE_TO_SHARE'])
      expect(body.hint).toMatch(/POST \/__mock\/scenarios.* GET \/__mock\/scenarios\/:name/)
    })

    it.each([
      ['of another version', { version: '0.0.1' }, 'INVALID_REQUEST'],
      ['without a scenario', { scenario: undefined }, 'INVALID_REQUEST'],
      ['with a clock that shows no date', { clock: { now: 'soon', frozen: true } }, 'INVALID_REQUEST'],
      ['whose scenario is none', { scenario: { name: 'x' } }, 'INVALID_SCENARIO'],
      [
        'on a scenario that is unknown here',
        { scenario: { name: 'x', title: 'X', promise: 'X.', extends: 'nowhere' } },
        'UNKNOWN_SCENARIO',
      ],
      [
        'whose records refer to nothing',
        { scenario: { name: 'x', title: 'X', promise: 'X.', seed: { features: [{ name: 'y', project: 'nowhere' }] } } },
        'INVALID_STATE',
      ],
    ])('a world %s changes nothing', async (_, change, code) => {
      const before = [
        client.mock.activeScenarios,
        client.mock.state(),
        (await client.send('GET', '/__mock/scenarios')).body,
      ]
      const { body } = await open({ ...(await worldIn((await share()).body.url)), ...change })
      expect(body.code).toBe(code)
      const after = [
        client.mock.activeScenarios,
        client.mock.state(),
        (await client.send('GET', '/__mock/scenarios')).body,
      ]
      expect(after).toEqual(before)
    })

    it('a foreign page opens nothing', async () => {
      const headers = { origin: 'https://evil.example' }
      const { status, body } = await client.send('POST', '/__mock/share', { version }, { headers })
      expect([status, body.code]).toEqual([403, 'ORIGIN_NOT_ALLOWED'])
    })

    it('the address of a link is a page that runs its own script only and can be framed by nobody', async () => {
      const page = await client.adapter.fetch('/__mock/use')
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      expect(page.headers.get('content-security-policy')).toMatch(/script-src 'self'.*frame-ancestors 'none'/)
      const text = await page.text()
      expect(text).toContain(`data-version="${version}"`)
      const script = await client.adapter.fetch('/__mock/use.js')
      expect([script.status, script.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
      await script.text()
      const head = await client.adapter.fetch('/__mock/use', { method: 'HEAD' })
      expect([head.status, await head.text()]).toEqual([200, ''])
    })
  },
  REAL_TIME,
)

it.each<[string, MockOptions]>([
  ['a scenario of your own', { scenario: { ...MINE, seed: { features: [{ name: 'only-here' }] } } }],
  ['a scenario on a fixture', { scenario: MINE, fixtures: { features: [{ name: 'only-here' }] } }],
])('%s is passed on as what differs from the one below it, since nobody else has it', async (_, options) => {
  const mock = createMock(options)
  const { body } = await read(await mock.fetch(new Request('http://localhost:4242/__mock/share')))
  const shared = await worldIn(body.url)
  const names = { 'only-here': expect.objectContaining({ name: 'only-here' }) }
  expect(shared.scenario).toMatchObject({ extends: 'default', seed: { features: names } })
  const other = createMock({ fixtures: { features: [{ name: 'only-there' }] } })
  const init = { method: 'POST', body: JSON.stringify(shared), headers: { 'content-type': 'application/json' } }
  expect((await other.fetch(new Request('http://localhost:4242/__mock/share', init))).status).toBe(200)
  expect(other.features.list().map(({ name }) => name)).toEqual(mock.features.list().map(({ name }) => name))
})

it('a fragment that is cut off, is no fragment or unpacks to too much is rejected', async () => {
  const whole = await pack({ some: 'thing that is long enough to be cut' })
  expect(await unpack(whole)).toEqual({ some: 'thing that is long enough to be cut' })
  await expect(unpack(whole.slice(0, -8))).rejects.toThrow('broken')
  await expect(unpack('%%%')).rejects.toThrow('broken')
  await expect(unpack(deflateRawSync('{"half":').toString('base64url'))).rejects.toThrow('The link is broken.')
  await expect(unpack('x'.repeat(20_000))).rejects.toThrow('longer than')
  await expect(unpack(await pack('x'.repeat(LARGEST_UNPACKED)))).rejects.toThrow('unpacks to more')
})

it.each<[string, object, unknown, string[]]>([
  ['nothing', { extends: 'empty' }, undefined, ['It is the scenario “empty”, as it starts.']],
  [
    'records by their names, without empty kinds',
    {
      extends: 'default',
      seed: { features: { a: {}, b: null }, segments: {}, tags: [], users: [{ id: 1, email: 'a@b.c' }] },
    },
    undefined,
    ['It is the scenario “default” with:', 'features: a; removed: b', 'users: a@b.c'],
  ],
  [
    'many records by their number',
    { seed: { features: Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`f${at}`, {}])) } },
    undefined,
    ['It holds all of its data, and:', 'features: f0, f1, f2, f3, f4 and 4 more'],
  ],
  [
    'rules, waits and the clock',
    {
      extends: 'default',
      latency: { min: 500, max: 1500 },
      force: [
        { operation: '*', fault: 'hang', after: 2, times: 3 },
        {
          operation: 'getHealth',
          status: 503,
          headers: { 'retry-after': '1' },
          delay: 1500,
          match: { query: { a: 1 } },
        },
      ],
    },
    { now: '2031-05-06', frozen: false },
    [
      'It is the scenario “default” with:',
      'Every operation is answered by a fault, hang, from the 3. request on, for 3 requests.',
      'getHealth is answered with 503, with retry-after: 1, after 1.5 s, only {"query":{"a":1}}.',
      'Every answer takes 0.5 s to 1.5 s.',
      'The clock runs on from 2031-05-06.',
    ],
  ],
])('the page of a link tells of %s', (_, scenario, clock, lines) => {
  expect(describeShared(scenario as Record<string, unknown>, clock)).toEqual(lines)
})

it('a person whom a foreign page led here can not have a link, a test or an archive made', async () => {
  const mock = createMock(REAL_TIME)
  const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
  const visit = async (call: string) =>
    read(await mock.fetch(new Request(`http://localhost/__mock/${call}`, { headers })))
  for (const call of ['share', 'requests?format=vitest', 'requests?format=har', 'export']) {
    const { status, body } = await visit(call)
    expect([call, status, body.code]).toEqual([call, 403, 'ORIGIN_NOT_ALLOWED'])
  }
  expect((await visit('requests')).status).toBe(200)
})
