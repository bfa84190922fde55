import { describe, expect, it } from 'vitest'
import { createMock } from '../../src/index.js'
import { CLIENT, FIXED, FRONTEND, onEveryAdapter } from '../support/adapters.js'

const variants = [
  { name: 'blue', weight: 500, payload: { type: 'string' as const, value: '#00f' } },
  { name: 'red', weight: 500 },
]
const never = { name: 'flexibleRollout', parameters: { rollout: '0', stickiness: 'default', groupId: 'button' } }
const fixtures = {
  projects: [{ id: 'shop' }],
  features: [
    { name: 'banner', enabled: true },
    { name: 'button', environments: [{ name: 'development', enabled: false, strategies: [never], variants }] },
    { name: 'child', enabled: true, dependencies: [{ feature: 'banner' }] },
    { name: 'old', archived: true },
    { name: 'cart', project: 'shop', tags: [{ type: 'simple', value: 'money' }] },
  ],
  apiTokens: [
    { secret: 'shop:development.client', type: 'client' as const, projects: ['shop'], environment: 'development' },
  ],
}

onEveryAdapter(
  'the flags that SDKs are told',
  (client) => {
    const ask = (path: string, key: string, headers: Record<string, string> = {}) =>
      client.send('GET', path, undefined, { key, headers })
    const listed = async (query = '', key = CLIENT) => {
      const { body } = await ask(`/api/client/features${query}`, key)
      return new Map<string, { enabled: boolean; strategies: unknown[]; variants: { name: string }[] }>(
        body.features.map((feature: { name: string }) => [feature.name, feature]),
      )
    }
    const shown = async (query = '') => {
      const { body } = await ask(`/api/frontend${query}`, FRONTEND)
      return new Map<string, { variant: object }>(body.toggles.map((one: { name: string }) => [one.name, one]))
    }
    const data = () => client.send('GET', '/__mock/state')

    it('differ from the data, which the admin API shows', async () => {
      const before = (await data()).body
      client.mock.tellFlags({ banner: 'off', button: 'blue', old: 'on' })
      expect((await listed()).get('banner')?.enabled).toBe(false)
      expect([...(await shown()).keys()]).toEqual(expect.arrayContaining(['button', 'old']))
      expect((await shown()).has('banner')).toBe(false)
      const { body } = await client.send('GET', '/api/admin/projects/default/features/banner')
      expect(body.environments.map(({ enabled }: { enabled: boolean }) => enabled)).not.toContain(false)
      expect(client.mock.features.get('banner')?.environments[0]?.enabled).toBe(true)
      client.mock.tellFlags({})
      expect((await data()).body).toEqual(before)
    })

    it('are the same in a list, alone, for frontends and in the playground', async () => {
      const query = '?scenario=button:blue'
      expect((await listed(query)).get('button')).toMatchObject({
        enabled: true,
        strategies: [],
        variants: [{ name: 'blue', weight: 1000, payload: { value: '#00f' } }],
      })
      const { body: alone } = await ask(`/api/client/features/button${query}`, CLIENT)
      expect(alone).toMatchObject({ enabled: true, variants: [{ name: 'blue' }] })
      const blue = { name: 'blue', enabled: true, payload: { type: 'string', value: '#00f' } }
      expect((await shown(query)).get('button')?.variant).toMatchObject(blue)
      const posted = await client.send('POST', `/api/frontend${query}`, { context: {} }, { key: FRONTEND })
      expect(posted.body.toggles).toContainEqual(expect.objectContaining({ name: 'button' }))
      const context = { appName: 'shop' }
      const asked = { environment: 'development', projects: '*', context }
      const { body: played } = await client.send('POST', `/api/admin/playground${query}`, asked)
      expect(played.features).toContainEqual(expect.objectContaining({ name: 'button', isEnabled: true }))
      const { body: plain } = await client.send('POST', '/api/admin/playground', asked)
      expect(plain.features).toContainEqual(expect.objectContaining({ name: 'button', isEnabled: false }))
    })

    it('on has no strategies and no parents, and keeps its variants', async () => {
      const features = await listed('?scenario=button:on,banner:off,child:on')
      expect(features.get('button')).toMatchObject({ enabled: true, strategies: [], variants: [{}, {}] })
      expect([...(await shown('?scenario=banner:off')).keys()]).not.toContain('child')
      expect([...(await shown('?scenario=banner:off,child:on')).keys()]).toContain('child')
    })

    it('gone is a 404, and no other flag misses it', async () => {
      expect((await ask('/api/client/features/banner?scenario=banner:gone', CLIENT)).status).toBe(404)
      const names = [...(await shown('?scenario=banner:gone')).keys()]
      expect([names.includes('banner'), names.includes('child')]).toEqual([false, true])
    })

    it('have a separate entity tag', async () => {
      const path = '/api/client/features'
      const tag = async (query = '') => (await ask(path + query, CLIENT)).headers.get('etag') ?? ''
      const [plain, told] = [await tag(), await tag('?scenario=banner:off')]
      expect(told).not.toBe(plain)
      const again = (query: string, known: string) => ask(path + query, CLIENT, { 'if-none-match': known })
      expect((await again('?scenario=banner:off', told)).status).toBe(304)
      expect((await again('?scenario=banner:off', plain)).status).toBe(200)
      expect((await again('', plain)).status).toBe(304)
    })

    it("a token's projects, a prefix and a tag filter them, also flags that only a state makes", async () => {
      const query = '?scenario=*:on,made:on'
      expect([...(await listed(query, 'shop:development.client')).keys()]).toEqual(['cart', 'made'])
      expect([...(await listed(`${query}&namePrefix=ma`)).keys()]).toEqual(['made'])
      expect([...(await listed(`${query}&tag=simple:money`)).keys()]).toEqual(['cart'])
    })

    it('* stands for all flags of the data, and the state of one flag wins wherever it stands', async () => {
      for (const names of ['*:off,banner:on', 'banner:on,*:off']) {
        const features = await listed(`?scenario=${names}`)
        const on = [...features].flatMap(([name, { enabled }]) => (enabled ? [name] : []))
        expect([names, on, features.has('old')]).toEqual([names, ['banner'], false])
      }
      expect([...(await listed('?scenario=*:on'))].every(([, { enabled }]) => enabled)).toBe(true)
    })

    it('count as served, but a flag that only a state makes does not', async () => {
      await listed('?scenario=banner:off,made:on')
      await shown('?scenario=made:on')
      const flags = client.mock.flagCoverage()
      expect(flags.find(({ name }) => name === 'banner')?.served).toMatchObject({ off: 1 })
      expect(flags.map(({ name }) => name)).not.toContain('made')
    })

    it('metrics and registrations write to the data', async () => {
      const report = {
        appName: 'shop',
        bucket: { start: '2026-11-20T11:00:00Z', stop: '2026-11-20T11:59:00Z', toggles: { banner: { yes: 1, no: 0 } } },
      }
      await client.send('POST', '/api/client/metrics?scenario=banner:off', report, { key: CLIENT })
      const [environment] = client.mock.features.get('banner')?.environments ?? []
      expect([environment?.enabled, typeof environment?.lastSeenAt]).toEqual([true, 'string'])
    })
  },
  { ...FIXED, fixtures },
)

