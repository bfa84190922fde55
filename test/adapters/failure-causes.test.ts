import { Unleash } from 'unleash-client'
import { UnleashClient } from 'unleash-proxy-client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../src/entries/adapters/node.js'
import { hintOn, listRequests, noticesOf } from '../../src/entries/adapters/runners/requests.js'
import { createMock, type FlagContext, type Mock, observeFlags, type PartialState } from '../../src/index.js'
import { CLIENT, FRONTEND } from '../support/adapters.js'

const headers = { authorization: FRONTEND, 'content-type': 'application/json' }

const fetchFlags = (mock: Mock, query = '') => mock.fetch(`/api/frontend${query}`, { headers })

/** The notices of a failed test, after an SDK has fetched its flags. */
async function noticesAfter(fixtures: PartialState, act: (mock: Mock) => unknown = () => undefined) {
  const mock = createMock({ fixtures })
  await act(mock)
  await fetchFlags(mock)
  return noticesOf(mock)
}

/** An SDK that has fetched its flags, and doesn't ask again. */
async function started(sdk: typeof UnleashClient | typeof Unleash, url: string): Promise<UnleashClient | Unleash> {
  if (sdk === UnleashClient) {
    const client = new UnleashClient({
      url: `${url}/api/frontend`,
      clientKey: FRONTEND,
      appName: 'shop',
      refreshInterval: 0,
    })
    onTestFinished(() => client.stop())
    await client.start()
    return client
  }
  const customHeaders = { authorization: CLIENT }
  const storageProvider = { set: async () => {}, get: async () => undefined }
  const options = { url: `${url}/api`, appName: 'shop', customHeaders, storageProvider, disableMetrics: true }
  const client = new Unleash({ ...options, refreshInterval: 60_000, skipInstanceCountWarning: true })
  onTestFinished(() => client.destroy())
  await new Promise((resolve) => client.once('synchronized', resolve))
  return client
}

const inOne = (name: string, enabled: boolean) => ({ name, enabled, strategies: [{ name: 'default' }] })

