import { Unleash } from 'unleash-client'
import { UnleashClient } from 'unleash-proxy-client'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { CORE } from '../../src/engine/mock/session.js'
import { ofOneTest } from '../../src/engine/sessions/flag-coverage.js'
import { startServer } from '../../src/entries/adapters/node.js'
import { useMock } from '../../src/entries/adapters/vitest.js'
import { createMock, type Mock, observeFlags } from '../../src/index.js'
import { CLIENT, FIXED, FRONTEND } from '../support/adapters.js'

const fixtures = {
  features: [
    { name: 'banner', enabled: true },
    { name: 'legacy', enabled: false },
    { name: 'new-checkout', enabled: true },
  ],
}

async function serve(): Promise<{ mock: Mock; url: string }> {
  const server = await startServer({ ...FIXED, fixtures }, { port: 0 })
  onTestFinished(() => server.close())
  return server
}

function page(url: string, options: object = {}): UnleashClient {
  const sdk = new UnleashClient({ url: `${url}/api/frontend`, clientKey: FRONTEND, appName: 'shop', ...options })
  onTestFinished(() => sdk.stop())
  return sdk
}

function server(url: string, options: object = {}): Unleash {
  const customHeaders = { authorization: CLIENT }
  const given = { url: `${url}/api`, appName: 'shop', refreshInterval: 50, disableMetrics: true, customHeaders }
  const sdk = new Unleash({ ...given, storageProvider: noStorage, skipInstanceCountWarning: true, ...options })
  onTestFinished(() => sdk.destroy())
  return sdk
}

const noStorage = { set: async () => {}, get: async () => undefined }

/** Observes until the test ends. */
function observe(target: Parameters<typeof observeFlags>[0]): void {
  onTestFinished(observeFlags(target))
}

const of = (mock: Mock, name: string) => mock.flagCoverage().find((flag) => flag.name === name)
const evidence = (mock: Mock) => ofOneTest(mock[CORE].coverage.report(mock[CORE].sessions.unnamed.world())).tests

