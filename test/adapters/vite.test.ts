import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { dirname, join } from 'node:path'
import { createServer } from 'vite'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import flagdouble from '../../src/entries/adapters/vite.js'
import { ADMIN, FRONTEND } from '../support/adapters.js'
import { type App, appFolder, configOf, startDev, startPreview } from '../support/vite.js'

// These tests start servers like Vite, not like Vitest.
beforeEach(() => void vi.stubEnv('VITEST', undefined))
afterEach(() => void vi.unstubAllEnvs())

const headers = { authorization: ADMIN }
const servers = { dev: startDev, preview: startPreview }

async function flagNames({ url }: App, more: Record<string, string> = {}): Promise<string[]> {
  const response = await fetch(`${url}/api/admin/projects/default/features`, { headers: { ...headers, ...more } })
  const { features } = (await response.json()) as { features: { name: string }[] }
  return features.map(({ name }) => name)
}

describe.each(['dev', 'preview'] as const)("Vite's %s server", (kind) => {
  const start = servers[kind]

  it('serves the mock: operations with a body, writes with a body, the control API, the panel', async () => {
    const { url } = await start()
    const clone = await fetch(`${url}/api/admin/projects/default/features/checkout-redesign/clone`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"name":"copy"}',
    })
    expect(clone.status).toBe(200)
    expect((await fetch(`${url}/api/admin/projects/default/features/copy`, { headers })).status).toBe(200)
    const journal = await (await fetch(`${url}/__mock/requests`)).json()
    expect(journal).toMatchObject([{ operation: 'cloneFeature' }, { operation: 'getFeature' }])
    expect(await (await fetch(`${url}/__mock/`)).text()).toContain('<!doctype html>')
    expect((await fetch(`${url}/auth/simple/login`, { method: 'POST' })).headers.has('x-mock-scenario')).toBe(true)
  })

  it('names the nearest route for a mistyped path of Unleash', async () => {
    const { url } = await start()
    const response = await fetch(`${url}/api/admin/projets`, { headers })
    expect(response.status).toBe(501)
    expect(await response.json()).toMatchObject({ code: 'UNMODELLED_ROUTE', hint: expect.stringContaining('projects') })
  })

  it("leaves the app's own pages alone, even if only another method belongs to Unleash", async () => {
    const { url } = await start()
    for (const path of ['/', '/signed-out', '/flags/42', '/invite/live-invite/signup', '/api-docs', '/__mocked']) {
      const page = await fetch(url + path, { headers: { accept: 'text/html' } })
      expect(await page.text(), path).toContain('The app')
      expect(page.headers.has('x-mock-scenario'), path).toBe(false)
    }
  })

  it('breaks the connection in the scenario offline', async () => {
    const { url } = await start({ scenario: 'offline' })
    const error: unknown = await fetch(`${url}/api/admin/projects`, { headers }).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ cause: { code: 'ECONNRESET' } })
    expect((await fetch(url)).status).toBe(200)
  })

  it('lets a QA link set a cookie, which selects the scenario', async () => {
    const app = await start()
    const link = await fetch(`${app.url}/__mock/use/empty?redirect=/flags`, { redirect: 'manual' })
    expect(link.status).toBe(302)
    expect(link.headers.get('location')).toBe('/flags')
    const [cookie = ''] = (link.headers.get('set-cookie') ?? '').split(';')
    expect(await flagNames(app, { cookie })).toEqual([])
    expect(await flagNames(app)).not.toEqual([])
  })

  it('logs the lists of a fixture that are left out', async () => {
    const folder = appFolder()
    folder.put('old.json', { version: 1, features: [{ name: 'a', enabled: true, strategies: [] }], strategies: [{}] })
    expect((await start({ fixtures: 'old.json' }, folder)).log()).toContain('old.json: left out: strategies (1)\n')
  })

  it('logs the name of a missing flag that SDKs ask for, once', async () => {
    const app = await start()
    const body = JSON.stringify({
      appName: 'shop',
      bucket: {
        start: '2026-01-01T00:00:00Z',
        stop: '2026-01-01T01:00:00Z',
        toggles: { 'push-optin': { yes: 0, no: 1 } },
      },
    })
    for (let i = 0; i < 2; i++) {
      await fetch(`${app.url}/api/frontend/client/metrics`, {
        method: 'POST',
        headers: { authorization: FRONTEND, 'content-type': 'application/json' },
        body,
      })
    }
    expect(app.log().match(/flagdouble: The app asked for .*/g)).toEqual([
      `flagdouble: The app asked for push-optin, which doesn't exist. Did you mean "push-opt-in"?`,
    ])
  })

  it("names the app's path, for links that lead there", async () => {
    const situation = async ({ url }: App, basePath = '') => (await fetch(`${url}${basePath}/__mock/scenario`)).json()
    expect(await situation(await start())).toEqual({ names: ['default'], app: '/' })
    expect(await situation(await start({ basePath: '/flags' }), '/flags')).toMatchObject({ app: '/' })
    expect(await situation(await start({}, appFolder(), '/shop/'))).toMatchObject({ app: '/shop/' })
  })

  it("a scenario in the address of the app's page acts as a QA link, and a reload keeps the data", async () => {
    const app = await start()
    const open = (path: string, more: Record<string, string> = {}) =>
      fetch(app.url + path, { headers: { accept: 'text/html', ...more } })
    const page = await open('/flags?scenario=empty&session=nora')
    expect(await page.text()).toContain('The app')
    const cookie = page.headers
      .getSetCookie()
      .map((one) => one.split(';', 1)[0])
      .join('; ')
    expect(cookie).toBe('mock-scenario=empty; mock-session=nora')
    await fetch(`${app.url}/__mock/state`, {
      method: 'PATCH',
      headers: { cookie },
      body: '{"features":[{"name":"kept"}]}',
    })
    await open('/flags?scenario=empty&session=nora', { cookie })
    expect(await flagNames(app, { cookie })).toEqual(['kept'])
    const cookiesAt = async (path: string) =>
      (await open(path)).headers.getSetCookie().map((one) => one.split(';', 1)[0])
    expect(await cookiesAt('/?session=ada')).toEqual(['mock-session=ada'])
    expect(await cookiesAt('/?session=')).toEqual([])
    expect(await cookiesAt('/?scenario=&session=ada')).toEqual(['mock-scenario=', 'mock-session=ada'])
    expect((await open('/?session=__proto__')).status).toBe(400)
    expect((await open('/?scenario=', { cookie })).headers.getSetCookie()[0]).toMatch(/^mock-scenario=;.*Max-Age=0/)
    for (const [path, more] of [
      ['/', {}],
      ['/?scenario=empty', { accept: '*/*' }],
      [
        '/?scenario=empty',
        { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
      ],
    ] as const) {
      expect((await open(path, more)).headers.getSetCookie()).toEqual([])
    }
  })

  it('an unknown scenario in the address is a page with the nearest, all, and a way out', async () => {
    const { url } = await start()
    const response = await fetch(`${url}/flags?scenario=expired-tokn&x=1`, { headers: { accept: 'text/html' } })
    expect([response.status, response.headers.get('x-mock-error')]).toEqual([400, 'UNKNOWN_SCENARIO'])
    const page = await response.text()
    expect(page).toContain('There is no scenario &quot;expired-tokn&quot;. Did you mean &quot;expired-token&quot;?')
    expect(page).toContain('<a href="/__mock/use/expired-token?redirect=%2Fflags%3Fx%3D1">Open expired-token</a>')
    expect(page).toContain('<a href="/__mock/leave?redirect=%2Fflags%3Fx%3D1">')
    expect(page).toContain('>empty</a>')
  })

  it("prints the panel's URL next to Vite's, and uses its origin for links", async () => {
    const { url, log } = await start({ basePath: '/flags' })
    expect(log()).toContain(`${url}/flags/__mock/`)
    const tokens = await (await fetch(`${url}/flags/api/admin/invite-link/tokens/live-invite`, { headers })).json()
    expect(tokens).toMatchObject({ url: expect.stringContaining(`${url}/flags/`) })
    expect(await (await fetch(`${url}/api/admin/projects`, { headers: { accept: 'text/html' } })).text()).toContain(
      'app',
    )
  })

  it('accepts the options of createMock, and fixtures and scenarios from files', async () => {
    const folder = appFolder()
    folder.put('own.json', { features: [{ name: 'from-a-file' }] })
    const options = { now: '2026-11-20T12:00:00Z', fixtures: ['own.json', { features: [{ name: 'inline' }] }] }
    const app = await start(options, folder)
    expect(await flagNames(app)).toEqual(expect.arrayContaining(['from-a-file', 'inline', 'checkout-redesign']))
    expect(await (await fetch(`${app.url}/__mock/clock`)).json()).toMatchObject({ frozen: true })
  })

  it('does not start with an unknown option, and gives the reason', async () => {
    const unknown: object = { scenarioo: 'empty' }
    await expect(start(unknown)).rejects.toThrow('scenarioo')
  })
})