describe('a failed test names likely causes', () => {
  it('flags that a scenario or a reset has discarded', () => {
    const sentence =
      '1 flag that the test had created is gone: new-checkout. useScenario and reset start the data over: create it afterwards.'
    for (const act of [(mock: Mock) => mock.useScenario('name-taken'), (mock: Mock) => mock.reset()]) {
      const mock = createMock()
      mock.enable('new-checkout')
      expect(noticesOf(mock)).not.toContain(sentence)
      act(mock)
      expect(noticesOf(mock)).toContain(sentence)
      mock.enable('new-checkout')
      expect(noticesOf(mock)).not.toContain(sentence)
    }
  })

  it('flags that the test changed after the SDK had fetched them', async () => {
    const mock = createMock()
    mock.enable('early')
    mock.disable('late')
    await fetchFlags(mock)
    const late = () => noticesOf(mock).filter((notice) => notice.includes('after the SDK'))
    expect(late()).toEqual([])
    mock.enable('late')
    expect(late()).toEqual([expect.stringContaining("The test changed late after the SDK's last request for flags.")])
    await fetchFlags(mock)
    expect(late()).toEqual([])
  })

  it.each(['?userid=17', '?properties[userid]=17', { userid: '17' }, { properties: { userid: '17' } }])(
    'a misspelt field of the context: %j',
    async (sent) => {
      const mock = createMock()
      await fetchFlags(mock, '?userId=17&properties[plan]=gold&appName=shop&sessionId=1')
      expect(noticesOf(mock)).toEqual([])
      if (typeof sent === 'string') await fetchFlags(mock, sent)
      else await mock.fetch('/api/frontend', { method: 'POST', headers, body: JSON.stringify({ context: sent }) })
      expect(noticesOf(mock)).toEqual(['The SDK sent the context field "userid". Did you mean "userId"?'])
    },
  )

  it('a body without a context', async () => {
    const sent = async (body: object) => {
      const mock = createMock()
      await mock.fetch('/api/frontend', { method: 'POST', headers, body: JSON.stringify(body) })
      return noticesOf(mock)
    }
    const sentence = `The body of the SDK's request has no "context". Its fields belong there: { "context": { "userId": "1" } }.`
    expect(await sent({ userId: '1' })).toEqual([sentence])
    expect(await sent({ contxt: { userId: '1' } })).toEqual([sentence])
    expect(await sent({ context: { userId: '1' } })).toEqual([])
    expect(await sent({})).toEqual([])
  })

  it("another environment than the API token's", async () => {
    const sentence =
      'The SDK sent the environment "production", but gets the flags of development, as its API token says.'
    const noticesOn = async (query: string) => {
      const mock = createMock()
      await fetchFlags(mock, query)
      return noticesOf(mock)
    }
    expect(await noticesOn('?environment=production')).toEqual([sentence])
    // Browser SDKs send "default" unless the app names an environment.
    for (const name of ['development', 'default']) expect(await noticesOn(`?environment=${name}`)).toEqual([])
  })

  it('a flag that is on in another environment only', async () => {
    const environments = [inOne('production', true), inOne('development', false)]
    const fixtures = { features: [{ name: 'beta', environments }] }
    const sentence =
      "beta is off: on in production only, and the SDK reads development, by its API token or mock.client's environment."
    expect(await noticesAfter(fixtures)).toEqual([sentence])
    expect(await noticesAfter(fixtures, (mock) => mock.enable('beta'))).not.toContain(sentence)
    expect(await noticesAfter(fixtures, (mock) => mock.tellFlags({ beta: 'on' }))).toEqual([])
  })

  it('a flag whose parent is off', async () => {
    const features = [
      { name: 'base', environments: [inOne('development', false)] },
      { name: 'child', environments: [inOne('development', true)], dependencies: [{ feature: 'base' }] },
    ]
    const sentence = 'child is off: the parent base is off.'
    expect(await noticesAfter({ features })).toEqual([sentence])
    expect(await noticesAfter({ features }, (mock) => mock.enable('base'))).not.toContain(sentence)
  })

  it('a flag that needs a field of the context that the SDK did not send', async () => {
    const only = (operator: string, more: object = {}) => {
      const constraints = [{ contextName: 'userId', operator, values: ['7'], ...more }]
      const environments = [{ name: 'development', enabled: true, strategies: [{ name: 'default', constraints }] }]
      return { features: [{ name: 'beta', environments }] }
    }
    const because = (constraint: string) => `beta is off: default needs ${constraint} "7", and the SDK's context has`
    const sentence = `${because('userId IN')} no userId.`
    expect(await noticesAfter(only('IN'))).toEqual([sentence])
    expect(await noticesAfter(only('NOT_IN', { inverted: true }))).toEqual([
      `${because('NOT userId NOT_IN')} no userId.`,
    ])
    expect(await noticesAfter(only('NOT_IN'))).toEqual([])
    expect(await noticesAfter(only('IN'), (mock) => mock.enable('beta'))).not.toContain(sentence)
    const mock = createMock({ fixtures: only('IN') })
    await fetchFlags(mock, '?userId=8')
    expect(noticesOf(mock)).toEqual([`${because('userId IN')} userId "8".`])
  })

  it('values that Unleash accepts and does not read', () => {
    const strategy = {
      name: 'flexibleRollout',
      parameters: { rollout: '200' },
      constraints: [{ contextName: 'userId', operator: 'IN', value: '7' }],
    }
    const payload = { type: 'json', value: '{' }
    const variants = [{ name: 'blue', weight: 1000, payload }]
    const environments = [{ name: 'development', enabled: true, strategies: [strategy], variants }]
    const apiTokens = [{ secret: '*:production.x', type: 'client', environment: 'development' }]
    const mock = createMock({ fixtures: { features: [{ name: 'beta', environments }], apiTokens } as PartialState })
    expect(noticesOf(mock)).toEqual([
      'The strategy flexibleRollout of the flag beta has the rollout "200", which isn\'t a percentage from 0 to 100.',
      'The strategy flexibleRollout of the flag beta has a constraint on userId with "value", but IN reads "values".',
      "The payload of the variant blue of the flag beta has the type json, but isn't well-formed JSON.",
      'An API token names the environment "production" in its secret, but has the environment "development", which counts.',
    ])
  })

  it('a rule for zero requests, and a misspelt permission', () => {
    const mock = createMock()
    mock.force({ operation: 'getFeatures', status: 503, times: 0 })
    mock.force({ operation: 'cloneFeature', error: { permission: 'UPDATE_FEATUR' }, optional: true })
    mock.force({ operation: 'cloneFeature', error: { permission: 'UPDATE_FEATURE' }, optional: true })
    mock.force({ operation: 'cloneFeature', error: { permission: 'OWN_WORDS' }, optional: true })
    expect(noticesOf(mock)).toEqual([
      'A rule for getFeatures never applies, because its times is 0.',
      'A rule for cloneFeature names the permission "UPDATE_FEATUR". Did you mean "UPDATE_FEATURE"?',
    ])
  })

  it('a flag that the test enabled without variants', async () => {
    const sentence = 'No variants: button. mock.setVariant gives a flag one.'
    expect(await noticesAfter({}, (mock) => mock.enable('button'))).toContain(sentence)
    expect(await noticesAfter({}, (mock) => mock.setVariant('button', 'blue'))).not.toContain(sentence)
    expect(await noticesAfter({}, (mock) => mock.disable('button'))).not.toContain(sentence)
  })
})