describe('observeFlags', () => {
  it("tells the mock what a frontend's SDK says, once its flags have come", async () => {
    const { mock, url } = await serve()
    mock.setVariant('new-checkout', 'blue')
    observe(UnleashClient)
    const sdk = page(url, { disableMetrics: true })
    expect(sdk.isEnabled('banner')).toBe(false)
    await sdk.start()
    expect([sdk.isEnabled('banner'), sdk.isEnabled('legacy'), sdk.isEnabled('baner')]).toEqual([true, false, false])
    expect(sdk.getVariant('new-checkout')).toMatchObject({ name: 'blue', feature_enabled: true })
    expect(of(mock, 'banner')).toMatchObject({ asked: { on: 1, off: 0 }, seen: { on: 1, off: 0 } })
    expect(of(mock, 'legacy')).toMatchObject({ seen: { on: 0, off: 1 } })
    expect(of(mock, 'new-checkout')).toMatchObject({ seen: { on: 1, off: 0, variants: { blue: 1 } } })
    expect(of(mock, 'baner')).toMatchObject({ exists: false, asked: { off: 1 } })
    expect(evidence(mock)).toEqual({ all: 1, known: 1 })
  })

  it("tells the mock what a server's SDK says, with the fields of its context", async () => {
    const { mock, url } = await serve()
    observe(Unleash)
    const sdk = server(url)
    await new Promise((resolve) => sdk.once('synchronized', resolve))
    expect(sdk.isEnabled('banner', { userId: '7', properties: { plan: 'pro' } })).toBe(true)
    expect(sdk.getVariant('legacy').name).toBe('disabled')
    expect(of(mock, 'banner')).toMatchObject({ asked: { on: 1 }, seen: { on: 1, off: 0 }, contexts: { known: 1 } })
    expect(of(mock, 'legacy')).toMatchObject({ seen: { on: 0, off: 1, variants: {} } })
    expect(evidence(mock)).toEqual({ all: 1, known: 1 })
  })

  it('takes one client, and leaves others alone', async () => {
    const { mock, url } = await serve()
    const [one, other] = [page(url, { disableMetrics: true }), page(url, { disableMetrics: true })]
    observe(one)
    observe(one)
    for (const sdk of [one, other]) await sdk.start()
    for (const sdk of [one, other]) sdk.isEnabled('banner')
    expect(of(mock, 'banner')?.asked.on).toBe(1)
    expect(evidence(mock)).toEqual({ all: 1, known: 0 })
  })

  it('knows an SDK that asked for nothing', async () => {
    const { mock, url } = await serve()
    observe(UnleashClient)
    await page(url, { disableMetrics: true }).start()
    expect(evidence(mock)).toEqual({ all: 1, known: 1 })
    expect(of(mock, 'banner')).toMatchObject({ unknown: 0, asked: { on: 0, off: 0 } })
  })

  it('counts an evaluation once, even if the SDK also reports it', async () => {
    const { mock, url } = await serve()
    observe(UnleashClient)
    const sdk = page(url, { metricsIntervalInitial: 0, metricsInterval: 1000 })
    await sdk.start()
    sdk.isEnabled('banner')
    await sdk.sendMetrics()
    expect(mock.requests.count({ operation: 'registerFrontendMetrics' })).toBe(1)
    expect(of(mock, 'banner')?.asked).toMatchObject({ on: 1, off: 0 })
  })

  it('tells the session that served the SDK', async () => {
    const { mock, url } = await serve()
    observe(UnleashClient)
    const sdk = page(url, { disableMetrics: true, customHeaders: { 'x-mock-session': 'other' } })
    await sdk.start()
    sdk.isEnabled('banner')
    const { coverage, sessions } = mock[CORE]
    const world = sessions.unnamed.world()
    expect(coverage.reportOf('other', world).sdks).toEqual({ all: 1, known: 1 })
    expect(coverage.reportOf('', world).sdks).toEqual({ all: 0, known: 0 })
  })

  it('passes arguments, results and errors on, until it ends', () => {
    class Client {
      isEnabled = vi.fn((name: string, ..._: unknown[]) => {
        if (name === 'broken') throw new Error('broken')
        return name === 'a'
      })
      getVariant = (name: string) => ({ name })
    }
    const client = new Client()
    const { isEnabled } = client
    const end = observeFlags(client)
    expect([client.isEnabled('a', { userId: '1' }), client.isEnabled('b')]).toEqual([true, false])
    expect(isEnabled).toHaveBeenCalledWith('a', { userId: '1' })
    expect(() => client.isEnabled('broken')).toThrow('broken')
    end()
    expect(client.isEnabled).toBe(isEnabled)
  })

  it.each([[undefined], [{}], [class {}], ['UnleashClient']])('rejects %o', (given) => {
    expect(() => observeFlags(given as Parameters<typeof observeFlags>[0])).toThrow(
      "observeFlags takes an SDK's client, or its class",
    )
  })
})

describe('observeFlags with useMock', () => {
  const mock = useMock({ ...FIXED, fixtures })

  it.each(['first', 'second'])("tells the running test's mock, in the %s test", async () => {
    observe(UnleashClient)
    const sdk = page('http://flags.example.com', { disableMetrics: true })
    await sdk.start()
    sdk.isEnabled('banner')
    expect(of(mock, 'banner')?.seen.on).toBe(1)
  })

  const shared = new UnleashClient({
    ...{ url: 'http://flags.example.com/api/frontend', clientKey: FRONTEND, appName: 'shop' },
    // The fetch at this time isn't msw's.
    ...{ disableMetrics: true, refreshInterval: 0, fetch: (...given: Parameters<typeof fetch>) => fetch(...given) },
  })

  // Whichever test runs first starts the SDK.
  it.each(['first', 'second'])("an SDK that outlives a test tells each running test's mock: the %s test", async () => {
    observe(UnleashClient)
    if (!shared.isReady()) await shared.start()
    shared.isEnabled('banner')
    expect(of(mock, 'banner')?.asked.on).toBe(1)
    expect(
      createMock(FIXED)
        .flagCoverage()
        .filter(({ asked }) => asked.on > 0),
    ).toEqual([])
  })
})
