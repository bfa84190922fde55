import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startServer } from '../../src/entries/adapters/node.js'
import { createMock, defineScenario, type Mock, type MockOptions } from '../../src/index.js'
import { CLIENT, FIXED } from '../support/adapters.js'
import { runCli, scratchFolder } from '../support/cli.js'
import { startDev } from '../support/vite.js'

const button = {
  name: 'button',
  environments: [
    {
      name: 'development',
      enabled: false,
      variants: [
        { name: 'blue', weight: 500, payload: { type: 'string' as const, value: '#00f' } },
        { name: 'red', weight: 500 },
      ],
    },
  ],
}
const fixtures = { features: [{ name: 'banner', enabled: true }, button, { name: 'old', archived: true }] }
const blackFriday = defineScenario({
  ...{ name: 'black-friday', title: 'Black Friday', promise: 'There is a sale.' },
  seed: { features: [{ name: 'sale', enabled: true }] },
})
const mockWith = (options: MockOptions = {}) => createMock({ ...FIXED, fixtures, scenarios: [blackFriday], ...options })

interface ClientFeature {
  name: string
  enabled: boolean
  strategies: unknown[]
  variants?: { name: string }[]
}

/** The features that an SDK of the development environment gets. */
async function served(mock: Pick<Mock, 'fetch'>, query = '', headers: Record<string, string> = {}) {
  const request = new Request(`http://localhost/api/client/features${query}`, {
    headers: { authorization: CLIENT, ...headers },
  })
  const response = await mock.fetch(request)
  const body = (await response.json()) as { features: ClientFeature[]; code?: string; message?: string }
  expect([response.status, body.message]).toEqual([200, undefined])
  return new Map(body.features.map((feature) => [feature.name, feature]))
}

/** A running server, with the interface of a mock. */
function at(url: string): Pick<Mock, 'fetch'> {
  return {
    fetch(input) {
      const { url: asked, headers } = new Request(input)
      return fetch(url + new URL(asked).pathname + new URL(asked).search, { headers })
    },
  }
}

async function serverUrl(scenario: string): Promise<string> {
  const server = await startServer({ ...FIXED, fixtures, scenario }, { port: 0 })
  onTestFinished(() => server.close())
  return server.url
}

async function devServerUrl(scenario: string): Promise<string> {
  // The plugin does nothing in Vitest.
  vi.stubEnv('VITEST', undefined)
  onTestFinished(() => void vi.unstubAllEnvs())
  return (await startDev({ ...FIXED, fixtures, scenario })).url
}

function commandUrl(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const file = scratchFolder().put('flags.json', fixtures)
  return runCli(['--port', '0', '--fixtures', file, ...args], { env }).url()
}

