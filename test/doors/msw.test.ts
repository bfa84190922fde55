import { setupServer } from 'msw/node'
import { expect, it, vi } from 'vitest'
import { createHandlers, listenOptions } from '../../src/doors/msw.js'
import { createMock, type MockOptions } from '../../src/index.js'
import { ADMIN } from '../support/doors.js'

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