it('a preview does not start with a broken file, and gives the reason', async () => {
  const folder = appFolder()
  folder.put('own.json', { features: [{ name: 3 }] })
  await expect(startPreview({ fixtures: 'own.json' }, folder)).rejects.toThrow(
    /flagdouble: .*own\.json: \$\.features\[0\]\.name/,
  )
})

it('a preview does not start with an unknown scenario, and gives the reason', async () => {
  await expect(startPreview({ scenario: 'emtpy' })).rejects.toThrow(
    /^flagdouble: There is no scenario "emtpy"\. Did you mean "empty"\?/,
  )
})

const cloneOn = async ({ url }: App, name: string) => {
  const path = '/api/admin/projects/default/features/checkout-redesign/clone'
  const sent = { ...headers, 'content-type': 'application/json' }
  return (await fetch(url + path, { method: 'POST', headers: sent, body: JSON.stringify({ name }) })).status
}

describe('with a state file', () => {
  it('changes survive a stop and a restart', async () => {
    const folder = appFolder()
    const first = await startDev({ state: 'flags.state' }, folder)
    expect(await cloneOn(first, 'kept')).toBe(200)
    await first.server.close()
    const second = await startDev({ state: 'flags.state' }, folder)
    expect(await flagNames(second)).toContain('kept')
    await second.server.restart()
    expect(await flagNames(second)).toContain('kept')
    expect(await cloneOn(second, 'kept-too')).toBe(200)
    await second.server.restart()
    expect(await flagNames(second)).toEqual(expect.arrayContaining(['kept', 'kept-too']))
    expect(second.log()).not.toMatch(/in use|not saved/)
  })

  it('Vitest neither serves a mock nor opens the file', async () => {
    vi.stubEnv('VITEST', 'true')
    const folder = appFolder()
    const { url } = await startDev({ state: 'flags.state' }, folder)
    expect((await fetch(`${url}/__mock/health`)).headers.get('x-mock-scenario')).toBeNull()
    expect(readdirSync(folder.path).filter((name) => name.includes('flags.state'))).toEqual([])
  })

  it("an invalid file is reported, left unchanged, and doesn't stop the server", async () => {
    const folder = appFolder()
    folder.put('flags.state', '{"features":[{"name":"mine"}]}')
    const app = await startDev({ state: 'flags.state' }, folder)
    expect(app.log()).toMatch(/is a fixture, .* Changes are not saved\./)
    expect(await flagNames(app)).not.toContain('mine')
  })
})