describe('a feature in a state is a scenario', () => {
  it.each([
    ['banner:off', false],
    ['banner:on', true],
    ['button:on', true],
    ['button:off', false],
  ])('%s', async (scenario, enabled) => {
    const [flag = ''] = scenario.split(':')
    const features = await served(mockWith({ scenario }))
    expect(features.get(flag)?.enabled).toBe(enabled)
    expect(features.has('checkout-redesign')).toBe(true)
  })

  it('does what mock.enable, mock.disable and mock.setVariant do, in every environment', () => {
    const own = (mock: Mock) => mock.state().features?.filter(({ name }) => ['banner', 'button'].includes(name))
    const mock = mockWith()
    mock.disable('banner')
    mock.setVariant('button', { name: 'blue', payload: { type: 'string', value: '#00f' } })
    const ids = (text: string | undefined) => text?.replaceAll(/01[0-9A-Z]{24}/g, 'ID')
    expect(ids(JSON.stringify(own(mockWith({ scenario: 'banner:off,button:blue' }))))).toBe(
      ids(JSON.stringify(own(mock))),
    )
  })

  it('gone removes the feature, and everything that refers to it', async () => {
    const child = { name: 'child', enabled: true, dependencies: [{ feature: 'banner' }] }
    const mock = mockWith({ fixtures: [fixtures, { features: [child] }], scenario: 'banner:gone,old:gone' })
    const features = await served(mock)
    expect([features.has('banner'), features.get('child')?.enabled]).toEqual([false, true])
    expect(mock.state().features?.some(({ name }) => name === 'old')).toBe(false)
  })

  it('combines with other scenarios, in any order, and a later state wins', async () => {
    const mock = mockWith()
    for (const names of ['black-friday,banner:off', 'banner:off,black-friday', 'banner:on,black-friday,banner:off']) {
      const features = await served(mock, `?scenario=${names}`)
      expect([names, features.has('sale'), features.get('banner')?.enabled]).toEqual([names, true, false])
    }
  })

  it('alone stands on the scenario that the mock was started with', async () => {
    const mock = mockWith({ scenario: 'black-friday' })
    expect((await served(mock, '?scenario=sale:off')).get('sale')?.enabled).toBe(false)
    const flagged = mockWith({ scenario: 'black-friday,banner:off' })
    const features = await served(flagged, '?scenario=sale:off')
    expect([features.get('sale')?.enabled, features.get('banner')?.enabled]).toEqual([false, false])
    const alone = mockWith({ scenario: 'banner:off' })
    const both = await served(alone, '?scenario=button:on')
    expect([both.get('button')?.enabled, both.get('banner')?.enabled]).toEqual([true, false])
  })

  /** Ways to name a scenario; each returns the mock or the server, and the request for the flags. */
  const ways: [way: string, enter: (scenario: string) => Promise<Parameters<typeof served>>][] = [
    ['the query of a request', async (scenario) => [mockWith(), `?scenario=${scenario}`]],
    ['the query, percent-encoded', async (scenario) => [mockWith(), `?scenario=${encodeURIComponent(scenario)}`]],
    ['a header', async (scenario) => [mockWith(), '', { 'x-mock-scenario': scenario }]],
    ['a cookie', async (scenario) => [mockWith(), '', { cookie: `mock-scenario=${encodeURIComponent(scenario)}` }]],
    [
      "the address of the app's page",
      async (scenario) => [mockWith(), '', { referer: `http://localhost/shop?scenario=${scenario}` }],
    ],
    [
      'a QA link',
      async (scenario) => {
        const mock = mockWith()
        const link = await mock.fetch(new Request(`http://localhost/__mock/use/${scenario}?redirect=/`))
        const cookies = link.headers.getSetCookie().map((one) => one.split(';')[0])
        expect([link.status, link.headers.get('location')]).toEqual([302, '/'])
        return [mock, '', { cookie: cookies.join('; ') }]
      },
    ],
    [
      'PUT /__mock/scenario',
      async (name) => {
        const mock = mockWith()
        const put = new Request('http://localhost/__mock/scenario', { method: 'PUT', body: JSON.stringify({ name }) })
        expect(await (await mock.fetch(put)).json()).toEqual({ names: [name] })
        return [mock]
      },
    ],
    [
      'mock.useScenario',
      async (scenario) => {
        const mock = mockWith()
        mock.useScenario(scenario)
        expect(mock.activeScenarios).toEqual([scenario])
        return [mock]
      },
    ],
    [
      'session.useScenario',
      async (scenario) => {
        const mock = mockWith()
        mock.session('a').useScenario('black-friday', scenario)
        expect((await served(mock)).get('banner')?.enabled).toBe(true)
        return [mock.session('a')]
      },
    ],
    ['createMock', async (scenario) => [mockWith({ scenario })]],
    [
      'extends, of a scenario object',
      async (scenario) => [
        mockWith({ scenario: defineScenario({ ...blackFriday, name: 'based', extends: scenario }) }),
      ],
    ],
    [
      'extends, of a known scenario',
      async (scenario) => [
        mockWith({
          scenario: 'based',
          scenarios: [defineScenario({ ...blackFriday, name: 'based', extends: scenario })],
        }),
      ],
    ],
    ['startServer', async (scenario) => [at(await serverUrl(scenario))]],
    ["Vite's plugin", async (scenario) => [at(await devServerUrl(scenario))]],
    ['--scenario', async (scenario) => [at(await commandUrl(['--scenario', scenario]))]],
    ['FLAGDOUBLE_SCENARIO', async (scenario) => [at(await commandUrl([], { FLAGDOUBLE_SCENARIO: scenario }))]],
  ]

  it.each(ways)('works through %s', async (_, enter) => {
    const on = await served(...(await enter('banner:on')))
    expect(on.get('banner')?.enabled).toBe(true)
    const off = await served(...(await enter('banner:off')))
    expect(off.get('banner')?.enabled).toBe(false)
    const gone = await served(...(await enter('banner:gone')))
    expect([gone.has('banner'), gone.has('button')]).toEqual([false, true])
    const blue = await served(...(await enter('button:blue')))
    expect(blue.get('button')).toMatchObject({ enabled: true, variants: [{ name: 'blue' }] })
  })

  it('ends with a reset or an undo', async () => {
    const mock = mockWith()
    const isOff = async () => (await served(mock)).get('banner')?.enabled === false
    mock.useScenario('banner:off')
    expect(await isOff()).toBe(true)
    mock.reset()
    expect(await isOff()).toBe(false)
    mock.useScenario('banner:off')
    mock.history.undo()
    expect(await isOff()).toBe(false)
  })

  it('a saved scenario contains the state, and extends no state of a feature', async () => {
    const mock = mockWith()
    mock.useScenario('banner:off')
    const response = await mock.fetch(
      new Request('http://localhost/__mock/scenarios', {
        method: 'POST',
        body: JSON.stringify({ name: 'saved', title: 'Saved', promise: 'It is saved.' }),
      }),
    )
    const saved = (await response.json()) as { extends: string }
    expect([response.status, saved.extends]).toEqual([201, 'default'])
    expect((await served(mock, '?scenario=saved')).get('banner')?.enabled).toBe(false)
  })

  it.each([
    ['baner:off', 'There is no flag "baner". Did you mean "banner"?'],
    ['baner:gone', 'There is no flag "baner". Did you mean "banner"?'],
    ['nothing-like-it:on', 'There is no flag "nothing-like-it".'],
    ['button:bleu', 'The flag "button" has no variant "bleu". Did you mean "blue"?'],
    ['banner:onn', 'The flag "banner" has no variant "onn". Did you mean "on"?'],
  ])('an unknown flag or variant is an error with the nearest: %s', async (scenario, message) => {
    expect(() => mockWith({ scenario })).toThrow(expect.objectContaining({ code: 'UNKNOWN_SCENARIO' }))
    const mock = mockWith()
    const response = await mock.fetch(new Request(`http://localhost/api/admin/projects?scenario=${scenario}`))
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ code: 'UNKNOWN_SCENARIO', message }),
    ])
    expect(() => mock.useScenario(scenario)).toThrow(message)
    expect(mock.activeScenarios).toEqual(['default'])
  })

  it.each(['banner:', ':off', ':'])('a name without a flag or a state is unknown: "%s"', (scenario) => {
    expect(() => mockWith({ scenario })).toThrow(expect.objectContaining({ code: 'UNKNOWN_SCENARIO' }))
  })

  it('the name of a scenario has no colon', () => {
    const scenario = { name: 'a:b', title: 'A', promise: 'B' }
    expect(() => createMock({ scenarios: [scenario] })).toThrow(/must contain only a-z, 0-9 and -/)
  })
})