onEveryAdapter(
  'whom states of flags concern',
  (client) => {
    const told = async (query = '', headers: Record<string, string> = {}) => {
      const { headers: answered } = await client.send('GET', `/api/client/features/banner${query}`, undefined, {
        key: CLIENT,
        headers,
      })
      return answered.get('x-mock-scenario')
    }
    const put = (body: object) => client.send('PUT', '/__mock/scenario', body)

    it('scenarios come from the first source that names any, and states from all', async () => {
      client.mock.tellFlags({ banner: 'off', cart: 'on' })
      expect(await told()).toBe('default,banner:off,cart:on')
      expect(await told('?scenario=banner:on')).toBe('default,banner:on,cart:on')
      expect(await told('?scenario=banner:on', { cookie: 'mock-scenario=slow%2Ccart%3Aoff' })).toBe(
        'slow,banner:on,cart:off',
      )
      expect(await told('?scenario=empty', { 'x-mock-scenario': 'slow,cart:gone' })).toBe('empty,banner:off,cart:gone')
      const page = { 'sec-fetch-site': 'same-origin', referer: 'http://localhost:5173/?scenario=cart:gone' }
      expect(await told('', { ...page, cookie: 'mock-scenario=slow' })).toBe('slow,banner:off,cart:gone')
    })

    it('states alone start and discard nothing', async () => {
      client.mock.add({ features: [{ name: 'made' }] })
      client.mock.useScenario('banner:off', 'made:on')
      expect(client.mock.features.get('made')).toBeDefined()
      expect((await put({ names: ['made:off'] })).body).toEqual({ names: ['default', 'made:off'] })
      expect((await put({ flags: {} })).body).toEqual({ names: ['default'] })
      expect(client.mock.features.get('made')).toBeDefined()
      expect(client.mock.history.list().map(({ what }) => what)).toEqual(['start', 'add'])
    })

    it('a switch to a scenario starts it, with the states that it names', async () => {
      client.mock.useScenario('banner:off')
      expect((await put({ names: ['slow', 'cart:on'] })).body).toEqual({ names: ['slow', 'cart:on'] })
      client.mock.useScenario('empty')
      expect([client.mock.activeScenarios, client.mock.toldFlags]).toEqual([['empty'], {}])
    })

    it('a browser in a scenario that opens a link to a state is in both', async () => {
      const open = async (path: string, inCookie: string) => {
        const { headers } = await client.adapter.fetch(path, { redirect: 'manual', headers: { cookie: inCookie } })
        return headers.getSetCookie().map((one) => decodeURIComponent(one.split(';')[0] ?? ''))
      }
      expect(await open('/__mock/use/banner:off', 'mock-scenario=slow')).toEqual(['mock-scenario=slow,banner:off'])
      expect(await open('/__mock/use/cart:on', 'mock-scenario=slow%2Cbanner%3Aoff')).toEqual([
        'mock-scenario=slow,cart:on',
      ])
      expect(await open('/__mock/use/empty', 'mock-scenario=slow%2Cbanner%3Aoff')).toEqual(['mock-scenario=empty'])
    })

    it('undo and redo walk through them, and a reset ends them', async () => {
      client.mock.useScenario('banner:off')
      client.mock.tellFlags({ cart: 'on' })
      client.mock.history.undo()
      expect(client.mock.toldFlags).toEqual({ banner: 'off' })
      client.mock.history.undo()
      expect(client.mock.toldFlags).toEqual({})
      client.mock.history.redo()
      expect(client.mock.toldFlags).toEqual({ banner: 'off' })
      client.mock.reset()
      expect(client.mock.toldFlags).toEqual({})
    })

    it('mock.enable, disable and setVariant end a state, or say the opposite of a wider one', () => {
      client.mock.tellFlags({ banner: 'off', button: 'gone' })
      client.mock.enable('banner')
      expect(client.mock.toldFlags).toEqual({ button: 'gone' })
      client.mock.history.undo()
      expect(client.mock.toldFlags).toEqual({ banner: 'off', button: 'gone' })
      client.mock.tellFlags({ '*': 'off' })
      client.mock.setVariant('button', 'blue')
      expect(client.mock.toldFlags).toEqual({ '*': 'off', button: 'on' })
      client.mock.tellFlags({ '*': 'on' })
      client.mock.disable('banner')
      expect(client.mock.toldFlags).toEqual({ '*': 'on', banner: 'off' })
    })

    it('a switch to generated data waits for it, so that it knows the flags', async () => {
      const { status, body } = await put({ names: ['large-project', 'button:nope'] })
      expect([status, body.code, client.mock.activeScenarios]).toEqual([400, 'UNKNOWN_SCENARIO', ['default']])
      expect((await put({ names: ['large-project', 'banner:off', 'zzzzzzzz:off'] })).status).toBe(200)
      expect((await client.send('GET', '/health', undefined, { key: null })).status).toBe(200)
    })

    it('GET /__mock/scenario says who tells them', async () => {
      client.mock.tellFlags({ banner: 'off', cart: 'on' })
      const { body } = await client.send('GET', '/__mock/scenario?scenario=cart:gone')
      expect(body.told).toEqual([
        { flag: 'banner', state: 'off', by: 'session' },
        { flag: 'cart', state: 'gone', by: 'request' },
      ])
    })

    it('a flag that code has made can have a state', async () => {
      client.mock.enable('new-checkout')
      client.mock.useScenario('new-checkout:off')
      const { body } = await client.send('GET', '/api/client/features/new-checkout', undefined, { key: CLIENT })
      expect(body.enabled).toBe(false)
      expect(client.mock.features.get('new-checkout')?.environments[0]?.enabled).toBe(true)
    })
  },
  { ...FIXED, fixtures },
)