describe('in development', () => {
  it.each([
    ['a fixture that is not valid', { fixtures: 'own.json' }, { features: [{ name: 3 }] }],
    ['a file that is not JSON', { fixtures: 'own.json' }, '{'],
    ['a file that is missing', { fixtures: 'own.json', scenario: 'empty' }, undefined],
  ])('the dev server starts with %s, reports it, and recovers when it is fixed', async (_, options, text) => {
    const folder = appFolder()
    if (text !== undefined) folder.put('own.json', text)
    const app = await startDev(options, folder)
    expect(await (await fetch(app.url)).text()).toContain('The app')
    expect(app.log()).toMatch(/flagdouble: .*own\.json[^\n]*[.] \S/)
    expect(app.log()).toMatch(/Until it is fixed, the mock runs without your files/)
    expect(app.log()).not.toMatch(/[a-z)\]] [A-Z]\w+ the path/)
    await untilSeen(
      () => folder.put('own.json', { features: [{ name: 'mended' }] }),
      async () => expect(await flagNames(app)).toContain('mended'),
    )
  })

  it('the dev server starts without a scenario whose file is gone, and reports it', async () => {
    const app = await startDev({ scenarios: appFolder().path, scenario: 'gone' }, appFolder())
    expect((await fetch(`${app.url}/__mock/health`)).headers.get('x-mock-scenario')).toBe('default')
    expect(app.log()).toMatch(
      /There is no scenario "gone"[\s\S]*the mock runs without your files, in its default scenario/,
    )
  })

  it("leaves modules, the app's own API and the socket of hot updates to Vite", async () => {
    const { url, server } = await startDev()
    expect(await (await fetch(`${url}/app.ts`)).text()).toContain('export const answer = 42')
    expect(await (await fetch(`${url}/api/own/thing`)).text()).toBe('the app itself')
    expect(await upgrade(`${url}/?token=${server.config.webSocketToken}`)).toBe(101)
  })

  it("in Nuxt, a relative $fetch on the server ends with an error; other pages don't", async () => {
    const folder = appFolder()
    const entry = 'node_modules/nuxt/dist/app/entry.js'
    mkdirSync(dirname(join(folder.path, entry)), { recursive: true })
    folder.put(entry, "export default async function createNuxtAppServer(ssrContext) {\n  return 'a page'\n}\n")
    const server = await createServer({
      root: folder.path,
      configFile: false,
      logLevel: 'silent',
      plugins: [flagdouble({ basePath: '/flags' })],
      define: { 'import.meta.dev': true },
      server: { middlewareMode: true },
    })
    onTestFinished(() => server.close())
    const { default: render } = await server.ssrLoadModule(`/${entry}`)
    await expect(render({ url: '/flags/api/admin/projects' })).rejects.toThrow('Use an absolute URL there')
    expect(await render({ url: '/flags/api/admin/projects', error: true })).toBe('a page')
    expect(await render({ url: '/api/orders' })).toBe('a page')
  })

  it('starts over when a file changes and reloads the page; logs a broken file, and changes nothing', async () => {
    const folder = appFolder()
    folder.put('own.json', { features: [{ name: 'first' }] })
    const app = await startDev({ fixtures: 'own.json' }, folder)
    const sent = vi.spyOn(app.server.ws, 'send')
    await untilSeen(
      () => folder.put('own.json', { features: [{ name: 'second' }] }),
      async () => expect(await flagNames(app)).toContain('second'),
    )
    await vi.waitFor(() => expect(sent).toHaveBeenCalledWith({ type: 'full-reload' }), { timeout: 10_000 })
    await untilSeen(
      () => folder.put('own.json', '{'),
      () => expect(app.log()).toMatch(/own\.json.* The previous files stay in use/),
    )
    expect(await flagNames(app)).toContain('second')
    // Vite shows it over the page, and the panel below its header.
    const err = expect.objectContaining({ message: expect.stringContaining('own.json') })
    expect(sent).toHaveBeenCalledWith({ type: 'error', err })
    const situation = await (await fetch(`${app.url}/__mock/scenario`)).json()
    expect(situation.notices).toEqual([expect.stringMatching(/own\.json.* The previous files are used\.$/)])
  })

  it('shows a file that is missing at the start over the page, and reloads the page once the file is there', async () => {
    const folder = appFolder()
    const app = await startDev({ fixtures: 'own.json' }, folder)
    const received = listen(app.url)
    await vi.waitFor(() => expect(received()).toContain('"type":"error"'), { timeout: 10_000 })
    expect(received()).toContain('own.json: there is no such file')
    folder.put('own.json', { features: [{ name: 'first' }] })
    await vi.waitFor(() => expect(received()).toContain('"type":"full-reload"'), { timeout: 10_000 })
    expect(await flagNames(app)).toContain('first')
  })

  it('reads a file that is written in two steps once it is finished', async () => {
    const folder = appFolder()
    const file = folder.put('own.json', { features: [{ name: 'first' }] })
    const app = await startDev({ fixtures: 'own.json' }, folder)
    for (let round = 0; round < 5; round++) {
      writeFileSync(file, '')
      await new Promise((resolve) => setTimeout(resolve, 20))
      writeFileSync(file, JSON.stringify({ features: [{ name: `round-${round}` }] }))
      await vi.waitFor(async () => expect(await flagNames(app)).toContain(`round-${round}`), { timeout: 10_000 })
    }
    expect(app.log()).not.toContain('is empty')
  })

  it('reads scenarios from a folder, including later ones', async () => {
    const folder = appFolder()
    const scenarios = appFolder()
    const scenario = (name: string) => ({ name, title: name, promise: 'It is there.', extends: 'empty' })
    scenarios.put('one.json', scenario('one'))
    const { url } = await startDev({ scenarios: scenarios.path, scenario: 'one' }, folder)
    const names = async () =>
      ((await (await fetch(`${url}/__mock/scenarios`)).json()) as { name: string }[]).map(({ name }) => name)
    expect(await names()).toContain('one')
    await untilSeen(
      () => scenarios.put('two.json', scenario('two')),
      async () => expect(await names()).toContain('two'),
    )
  })

  it('streams events, and stops with Vite while a client is connected', async () => {
    const { url, server } = await startDev()
    const events = await fetch(`${url}/__mock/events`)
    expect(events.headers.get('content-type')).toContain('text/event-stream')
    await server.close()
    await expect(events.text()).rejects.toThrow()
  })

  it('works in middleware mode', async () => {
    const server = await createServer({
      root: appFolder().path,
      configFile: false,
      server: { middlewareMode: true, ws: false },
      plugins: [flagdouble()],
    })
    await server.close()
  })
})

