import { setupServer } from 'msw/node'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createHandlers, listenOptions } from '../../src/entries/adapters/msw.js'
import { createMock, type MockOptions } from '../../src/index.js'
import { ADMIN } from '../support/adapters.js'

const BASE = 'https://flags.example.com/proxy'
const live = '/api/admin/invite-link/tokens/live-invite'

/** The link of a token that is asked for at some addresses, or that no handler takes the request. */
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

it('handlers with a base URL answer only there, and their links lead there', async () => {
  expect(await linksAt(addresses, {}, BASE)).toEqual([link, 'nobody', 'nobody'])
  expect(await linksAt(addresses, {}, `${BASE}/`)).toEqual([link, 'nobody', 'nobody'])
})

it('handlers of a mock with a base URL answer only there too', async () => {
  expect(await linksAt(addresses, { baseUrl: BASE })).toEqual([link, 'nobody', 'nobody'])
})

it('handlers without a base URL answer at any origin', async () => {
  const here = 'http://localhost:4242/new-user?invite=live-invite'
  const origins = ['https://flags.example.com', 'http://127.0.0.1:4999']
  expect(await linksAt(origins, {})).toEqual([here, here])
})

// msw 3 keeps cookies by itself in Node, as it can't in a page. With it, test/browser/worker.browser.ts proves the same there.
describe.runIf(process.env.FLAGDOUBLE_MSW !== '3')('in a page, which can read and set no cookies of responses', () => {
  const editor = { username: 'editor', password: 'flagdouble' }
  const own = 'http://localhost:3000'
  const send = (path: string, init: RequestInit = {}) =>
    fetch(path, { headers: { 'content-type': 'application/json' }, ...init })
  const signIn = (origin: string, init: RequestInit = {}) =>
    send(`${origin}/auth/simple/login`, { method: 'POST', body: JSON.stringify(editor), ...init })
  const me = async (origin: string, init?: RequestInit) => (await send(`${origin}/api/admin/user`, init)).status

  /** Handlers in what looks like a page. */
  function openPage() {
    vi.stubGlobal('document', { cookie: '' })
    vi.stubGlobal('location', new URL(`${own}/flags`))
    const server = setupServer(...createHandlers(createMock()))
    server.listen(listenOptions() as Parameters<typeof server.listen>[0])
    onTestFinished(() => {
      server.close()
      vi.unstubAllGlobals()
    })
  }

  it('a login is kept for requests that a browser would send it with', async () => {
    openPage()
    expect(await me(own)).toBe(401)
    await signIn(own)
    expect([await me(own), await me(own, { credentials: 'include' })]).toEqual([200, 200])
    expect(await me(own, { credentials: 'omit' })).toBe(401)
    const other = 'https://flags.example.com'
    expect([await me(other), await me(other, { credentials: 'include' })]).toEqual([401, 200])
    await send(`${own}/logout`, { method: 'POST', redirect: 'manual' })
    expect([await me(own), await me(other, { credentials: 'include' })]).toEqual([401, 401])
  })

  it('a login at another origin is kept only if credentials are included', async () => {
    openPage()
    const other = 'https://flags.example.com'
    await signIn(other)
    expect(await me(other, { credentials: 'include' })).toBe(401)
    await signIn(other, { credentials: 'include' })
    expect([await me(other, { credentials: 'include' }), await me(other)]).toEqual([200, 401])
  })
})