onEveryAdapter(
  'the page for a name that means nothing',
  (client) => {
    const page = async (path: string) => {
      const headers = { accept: 'text/html' }
      const response = await client.adapter.fetch(path, { headers })
      const text = await response.text()
      return {
        status: response.status,
        text,
        links: [...text.matchAll(/href="([^"]+)">Open/g)].map(([, href]) => href),
      }
    }
    const use = (name: string, redirect = '/') =>
      `/__mock/use/${encodeURIComponent(name)}?redirect=${encodeURIComponent(redirect)}`

    it.each([
      ['banner:offf', ['banner:off']],
      ['baner:off', ['banner:off']],
      ['banner', ['banner:on', 'banner:off', 'banner:gone']],
      ['expired-tokn', ['expired-token']],
    ])('links to what %s perhaps means', async (name, meant) => {
      const { status, text, links } = await page(`/__mock/use/${name}?redirect=/`)
      expect([status, links]).toEqual([400, meant.map((one) => use(one))])
      expect(text).toContain('<meta name="color-scheme" content="light dark">')
      expect(text.match(/<main>.*<\/main>/s)?.[0]).toContain('<h1>Unknown scenario</h1>')
    })

    it('is shown for two scenarios, with both together', async () => {
      const { status, text, links } = await page('/api/admin/projects?scenario=slow&scenario=empty')
      expect([status, links]).toEqual([400, [use('slow,empty', '/api/admin/projects')]])
      expect(text).toContain('The address has the parameter "scenario" more than once.'.replaceAll('"', '&quot;'))
    })
  },
  { ...FIXED, fixtures },
)

describe('the states of a scenario', () => {
  const scenario = {
    name: 'launch',
    title: 'Launch',
    promise: 'It is launched.',
    flags: { banner: 'off', nope: 'blue' },
  }
  const request = (query = '') =>
    new Request(`http://localhost/api/client/features/banner${query}`, { headers: { authorization: CLIENT } })

  it('are below those of the session and the request, and never fail', async () => {
    const mock = createMock({ ...FIXED, fixtures, scenario })
    const enabled = async (query = '') =>
      ((await (await mock.fetch(request(query))).json()) as { enabled: boolean }).enabled
    expect([await enabled(), await enabled('?scenario=banner:on')]).toEqual([false, true])
    mock.enable('banner')
    expect([mock.toldFlags, await enabled()]).toEqual([{ banner: 'on' }, true])
    const { headers } = await mock.fetch(request())
    expect(headers.get('x-mock-hint')).toBe('SDKs can\'t be told nope:blue: there is no flag "nope".')
    expect(headers.get('x-mock-scenario')).toBe('launch,banner:on')
  })
})