/**
 * Writes a file until the expected effect. The watcher is ready just after the server, and waits until a file stays
 * unchanged between two checks.
 */
function untilSeen(write: () => unknown, effect: () => unknown): Promise<unknown> {
  const attempt = async () => {
    write()
    await effect()
  }
  return vi.waitFor(attempt, { timeout: 20_000, interval: 700 })
}

const handshake = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  'sec-websocket-protocol': 'vite-hmr',
}

/** Connects as Vite's client does. Returns a function that returns everything received so far. */
function listen(url: string): () => string {
  let received = ''
  const request = get(url, { headers: handshake })
  request.on('upgrade', (_, socket, head) => {
    received += head
    socket.on('data', (data) => {
      received += data
    })
    onTestFinished(() => void socket.destroy())
  })
  return () => received
}

/** The status of the response to a WebSocket's handshake. */
function upgrade(url: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const request = get(url, { headers: handshake }, ({ statusCode }) => resolve(statusCode))
    request.on('upgrade', ({ statusCode }, socket) => {
      socket.destroy()
      resolve(statusCode)
    })
    request.on('error', reject)
  })
}

it('a plugin that is given twice has a warning, and one that is not called is an error', async () => {
  const { config, log } = configOf({}, appFolder(), '/')
  const twice = await createServer({ ...config, plugins: [flagdouble(), flagdouble({ scenario: 'empty' })] })
  await twice.close()
  expect(log()).toBe('flagdouble: the plugin is given twice. The first one responds; remove the other.\n')
  const uncalled = { ...config, plugins: [flagdouble as never] }
  await expect(createServer(uncalled)).rejects.toThrow('The plugin flagdouble is not called.')
})