describe('a failed test says why the flags that it asked for are off', () => {
  const inDevelopment = (strategy: object) => ({ name: 'development', enabled: true, strategies: [strategy] })

  /** The notices after a client of the mock has asked for the flag beta. */
  function noticesOn(strategies: readonly object[], context: FlagContext = {}, more: PartialState = {}) {
    const environments = [{ name: 'development', enabled: true, strategies }]
    const mock = createMock({ fixtures: { ...more, features: [{ name: 'beta', environments }] } as PartialState })
    expect(mock.client(context).isEnabled('beta')).toBe(false)
    return noticesOf(mock)
  }

  it.each([
    [
      [{ name: 'userWithId', parameters: { userIds: '1,2' } }],
      'userWithId lists "1,2", and the SDK\'s context has no userId',
    ],
    [
      [{ name: 'flexibleRollout', parameters: { rollout: '0', stickiness: 'default', groupId: 'a' } }],
      'flexibleRollout has the rollout "0"',
    ],
    [
      [{ name: 'flexibleRollout', parameters: { rollout: '90', stickiness: 'tenant', groupId: 'a' } }],
      'flexibleRollout has the stickiness "tenant", and the SDK\'s context has no tenant',
    ],
    [
      [{ name: 'remoteAddress', parameters: { IPs: '10.0.0.1' } }],
      'remoteAddress lists "10.0.0.1", and the SDK\'s context has remoteAddress "127.0.0.1"',
    ],
    [
      [
        { name: 'default', disabled: true },
        { name: 'userWithId', parameters: { userIds: '1' } },
      ],
      'userWithId lists "1", and the SDK\'s context has no userId',
    ],
  ])('%j', (strategies, reason) => {
    expect(noticesOn(strategies)).toEqual([`beta is off: ${reason}.`])
  })

  it('by the constraints of a segment', () => {
    const constraints = [{ contextName: 'country', operator: 'IN', values: ['DE', 'AT', 'CH', 'LI'] }]
    const more = { segments: [{ id: 7, name: 'german', constraints }] } as PartialState
    expect(noticesOn([{ name: 'default', segments: [7] }], { properties: { country: 'de' } }, more)).toEqual([
      'beta is off: default needs country IN "DE", "AT", "CH" (and 1 more), and the SDK\'s context has country "de".',
    ])
  })

  it('a user outside of a rollout, but not if chance decides', () => {
    const rollout = (stickiness: string) => [
      { name: 'flexibleRollout', parameters: { rollout: '1', stickiness, groupId: 'beta' } },
    ]
    expect(noticesOn(rollout('userId'), { userId: '3' })).toEqual([
      'beta is off: flexibleRollout is for 1 % of users, and not for userId "3".',
    ])
    expect(noticesOn(rollout('random'), { userId: '3' })).toEqual([])
  })

  it('the state or the variant of its parent', () => {
    const child = (dependency: object) => ({
      name: 'child',
      environments: [inDevelopment({ name: 'default' })],
      dependencies: [{ feature: 'base', ...dependency }],
    })
    const noticesWith = (dependency: object) => {
      const base = { name: 'base', environments: [inDevelopment({ name: 'default' })] }
      const mock = createMock({ fixtures: { features: [base, child(dependency)] } as PartialState })
      mock.setVariant('base', 'blue')
      mock.client().isEnabled('child')
      return noticesOf(mock)
    }
    expect(noticesWith({ enabled: false })).toEqual(['child is off: the parent base is on, and must be off.'])
    expect(noticesWith({ variants: ['red'] })).toEqual([
      'child is off: the parent base has the variant "blue", and must have "red".',
    ])
    expect(noticesWith({})).toEqual(['child is on in development.'])
  })

  it('no enabled environment, an archived flag and a state that SDKs are told', () => {
    const mock = createMock()
    mock.add({ features: [{ name: 'off' }, { name: 'old', archived: true }, { name: 'told', enabled: true }] })
    mock.tellFlags({ told: 'off' })
    const client = mock.client()
    for (const name of ['off', 'old', 'told']) client.isEnabled(name)
    expect(noticesOf(mock)).toEqual(
      expect.arrayContaining([
        'off is off: no environment is enabled (mock.enable enables all).',
        "old is off: archived, so SDKs don't get it.",
        'told is off: SDKs are told the state "off", by tellFlags or a scenario.',
      ]),
    )
  })

  it('a variant only if the test asked for it', () => {
    const mock = createMock()
    mock.enable('button')
    mock.client().isEnabled('button')
    expect(noticesOf(mock)).not.toContain('No variants: button. mock.setVariant gives a flag one.')
    mock.client().getVariant('button')
    expect(noticesOf(mock)).toContain('No variants: button. mock.setVariant gives a flag one.')
  })

  it.each([UnleashClient, Unleash])('with the SDK %o, also by changes after its last request', async (sdk) => {
    const server = await startServer({}, { port: 0 })
    const { mock } = server
    onTestFinished(() => server.close())
    onTestFinished(observeFlags(sdk))
    mock.add({ features: [{ name: 'late' }, { name: 'other' }] })
    const client = await started(sdk, server.url)
    const ask = (name: string) => client.isEnabled(name)
    mock.add({ features: [{ name: 'new', enabled: true }] })
    mock.tellFlags({ late: 'on' })
    for (const name of ['late', 'new', 'other']) expect(ask(name)).toBe(false)
    expect(noticesOf(mock)).toEqual(
      expect.arrayContaining([
        "The test changed late, new after the SDK's last request for flags. Change flags before the SDK starts, or wait until it asks again.",
        'other is off: no environment is enabled (mock.enable enables all).',
      ]),
    )
  })

  it('facts about a client of the mock', async () => {
    const mock = createMock()
    const client = mock.client()
    expect(noticesOf(mock)).toEqual(['A client of mock.client was neither started nor asked for a flag.'])
    expect(hintOn(listRequests([]), {}, [mock])).toBe(' mock.client sends none.')
    for (const event of ['updates', 'impression', 'error', 'mine']) client.on(event, () => {})
    client.isEnabled('checkout-redesign')
    expect(noticesOf(mock)).toEqual([
      'mock.client never emits "updates". Did you mean "update"?',
      'mock.client never emits "impression". The SDK itself does.',
      expect.stringContaining('checkout-redesign is o'),
    ])
    const sentence = 'mock.client emits events only after start() and before stop().'
    client.on('update', () => {})
    expect(noticesOf(mock)).toContain(sentence)
    await client.start()
    mock.force({ operation: 'getFrontendFeatures', status: 500, optional: true })
    const notices = noticesOf(mock)
    expect(notices).not.toContain(sentence)
    expect(notices).toContain('Rules have no effect on mock.client. The SDK itself sends requests.')
    expect(notices).toContain('mock.client never emits "error". The SDK itself does.')
    client.stop()
    expect(noticesOf(mock)).not.toContain(sentence)
    client.on('update', () => {})
    expect(noticesOf(mock)).toContain(sentence)
    mock.reset()
    expect(noticesOf(mock).join()).not.toContain('mock.client')
    await expect(client.updateContext('7' as never)).rejects.toThrow(
      "updateContext takes a context, such as { userId: '7' }",
    )
  })

  it('a misspelt field of an evaluation', async () => {
    const mock = createMock()
    const client = mock.client()
    await client.setContextField('userID', '7')
    client.isEnabled('checkout-redesign')
    expect(noticesOf(mock)).toContain('The SDK sent the context field "userID". Did you mean "userId"?')
  })

  it('a change of the context that is not awaited', async () => {
    const server = await startServer({}, { port: 0 })
    const { mock } = server
    onTestFinished(() => server.close())
    onTestFinished(observeFlags(UnleashClient))
    const constraints = [{ contextName: 'userId', operator: 'IN', values: ['7'] }]
    const environments = [inDevelopment({ name: 'default', constraints })]
    mock.add({ features: [{ name: 'beta', environments }] } as PartialState)
    const client = await started(UnleashClient, server.url)
    if (!(client instanceof UnleashClient)) throw new Error('It is a client of a page.')
    const updated = client.updateContext({ userId: '7' })
    expect(client.isEnabled('beta')).toBe(false)
    await updated
    const sentence =
      "The test asked for beta before the SDK's last response, which has another state. Await start, updateContext or setContextField."
    expect(noticesOf(mock)).toContain(sentence)
    expect(client.isEnabled('beta')).toBe(true)
    expect(noticesOf(mock)).toEqual(['beta is on in development.'])
  })

  it('a flag of another session', () => {
    const mock = createMock()
    mock.session('nora').enable('beta')
    mock.client().isEnabled('beta')
    expect(noticesOf(mock)).toContain('beta exists in the session "nora", and the request was in another.')
  })
})

