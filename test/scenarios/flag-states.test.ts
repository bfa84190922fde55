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
  dependencies?: unknown
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

describe('a state of a flag is named wherever a scenario is', () => {
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

  it('gone leaves the feature out, and no other feature misses it', async () => {
    const child = { name: 'child', enabled: true, dependencies: [{ feature: 'banner' }] }
    const mock = mockWith({ fixtures: [fixtures, { features: [child] }] })
    const gone = await served(mock, '?scenario=banner:gone,old:gone')
    expect([gone.has('banner'), gone.get('child')?.enabled, gone.get('child')?.dependencies]).toEqual([
      false,
      true,
      undefined,
    ])
    const off = await served(mock, '?scenario=banner:off')
    expect(off.get('child')?.dependencies).toEqual([{ feature: 'banner', enabled: true, variants: [] }])
  })

  it('combines with other scenarios, in any order, and a later state wins', async () => {
    const mock = mockWith()
    for (const names of ['black-friday,banner:off', 'banner:off,black-friday', 'banner:on,black-friday,banner:off']) {
      const features = await served(mock, `?scenario=${names}`)
      expect([names, features.has('sale'), features.get('banner')?.enabled]).toEqual([names, true, false])
    }
  })

  it('alone is on top of the scenario and the states that the mock was started with', async () => {
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
        expect(await (await mock.fetch(put)).json()).toEqual({ names: ['default', name] })
        return [mock]
      },
    ],
    [
      'mock.useScenario',
      async (scenario) => {
        const mock = mockWith()
        mock.useScenario(scenario)
        expect(mock.activeScenarios).toEqual(['default'])
        return [mock]
      },
    ],
    [
      'mock.tellFlags',
      async (scenario) => {
        const mock = mockWith()
        const [flag = '', state = ''] = scenario.split(':')
        mock.tellFlags({ [flag]: state })
        expect(mock.toldFlags).toEqual({ [flag]: state })
        return [mock]
      },
    ],
    [
      'the flags of PUT /__mock/scenario',
      async (scenario) => {
        const mock = mockWith()
        const [flag = '', state = ''] = scenario.split(':')
        const body = JSON.stringify({ flags: { [flag]: state } })
        const put = new Request('http://localhost/__mock/scenario', { method: 'PUT', body })
        expect(await (await mock.fetch(put)).json()).toEqual({ names: ['default', scenario] })
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
      'the flags of a scenario',
      async (scenario) => {
        const [flag = '', state = ''] = scenario.split(':')
        return [mockWith({ scenario: defineScenario({ ...blackFriday, name: 'flagged', flags: { [flag]: state } }) })]
      },
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

  it('a saved scenario contains the states', async () => {
    const mock = mockWith()
    mock.useScenario('banner:off')
    const response = await mock.fetch(
      new Request('http://localhost/__mock/scenarios?scenario=button:blue', {
        method: 'POST',
        body: JSON.stringify({ name: 'saved', title: 'Saved', promise: 'It is saved.' }),
      }),
    )
    const saved = (await response.json()) as { extends: string; flags: object }
    expect([response.status, saved.extends, saved.flags]).toEqual([201, 'default', { banner: 'off', button: 'blue' }])
    mock.tellFlags({})
    const features = await served(mock, '?scenario=saved')
    expect([features.get('banner')?.enabled, features.get('button')?.enabled]).toEqual([false, true])
  })

  it('no scenario extends a state', () => {
    const given = { ...blackFriday, name: 'based', extends: 'banner:off' }
    expect(() => createMock({ scenarios: [given] })).toThrow(
      '$.extends: is "banner:off", the state of a flag, which no scenario can extend: use "flags": {"banner":"off"}',
    )
  })

  const sentence = 'button is a flag: button:on, button:off, button:gone, button:blue or button:red.'
  it.each([
    ['baner:off', 'There is no flag "baner". Did you mean "banner:off"?'],
    ['baner:gone', 'There is no flag "baner". Did you mean "banner:gone"?'],
    [
      'nothing-like-it:blue',
      'There is no flag "nothing-like-it", so it can only be nothing-like-it:on, nothing-like-it:off or nothing-like-it:gone. A comma combines scenarios: nothing-like-it,blue.',
    ],
    ['button:bleu', `${sentence} Did you mean "button:blue"?`],
    ['button:onn', `${sentence} Did you mean "button:on"?`],
    ['button:true', sentence],
    ['button:ON', `${sentence} Did you mean "button:on"?`],
    ['button:', sentence],
    ['button', sentence],
    ['button=on', sentence],
    ['off:button', sentence],
    ['*:gone', 'All flags can be *:on or *:off.'],
  ])('a name that means nothing is an error that says what to write: %s', async (scenario, message) => {
    expect(() => mockWith({ scenario })).toThrow(message)
    const mock = mockWith()
    const query = new URLSearchParams({ scenario })
    const response = await mock.fetch(new Request(`http://localhost/api/admin/projects?${query}`))
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ code: 'UNKNOWN_SCENARIO', message }),
    ])
    expect(() => mock.useScenario(scenario)).toThrow(message)
    expect(mock.activeScenarios).toEqual(['default'])
  })

  it('the error of a misspelt flag lists the flags', () => {
    expect(() => mockWith({ scenario: 'baner:off' })).toThrow(/hint: The flags are (\S+, )*banner(, \S+)*\.$/)
    const many = Array.from({ length: 30 }, (_, i) => ({ name: `f${i}` }))
    const crowded = () => createMock({ scenario: 'empty,f1x:blue', fixtures: { features: many } })
    expect(crowded).toThrow(/hint: The flags are f0, .*, and 20 others\.$/)
  })

  it.each(['on', 'off', 'gone'])('a flag that nobody has made yet can be %s, and a hint says so', async (state) => {
    const mock = mockWith({ scenario: `nothing-like-it:${state}` })
    const request = new Request('http://localhost/api/client/features', { headers: { authorization: CLIENT } })
    const { headers } = await mock.fetch(request)
    expect(headers.get('x-mock-hint')).toBe(
      `SDKs are told nothing-like-it:${state}, but there is no flag "nothing-like-it".`,
    )
    const told = (await served(mock)).get('nothing-like-it')
    expect(told?.enabled).toBe(state === 'gone' ? undefined : state === 'on')
  })

  it.each(['banner:', ':off', ':'])('a name without a flag or a state is unknown: "%s"', (scenario) => {
    expect(() => mockWith({ scenario })).toThrow(expect.objectContaining({ code: 'UNKNOWN_SCENARIO' }))
  })

  it('the name of a scenario has no colon', () => {
    const scenario = { name: 'a:b', title: 'A', promise: 'B' }
    expect(() => createMock({ scenarios: [scenario] })).toThrow(/must contain only a-z, 0-9 and -/)
  })
})
