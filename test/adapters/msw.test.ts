import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setupServer } from 'msw/node'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createHandlers, listenOptions } from '../../src/entries/adapters/msw.js'
import { createMock, type MockOptions } from '../../src/index.js'
import { ADMIN } from '../support/adapters.js'

const BASE = 'https://flags.example.com/proxy'
const live = '/api/admin/invite-link/tokens/live-invite'

/** The link of a token, requested at some addresses, or a note that no handler matches. */
async function linksAt(addresses: readonly string[], options: MockOptions, baseUrl?: string): Promise<unknown[]> {
  const server = setupServer(...createHandlers(createMock(options), { baseUrl }))
  const unhandled: string[] = []
  server.events.on('request:unhandled', ({ request }) => {
    unhandled.push(request.url)
  })
  server.listen(listenOptions())
  vi.spyOn(console, 'error').mockImplementation(() => {})
  try {
    const answers: unknown[] = []
    for (const address of addresses) {
      const response = await fetch(address + live, { headers: { authorization: ADMIN } }).catch(() => undefined)
      const nobody = unhandled.includes(address + live) ? 'nobody' : 'failed'
      answers.push(response?.ok ? ((await response.json()) as { url: string }).url : nobody)
    }
    return answers
  } finally {
    server.close()
    vi.restoreAllMocks()
  }
}

const addresses = [BASE, 'https://flags.example.com', 'https://other.example.com/proxy']
const link = `${BASE}/new-user?invite=live-invite`

it('handlers with a base URL respond only there, and their links lead there', async () => {
  expect(await linksAt(addresses, {}, BASE)).toEqual([link, 'nobody', 'nobody'])
  expect(await linksAt(addresses, {}, `${BASE}/`)).toEqual([link, 'nobody', 'nobody'])
})

it('handlers of a mock with a base URL also respond only there', async () => {
  expect(await linksAt(addresses, { baseUrl: BASE })).toEqual([link, 'nobody', 'nobody'])
})

it('handlers without a base URL respond at any origin', async () => {
  const here = 'http://localhost:4242/new-user?invite=live-invite'
  const origins = ['https://flags.example.com', 'http://127.0.0.1:4999']
  expect(await linksAt(origins, {})).toEqual([here, here])
})

it("handlers without a base URL leave an app's possible paths to the app", async () => {
  const app = createServer((_, response) => response.end("the app's own"))
  await once(app.listen(0, '127.0.0.1'), 'listening')
  const origin = `http://127.0.0.1:${(app.address() as AddressInfo).port}`
  const mock = createMock()
  const server = setupServer(...createHandlers(mock))
  server.listen(listenOptions(mock, { unhandled: 'bypass' }))
  onTestFinished(() => {
    server.close()
    app.close()
  })
  const textAt = async (path: string, init?: RequestInit) => (await fetch(origin + path, init)).text()
  for (const path of ['/health', '/ready', '/logout', '/signed-out', '/docs/openapi.json', '/']) {
    expect(await textAt(path), path).toBe("the app's own")
    expect(await textAt(path, { method: 'POST' }), path).toBe("the app's own")
  }
  for (const path of [
    '/api/frontend',
    '/API/client/features',
    '/edge/validate',
    '/invite/x/signup',
    '/__mock/health',
  ]) {
    expect(await textAt(path), path).not.toContain("the app's own")
  }
  server.resetHandlers(...createHandlers(mock, { baseUrl: origin }))
  expect(await textAt('/health')).toContain('GOOD')
})

// msw 3 stores cookies itself in Node, unlike in a page. With it, test/browser/worker.browser.ts tests the same there.
describe.runIf(process.env.FLAGDOUBLE_MSW !== '3')("in a page, which can't access cookies of responses", () => {
  const editor = { username: 'editor', password: 'flagdouble' }
  const own = 'http://localhost:3000'
  const send = (path: string, init: RequestInit = {}) =>
    fetch(path, { headers: { 'content-type': 'application/json' }, ...init })
  const signIn = (origin: string, init: RequestInit = {}) =>
    send(`${origin}/auth/simple/login`, { method: 'POST', body: JSON.stringify(editor), ...init })
  const me = async (origin: string, init?: RequestInit) => (await send(`${origin}/api/admin/user`, init)).status

  /** Handlers in an imitation of a page. */
  function openPage(baseUrl?: string) {
    vi.stubGlobal('document', { cookie: '' })
    vi.stubGlobal('location', new URL(`${own}/flags`))
    const server = setupServer(...createHandlers(createMock(), { baseUrl }))
    server.listen(listenOptions() as Parameters<typeof server.listen>[0])
    onTestFinished(() => {
      server.close()
      vi.unstubAllGlobals()
    })
  }

  it('a login is stored for requests with which a browser would send it', async () => {
    openPage(own)
    expect(await me(own)).toBe(401)
    await signIn(own)
    expect([await me(own), await me(own, { credentials: 'include' })]).toEqual([200, 200])
    expect(await me(own, { credentials: 'omit' })).toBe(401)
    await send(`${own}/logout`, { method: 'POST', redirect: 'manual' })
    expect(await me(own)).toBe(401)
  })

  it('a login is sent to another origin only if credentials are included', async () => {
    openPage()
    await signIn(own)
    const other = 'https://flags.example.com'
    expect([await me(other), await me(other, { credentials: 'include' })]).toEqual([401, 200])
  })

  it('a login at another origin is stored only if credentials are included', async () => {
    openPage()
    const other = 'https://flags.example.com'
    await signIn(other)
    expect(await me(other, { credentials: 'include' })).toBe(401)
    await signIn(other, { credentials: 'include' })
    expect([await me(other, { credentials: 'include' }), await me(other)]).toEqual([200, 401])
  })
})