describe('a failed test names its rules and requests', () => {
  const clone = (mock: Mock) => mock.fetch('/api/admin/projects', { headers: { authorization: '*:*.mock-admin' } })

  it('a rule that a reset or a scenario has removed, or that came too late', async () => {
    const mock = createMock()
    mock.force({ operation: 'getProjects', status: 503 })
    mock.useScenario('default')
    const rule = '{"operation":"getProjects","status":503}'
    expect(noticesOf(mock)).toEqual([
      `1 rule that the test had added is gone: ${rule}. useScenario and reset start the data over: add it afterwards.`,
    ])
    await clone(mock)
    const remove = mock.force({ operation: 'getProjects', status: 500 })
    expect(noticesOf(mock)).toContain(
      'No request matched the rule {"operation":"getProjects","status":500}. It was added after the last such request.',
    )
    remove()
    expect(noticesOf(mock).join()).not.toContain('"status":500')
  })

  it('a rule that is used up, and a rule that a later rule hides', async () => {
    const mock = createMock()
    mock.force({ operation: 'getProjects', status: 500 })
    mock.force({ operation: 'getProjects', status: 503 })
    mock.force({ operation: 'getProjects', status: 418, times: 1 })
    expect((await clone(mock)).status).toBe(418)
    expect((await clone(mock)).status).toBe(503)
    expect(noticesOf(mock)).toEqual([
      'A rule for getProjects never applies, because a later rule handles all of its requests.',
      'A rule for getProjects is used up, because its times is 1.',
    ])
  })

  it('the scenario, and a name that is nearly that of a flag', async () => {
    const mock = createMock({ scenario: 'name-taken' })
    await mock.fetch('/api/admin/projects/default/features/checkout-redesing', {
      headers: { authorization: '*:*.mock-admin' },
    })
    expect(noticesOf(mock)).toEqual([
      'The scenario is "name-taken".',
      'There is no "checkout-redesing". Did you mean "checkout-redesign"?',
    ])
  })

  it("an SDK at the path of the other kind's API", async () => {
    const mock = createMock()
    const ask = async (path: string, sdk: string) => {
      await mock.fetch(path, { headers: { 'unleash-sdk': sdk } })
      return listRequests(mock.requests.all().slice(-1))
    }
    expect(await ask('/api/client/features', 'unleash-client-js:5.0.0')).toContain(
      'hint: The url of this SDK ends with /api/frontend.',
    )
    expect(await ask('/api/frontend/client/features', 'unleash-node-sdk:6.0.0')).toContain(
      'hint: The url of this SDK ends with /api.',
    )
  })

  it('the hint of the last error', async () => {
    const mock = createMock()
    await mock.fetch('/api/frontend')
    expect(listRequests(mock.requests.all())).toMatch(
      /\n {4}hint: Send the header Authorization: \*:development\.mock-frontend\./,
    )
  })
})
