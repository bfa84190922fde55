import { once } from 'node:events'
import http, { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test as plainTest, vi } from 'vitest'
import { createHandlers, listenOptions } from '../../src/entries/adapters/msw.js'
import { test, useMock } from '../../src/entries/adapters/vitest.js'
import { createMock } from '../../src/index.js'
import { ADMIN } from '../support/adapters.js'
import { errorOf } from '../support/errors.js'

const unmodelled = 'https://flags.example.com/api/admin/projcts?x=1'

/** A server outside of the process. It responds to requests that leave the process, and records them. */
let network: string
let server: Server
const reached: string[] = []
beforeAll(async () => {
  server = createServer(({ method, url }, response) => {
    reached.push(`${method} ${url}`)
    response.end('from the network')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  network = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
})
beforeEach(() => {
  reached.length = 0
})

/** Unknown paths of Unleash, one that looks like an asset, and paths of other services. */
const PATHS = ['/api/admin/projcts', '/api/admin/projcts/a.json', '/elsewhere', '/', '/events?x=1']

/** Sends requests that no handler matches, in each of Node's ways. All must fail, and none must arrive. */
async function expectNothingLeaves(): Promise<void> {
  const headers = { authorization: ADMIN }
  for (const path of PATHS) {
    await expect(fetch(network + path, { headers }), path).rejects.toThrow()
    await expect(fetch(network + path, { method: 'POST', headers, body: 'secret' }), path).rejects.toThrow()
    await expect(answerOfNode(network + path), path).rejects.toThrow()
  }
  expect(reached).toEqual([])
}

/** The status for a client that uses Node's own `http`. */
async function answerOfNode(url: string): Promise<number | undefined> {
  const [response]: IncomingMessage[] = await once(http.request(url, { method: 'PUT' }).end('secret'), 'response')
  return response?.statusCode
}

async function textAt(path: string): Promise<string> {
  return (await fetch(network + path)).text()
}

function silence(method: 'warn' | 'error') {
  return vi.spyOn(console, method).mockImplementation(() => {})
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe('useMock({ unhandled })', () => {
  describe('bypass', () => {
    const mock = useMock({ unhandled: 'bypass' })

    plainTest(
      'bypass sends unhandled requests to the network, silently; the journal has those to the service',
      async () => {
        const logs = [silence('warn'), silence('error')]
        expect(await textAt('/elsewhere')).toBe('from the network')
        expect(await textAt('/api/admin/projcts')).toBe('from the network')
        expect(reached).toEqual(['GET /elsewhere', 'GET /api/admin/projcts'])
        expect(logs.flatMap(({ mock }) => mock.calls)).toEqual([])
        expect(mock.requests.unmatched()).toMatchObject([{ path: '/api/admin/projcts', status: 0, operation: null }])
        expect(() => mock.assertNoUnmatched()).toThrow('the nearest route is GET /api/admin/projects')
      },
    )
  })

  describe('warn', () => {
    useMock({ unhandled: 'warn' })

    plainTest('warn names the nearest route and sends the request to the network', async () => {
      const warn = silence('warn')
      expect(await textAt('/api/admin/projcts')).toBe('from the network')
      expect(await textAt('/elsewhere')).toBe('from the network')
      expect(warn.mock.calls.flat()).toEqual([
        expect.stringContaining('/api/admin/projcts. The nearest modelled route is GET /api/admin/projects.'),
        expect.stringContaining(`No handler matches GET ${network}/elsewhere`),
      ])
    })
  })

  describe('a wrong path of an SDK', () => {
    useMock({ unhandled: 'warn' })

    plainTest("an SDK's request is known by its headers", async () => {
      const warn = silence('warn')
      const headers = { 'unleash-appname': 'shop' }
      const ask = async (init: RequestInit) => (await fetch(`${network}/client/features`, init)).text()
      expect([await ask({ headers }), await ask({})]).toEqual(['from the network', 'from the network'])
      expect(warn.mock.calls.flat()).toEqual([
        expect.stringContaining('/client/features. The nearest modelled route is GET /api/client/features.'),
        expect.stringContaining('If this is your own app'),
      ])
    })
  })

  describe('with the fixture', () => {
    test.override({ mockOptions: { unhandled: 'warn' } })

    test('the fixture also has the option', async ({ mock }) => {
      const warn = silence('warn')
      await textAt('/api/admin/projcts')
      expect([warn.mock.calls.length, mock.requests.unmatched().length]).toEqual([1, 1])
    })
  })

  describe('error', () => {
    const mock = useMock()

    afterEach(() => {
      expect(mock.requests.unmatched()).toEqual([])
    })

    plainTest('with useMock, nothing to another service leaves the process', async () => {
      silence('error')
      await expect(textAt('/elsewhere')).rejects.toThrow()
      await expect(answerOfNode(`${network}/elsewhere`)).rejects.toThrow()
      expect(reached).toEqual([])
    })
  })

  test('with the fixture, no request to another service leaves the process', async () => {
    silence('error')
    await expect(textAt('/elsewhere')).rejects.toThrow()
    await expect(answerOfNode(`${network}/elsewhere`)).rejects.toThrow()
    expect(reached).toEqual([])
  })

  const server = setupServer()
  const mistakes = [
    { unhandled: 'ignore' as never },
    { handlers: null as never },
    null as never,
    { server: {} as never },
    { server, unhandled: 'warn' as const },
    { server, handlers: [] },
  ].map((options) => errorOf(() => useMock(options)).message)

  plainTest('options that useMock does not take are rejected', () => {
    expect(mistakes).toEqual([
      expect.stringContaining('unhandled: must be "error" or "warn" or "bypass"'),
      expect.stringContaining('handlers: must be an array'),
      expect.stringContaining('an object of options'),
      expect.stringContaining('server: must be an msw server'),
      expect.stringContaining("can't take unhandled together with a server"),
      expect.stringContaining("can't take handlers together with a server"),
    ])
  })

  plainTest('useMock in a test says where it belongs', () => {
    expect(() => useMock()).toThrow(/inside a test.*top of the file/s)
  })
})

describe.each(['before', 'after'])('an msw server of the project that starts %s the server of useMock', (when) => {
  const own = setupServer()
  const warnings: unknown[] = []
  if (when === 'after') useMock()
  beforeAll(() => {
    vi.spyOn(console, 'warn').mockImplementation((text) => warnings.push(text))
    own.listen()
  })
  afterAll(() => own.close())
  if (when === 'before') useMock()

  plainTest('the console says how to have one server for both', () => {
    expect(warnings).toEqual([expect.stringContaining('useMock({ server })')])
  })
})

describe('createHandlers', () => {
  async function listening(mock: ReturnType<typeof createMock>, act: () => Promise<unknown>, baseUrl?: string) {
    const server = setupServer(...createHandlers(mock, { baseUrl }))
    server.listen(listenOptions() as Parameters<typeof server.listen>[0])
    try {
      return await act()
    } finally {
      server.close()
    }
  }

  plainTest('an unmodelled path is an error, is named with the nearest route, and is in the journal', async () => {
    const log = silence('error')
    const mock = createMock()
    await listening(mock, () => expect(fetch(unmodelled)).rejects.toThrow())
    expect(log.mock.calls[0]?.[0]).toMatch(/The nearest modelled route is GET \/api\/admin\/projects\.$/)
    expect(mock.requests.unmatched()).toMatchObject([{ method: 'GET', path: '/api/admin/projcts?x=1', status: 0 }])
    const error = errorOf(() => mock.assertNoUnmatched())
    expect(error.problem).toContain(
      'GET /api/admin/projcts?x=1 → no response; the nearest route is GET /api/admin/projects',
    )
    expect(error.stack?.split(/\n\s+at /)[1]).toContain('unhandled.test.ts')
  })

  plainTest('no request without a handler leaves the process', async () => {
    silence('error')
    await listening(createMock(), expectNothingLeaves)
  })

  plainTest('a request to the service below another path says which base URL to set', async () => {
    const log = silence('error')
    await listening(createMock(), () => expect(fetch(`${network}/flags/api/admin/projects`)).rejects.toThrow())
    expect(log.mock.calls.flat()).toEqual([expect.stringContaining(`set \`baseUrl: '${network}/flags'\`.`)])
  })

  plainTest.each(['/health', '/api/orders'])(
    "a request for a test's own app, to %s, says how to let it through",
    async (path) => {
      const log = silence('error')
      await listening(createMock(), () => expect(fetch(network + path)).rejects.toThrow())
      expect(log.mock.calls.flat()).toEqual([
        expect.stringContaining("your own app, as with supertest, set `unhandled: 'bypass'`."),
      ])
    },
  )

  plainTest('a request to a path that apps can have too says how to send it to the mock', async () => {
    const log = silence('error')
    const signOut = () => fetch(`${network}/logout`, { method: 'POST', redirect: 'manual' })
    await listening(createMock(), () => expect(signOut()).rejects.toThrow())
    expect(log.mock.calls.flat()).toEqual([expect.stringContaining(`set \`baseUrl: '${network}'\``)])
    const { status } = (await listening(createMock(), signOut, network)) as Response
    expect([status, reached]).toEqual([401, []])
  })

  plainTest('an asset of a page is let through', async () => {
    await listening(createMock(), async () => expect(await textAt('/assets/app.js')).toBe('from the network'))
    expect(reached).toEqual(['GET /assets/app.js'])
  })

  plainTest('requests to other services are errors but not in the journal', async () => {
    const log = silence('error')
    const mock = createMock()
    await listening(mock, () => expect(fetch(`${network}/x`)).rejects.toThrow())
    await listening(
      mock,
      () => expect(fetch(`${network}/api/admin/projcts`)).rejects.toThrow(),
      'https://flags.example.org',
    )
    expect(reached).toEqual([])
    expect(mock.requests.all()).toEqual([])
    expect(log.mock.calls.length).toBeGreaterThan(0)
  })
})
