import { describe, expect, it, onTestFinished } from 'vitest'
import { controlRoutes } from '../../src/engine/control/control-routes.js'
import { CORE } from '../../src/engine/mock/session.js'
import { startServer } from '../../src/entries/adapters/node.js'
import { createMock, type Mock, type MockOptions } from '../../src/index.js'
import { ADMIN, FIXED, FRONTEND } from '../support/adapters.js'
import { scratchFolder } from '../support/cli.js'
import { type RawAnswer, type RawRequest, sendRaw } from '../support/raw.js'

const features = '/api/admin/projects/default/features'
const evil = 'https://evil.example'

type Headers = Readonly<Record<string, string>>

/** The headers that a browser adds to a request for another site: the mode, and the destination of the response. */
function crossSite(mode: string, dest: string, more: Headers = {}): Headers {
  return { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': mode, 'sec-fetch-dest': dest, ...more }
}

const image = crossSite('no-cors', 'image')
const frame = crossSite('navigate', 'iframe')
const link = crossSite('navigate', 'document', { 'sec-fetch-user': '?1' })
const byCors = crossSite('cors', 'empty', { origin: evil })

/** Requests that a page can trigger without ever seeing the response. */
const blind: [what: string, headers: Headers][] = [
  ['an image', image],
  ['a script', crossSite('no-cors', 'script')],
  ['a style sheet', crossSite('no-cors', 'style')],
  ['fetch with no-cors', crossSite('no-cors', 'empty')],
  ['a beacon', crossSite('no-cors', 'empty', { origin: evil })],
  ['a frame', frame],
  ['an object', crossSite('navigate', 'object')],
  ['a web socket', crossSite('websocket', 'websocket', { origin: evil })],
  ['a prefetch', crossSite('no-cors', 'empty', { 'sec-purpose': 'prefetch' })],
  ['a prefetch in an older browser', crossSite('navigate', 'document', { purpose: 'prefetch' })],
  ['a prerendered page', crossSite('navigate', 'document', { 'sec-purpose': 'prefetch;prerender' })],
  ['an image of another origin of the same site', { ...image, 'sec-fetch-site': 'same-site' }],
  ['a frame of another origin of the same site', { ...frame, 'sec-fetch-site': 'same-site' }],
  ['an image whose page is elsewhere', { ...image, referer: `${evil}/page` }],
]

interface Server {
  mock: Mock
  ask(target: string, headers?: Headers, more?: Partial<RawRequest>): Promise<RawAnswer>
}

async function serve(options: MockOptions = {}, ui?: string, allowHosts?: readonly string[]): Promise<Server> {
  const server = await startServer(createMock({ ...FIXED, ...options }), { port: 0, ui, allowHosts })
  onTestFinished(() => server.close(0))
  const { mock, port } = server
  return { mock, ask: (target, headers = {}, more = {}) => sendRaw(port, { target, headers, ...more }) }
}

/** All possible traces of a request. */
function traces({ mock }: Server) {
  const sessions = mock[CORE].sessions.all()
  return sessions.map(({ name, worlds, activeNames }) => ({
    name,
    worlds: [...worlds.keys()].toSorted(),
    activeNames,
    requests: mock.session(name).requests.count(),
    state: mock.session(name).state(),
  }))
}

function expectRejected({ status, headers }: RawAnswer): void {
  expect([status, headers['x-mock-error']]).toEqual([403, 'ORIGIN_NOT_ALLOWED'])
  for (const name of ['set-cookie', 'location']) expect(headers[name]).toBeUndefined()
}

function addFlag({ mock }: Server): void {
  mock.add({ features: [{ name: 'mine' }] })
}

/** A link that ends the login of its user. */
const setPassword = '/auth/reset/validate?token=unknown'

describe("requests of a foreign page that can't see the response", () => {
  it.each(blind)('%s changes nothing', async (_, headers) => {
    const server = await serve()
    addFlag(server)
    const before = traces(server)
    const session = { ...headers, cookie: 'mock-session=new' }
    for (const target of ['/__mock/use/default', '/__mock/use/empty', setPassword, `${features}?scenario=empty,slow`]) {
      expectRejected(await server.ask(target, headers))
    }
    expectRejected(await server.ask(features, session))
    expectRejected(await server.ask('/health', session))
    expect(traces(server)).toEqual(before)
  })

  it.each([
    ['urlencoded', 'application/x-www-form-urlencoded', 'username=admin&password=flagdouble'],
    ['plain text', 'text/plain', '{"username":"admin","password":"flagdouble"}'],
  ])('a form that sends %s changes nothing', async (_, type, body) => {
    const targets = ['/auth/simple/login', '/invite/live-invite/signup', '/__mock/reset', features]
    for (const profile of ['documented', 'unleash-8'] as const) {
      const server = await serve({ profile })
      const before = traces(server)
      for (const target of targets) {
        const headers = crossSite('navigate', 'document', { origin: evil, 'content-type': type })
        expectRejected(await server.ask(target, headers, { method: 'POST', body }))
      }
      expect(traces(server)).toEqual(before)
    }
  })

  it('56 images with scenarios evict no world', async () => {
    const server = await serve()
    await server.ask('/health?scenario=empty')
    const before = traces(server)
    const names = server.mock.scenarios.map(({ name }) => name)
    const pairs = names.flatMap((one) => names.map((other) => `${one},${other}`)).slice(0, 56)
    expect(pairs).toHaveLength(56)
    for (const pair of pairs) expectRejected(await server.ask(`/health?scenario=${pair}`, image))
    expect(traces(server)).toEqual(before)
  })

  it('the UI’s pages enter no scenario', async () => {
    const folder = scratchFolder()
    folder.put('index.html', '<!doctype html><title>The frontend</title>')
    const server = await serve({ profile: 'unleash-8' }, folder.path)
    const before = traces(server)
    for (const [, headers] of blind) expectRejected(await server.ask('/projects?scenario=empty', headers))
    expect(traces(server)).toEqual(before)
    expect((await server.ask('/projects?scenario=empty', link)).headers['set-cookie']).toContain('mock-scenario=empty')
  })
})

describe('requests of a foreign page via CORS', () => {
  it.each(['documented', 'unleash-8'] as const)('it uses the frontend API and nothing else: %s', async (profile) => {
    const server = await serve({ profile })
    const frontend = await server.ask('/api/frontend', { ...byCors, authorization: FRONTEND })
    expect([frontend.status, frontend.headers['access-control-allow-origin']]).toEqual([200, '*'])
    for (const target of ['/health', '//READY/']) expect((await server.ask(target, byCors)).status).toBe(200)
    const before = traces(server)
    const headers = { ...byCors, authorization: ADMIN, 'content-type': 'application/json' }
    for (const target of [
      features,
      '/api/client/features',
      '/docs/openapi.json',
      '/',
      '/invite/x',
      '/health/x',
      '/x',
    ]) {
      for (const more of [{ method: 'GET' }, { method: 'POST', body: '{"name":"copy","type":"release"}' }]) {
        const rejected = await server.ask(target, headers, more)
        expectRejected(rejected)
        expect(rejected.headers['access-control-allow-origin']).toBe(evil)
      }
    }
    expect(traces(server)).toEqual(before)
  })

  it.each([
    ['its origin', { origin: evil }, `Pages of ${evil}`, `Start the mock with --allow-origin ${evil},`],
    ['its referer', { ...image, referer: `${evil}/page?x` }, `Pages of ${evil}`, `--allow-origin ${evil},`],
    ['no header', image, 'Pages of other sites', 'Open the address yourself'],
    ['a file', { origin: 'null' }, 'Pages without an origin, such as files,', 'Serve the page from localhost.'],
    [
      'an extension',
      { origin: 'chrome-extension://abc' },
      'Pages of chrome-extension://abc',
      '--allow-origin chrome-extension://abc,',
    ],
  ])('a rejection tells a page how to get in, by %s', async (_, headers, who, hint) => {
    const { body } = await (await serve()).ask(features, headers)
    expect(JSON.parse(body).message).toBe(`${who} can use only the frontend API of this mock.`)
    expect(JSON.parse(body).hint).toContain(hint)
  })

  it('a preflight promises nothing, and leaves no trace', async () => {
    const server = await serve()
    const before = traces(server)
    const asked = { origin: evil, 'access-control-request-method': 'PUT' }
    for (const target of ['/api/frontend', features, '/__mock/scenario']) {
      expect((await server.ask(target, asked, { method: 'OPTIONS' })).status).toBe(204)
    }
    expect(traces(server)).toEqual(before)
  })

  it('it uses sessions and worlds that are open', async () => {
    const server = await serve()
    server.mock.session('open')
    await server.ask('/health?scenario=empty')
    expect((await server.ask('/health', { ...byCors, 'x-mock-session': 'open' })).status).toBe(200)
    expect((await server.ask('/health', { ...byCors, 'x-mock-scenario': 'empty' })).status).toBe(200)
    expect((await server.ask('/health', { ...byCors, 'x-mock-scenario': 'default' })).status).toBe(200)
  })

  it('1,001 requests with their own sessions evict no session', async () => {
    const server = await serve()
    server.mock.session('mine').useScenario('empty')
    const before = traces(server)
    const { app } = server.mock
    for (let i = 0; i < 1001; i++) {
      const headers = { ...byCors, 'x-mock-session': `s${i}` }
      const { status } = await app.fetch(new Request('http://localhost/health', { headers }))
      expect(status).toBe(403)
    }
    expect(traces(server)).toEqual(before)
  })

  it('it opens no session and no world, and can read the response that says so', async () => {
    const server = await serve()
    const before = traces(server).map(({ name, worlds }) => ({ name, worlds }))
    for (const headers of [{ 'x-mock-session': 'new' }, { 'x-mock-scenario': 'empty' }]) {
      const answer = await server.ask('/health', { ...byCors, ...headers })
      expect([answer.status, answer.headers['x-mock-error']]).toEqual([403, 'ORIGIN_NOT_ALLOWED'])
      expect(answer.headers['access-control-allow-origin']).toBe(evil)
      expect(JSON.parse(answer.body).hint).toContain('--allow-origin')
    }
    expect(traces(server).map(({ name, worlds }) => ({ name, worlds }))).toEqual(before)
  })

  it("it can't call the control API, not even to read", async () => {
    const server = await serve()
    await server.ask('/health')
    const before = traces(server)
    for (const { method, path } of controlRoutes.filter(({ path }) => path.startsWith('/__mock'))) {
      const target = path.replace(/:\w+/g, 'default')
      for (const one of method === 'GET' ? ['GET', 'HEAD'] : [method]) {
        expectRejected(await server.ask(target, byCors, { method: one }))
        expectRejected(await server.ask(target, { origin: evil }, { method: one }))
      }
    }
    expect(traces(server)).toEqual(before)
    expect(server.mock[CORE].sessions.eventReaders.count).toBe(0)
  })

  it('a page that allowOrigins names opens sessions and worlds', async () => {
    const { ask, mock } = await serve({ allowOrigins: [evil] })
    const headers = { ...byCors, 'x-mock-session': 'new', 'x-mock-scenario': 'empty' }
    expect((await ask('/health', headers)).headers['x-mock-scenario']).toBe('empty')
    expect(mock[CORE].sessions.all().map(({ name }) => name)).toContain('new')
    // An image has no Origin. Its Referer names its page.
    expect((await ask('/health?scenario=expired-token', { ...image, referer: `${evil}/page` })).status).toBe(200)
    const extension = await serve({ allowOrigins: ['chrome-extension://abc'] })
    expect((await extension.ask('/__mock/scenario', { origin: 'chrome-extension://abc' })).status).toBe(200)
  })
})

describe('users and our own pages', () => {
  it('a link on a foreign page leads to pages and to QA links, which restart nothing', async () => {
    const server = await serve()
    addFlag(server)
    const { ask, mock } = server
    await ask('/__mock/use/default', link)
    expect(mock.features.get('mine')).toBeDefined()
    await ask('/__mock/use/default?session=nora', link)
    expect(mock[CORE].sessions.all().map(({ name }) => name)).toContain('nora')
    const { status, headers } = await ask('/__mock/use/empty?redirect=/x', link)
    expect([status, headers.location]).toEqual([302, '/x'])
    expect((await ask('/health?scenario=expired-token', link)).headers['x-mock-scenario']).toBe('expired-token')
    for (const target of ['/__mock/', '//__MOCK']) expect((await ask(target, link)).status).toBe(200)
    expect((await ask('/', link)).headers.location).toBe('/__mock/')
    await ask('/__mock/use/default', { 'sec-fetch-site': 'none' })
    expect(mock.features.get('mine')).toBeUndefined()
  })

  it('a link on a foreign page leads nowhere else', async () => {
    const server = await serve()
    const before = traces(server)
    const pages = ['/', '/__mock', '/__mock/', '/__mock/use', '/__mock/use/:scenario', '/__mock/leave']
    const others = controlRoutes.filter(({ method, path }) => method === 'GET' && !pages.includes(path))
    expect(others.length).toBeGreaterThan(10)
    for (const { path } of others) expectRejected(await server.ask(path.replace(/:\w+/g, 'default'), link))
    for (const target of [features, '/api/admin/search/features?query=x', '/logout', '/__mock/use/x/y']) {
      expectRejected(await server.ask(target, link))
    }
    expect(traces(server)).toEqual(before)
  })

  it('a link on a foreign page signs no user out', async () => {
    const { ask } = await serve()
    expectRejected(await ask(setPassword, link))
    expect((await ask(setPassword, { 'sec-fetch-site': 'none' })).status).toBe(401)
  })

  it.each([
    [
      'an address that is typed',
      { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    ],
    ['a page of the same origin', { ...frame, 'sec-fetch-site': 'same-origin' }],
    ['a page of this machine', { ...byCors, 'sec-fetch-site': 'same-site', origin: 'http://localhost:3000' }],
    ['a frame on a page of this machine', { ...frame, referer: 'http://localhost:3000/' }],
    ['a program', {}],
  ])('%s opens sessions and worlds', async (_, headers) => {
    const { ask, mock } = await serve()
    expect((await ask('/__mock/use/empty', { ...headers, cookie: 'mock-session=new' })).status).toBe(302)
    expect((await ask('/health?scenario=expired-token', headers)).status).toBe(200)
    expect(mock[CORE].sessions.all().map(({ name }) => name)).toContain('new')
  })

  it.each([
    ['https://flags.example', 'behind a proxy that ends TLS', { 'sec-fetch-site': 'same-origin' }],
    [
      'https://flags.example',
      'behind a proxy that names another host',
      { 'sec-fetch-site': 'same-origin', host: 'flags' },
    ],
    ['http://flags.example:3000', 'without TLS, where browsers tell less', {}],
  ])("a page of the mock's own host name does everything: %s %s", async (origin, _, more) => {
    const server = await serve({}, undefined, ['flags.example', 'flags'])
    const headers = { host: 'flags.example', 'sec-fetch-mode': 'cors', origin, ...more }
    expect((await server.ask('/__mock/scenario', headers, { method: 'DELETE' })).status).toBe(204)
    expect((await server.ask('/__mock/use/empty', headers)).status).toBe(302)
  })

  it.each(['http://myapp.test:3000', 'http://app.localhost', 'https://a.b.test'])(
    'a page of %s does everything',
    async (origin) => {
      const { ask } = await serve()
      expect((await ask('/__mock/scenario', { origin }, { method: 'DELETE' })).status).toBe(204)
    },
  )

  it.each(['http://test', 'http://myapp.test.example', 'https://xtest', 'ftp://myapp.test'])(
    'a page of %s is foreign',
    async (origin) => {
      expectRejected(await (await serve()).ask('/__mock/scenario', { origin }, { method: 'DELETE' }))
    },
  )

  it('a page at an address that is allowed follows links', async () => {
    const { ask } = await serve({ allowOrigins: ['https://flags.example'] }, undefined, ['flags.example'])
    const page = { host: 'flags.example', 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }
    expect((await ask('/__mock/use/default', page)).status).toBe(302)
  })

  it('a prefetch of our own is rejected, and the user who then opens the page is not', async () => {
    const server = await serve()
    addFlag(server)
    const before = traces(server)
    for (const site of ['none', 'same-origin']) {
      const headers = { 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate', 'sec-purpose': 'prefetch' }
      for (const target of ['/health', '/__mock/', '/__mock/use/default', setPassword, '/health?scenario=empty']) {
        expectRejected(await server.ask(target, headers))
      }
    }
    expect(traces(server)).toEqual(before)
    expect((await server.ask('/__mock/', { 'sec-fetch-site': 'none' })).status).toBe(200)
  })
})
