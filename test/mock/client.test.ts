import { InMemoryStorageProvider, UnleashClient } from 'unleash-proxy-client'
import { describe, expect, it, vi } from 'vitest'
import { createMock, type PartialState } from '../../src/index.js'
import { errorOf } from '../support/errors.js'

/** The events of a client, in order. */
function eventsOf(client: { on(event: string, listener: () => void): unknown }): string[] {
  const events: string[] = []
  for (const event of ['initialized', 'ready', 'update', 'error']) client.on(event, () => events.push(event))
  return events
}

/** Flags for some users, in one environment. */
const targeted: PartialState = {
  features: [
    {
      name: 'gold-only',
      environments: [
        {
          name: 'production',
          enabled: true,
          strategies: [{ name: 'default', constraints: [{ contextName: 'plan', operator: 'IN', values: ['gold'] }] }],
        },
      ],
    },
  ],
}

describe('mock.client', () => {
  it('reads the data of the same turn, without a request', () => {
    const mock = createMock()
    const client = mock.client({ userId: '7' })
    expect(client.isReady()).toBe(true)
    expect(client.isEnabled('new-checkout')).toBe(false)
    expect(client.getVariant('button')).toEqual({ name: 'disabled', enabled: false, feature_enabled: false })
    mock.enable('new-checkout')
    mock.setVariant('button', { name: 'blue', payload: { type: 'string', value: '#00f' } })
    expect(client.isEnabled('new-checkout')).toBe(true)
    expect(client.getVariant('button')).toMatchObject({
      name: 'blue',
      enabled: true,
      feature_enabled: true,
      payload: { type: 'string', value: '#00f' },
    })
    expect(client.getAllToggles().map(({ name }) => name)).toEqual(expect.arrayContaining(['button', 'new-checkout']))
    mock.tellFlags({ 'new-checkout': 'off' })
    expect(client.isEnabled('new-checkout')).toBe(false)
    mock.reset()
    expect(client.getVariant('button').name).toBe('disabled')
    expect(mock.requests.all()).toEqual([])
  })

  it('works inside of a proxy, such as a reactive object of Vue, and its methods without it', async () => {
    const mock = createMock({ scenario: 'empty' })
    mock.setVariant('button', 'blue')
    const proxy = new Proxy(mock.client({ userId: '7' }), {})
    const { isEnabled, getVariant, getAllToggles, updateContext, getContext, start, stop } = proxy
    const events = eventsOf(proxy)
    await start()
    await updateContext({ userId: '8' })
    stop()
    expect([isEnabled('button'), getVariant('button').name, getAllToggles().length]).toEqual([true, 'blue', 1])
    expect(proxy.isEnabled('button')).toBe(true)
    expect(getContext()).toMatchObject({ userId: '8' })
    expect(events).toEqual(['initialized', 'update', 'ready', 'update'])
    expect(Object.keys(proxy)).toEqual(['impactMetrics'])
  })

  it('reads the flags of its session, environment and context', async () => {
    const mock = createMock({ fixtures: targeted })
    const client = mock.session('nora').client({ environment: 'production' })
    expect(client.isEnabled('gold-only')).toBe(false)
    await client.setContextField('plan', 'gold')
    expect(client.isEnabled('gold-only')).toBe(true)
    expect(mock.client({ properties: { plan: 'gold' } }).isEnabled('gold-only')).toBe(false)
    await client.removeContextField('plan')
    expect(client.isEnabled('gold-only')).toBe(false)
    await client.updateContext({ properties: { plan: 'gold' } })
    expect(client.isEnabled('gold-only')).toBe(true)
    mock.disable('gold-only')
    expect(client.isEnabled('gold-only')).toBe(true)
    mock.session('nora').disable('gold-only')
    expect(client.isEnabled('gold-only')).toBe(false)
  })

  it('keeps the context as the SDK does', async () => {
    const context = { userId: '7', sessionId: '1', properties: { plan: 'gold' } }
    const real = new UnleashClient({
      url: 'http://localhost/api/frontend',
      clientKey: '*:development.mock-frontend',
      appName: 'shop',
      context,
      fetch: createMock().fetch,
      disableMetrics: true,
      refreshInterval: 0,
      storageProvider: new InMemoryStorageProvider(),
    })
    await real.start()
    const client: UnleashClient = createMock().client({ appName: 'shop', ...context })
    expect(client.getContext()).toEqual(real.getContext())
    const steps = [
      (one: UnleashClient) => one.setContextField('userId', '8'),
      (one: UnleashClient) => one.setContextField('country', 'no'),
      (one: UnleashClient) => one.removeContextField('plan'),
      (one: UnleashClient) => one.removeContextField('userId'),
      (one: UnleashClient) => one.updateContext({ userId: '9' }),
    ]
    for (const step of steps) {
      await step(real)
      await step(client)
      expect(client.getContext()).toEqual(real.getContext())
    }
  })

  it('emits update at each change of its session while it is started, and ready once', async () => {
    const mock = createMock()
    const client = mock.client()
    const events = eventsOf(client)
    mock.enable('before')
    expect(events).toEqual([])
    const started = client.start()
    const late = eventsOf(client)
    await started
    expect(events).toEqual(['initialized', 'update', 'ready'])
    expect(late).toEqual(events)
    const seen: boolean[] = []
    client.on('update', () => seen.push(client.isEnabled('new-checkout')))
    mock.enable('new-checkout')
    mock.useScenario('new-checkout:off')
    mock.reset()
    expect(seen.slice(0, 2)).toEqual([true, false])
    mock.session('nora').enable('elsewhere')
    const count = events.length
    client.stop()
    mock.enable('after')
    expect(events).toHaveLength(count)
    await client.start()
    expect(events).toHaveLength(count)
    mock.enable('again')
    expect(events.at(-1)).toBe('update')
    expect(events.filter((event) => event === 'ready')).toHaveLength(1)
  })

  it('emits to the listeners that are left', () => {
    const client = createMock().client()
    const calls: unknown[] = []
    const self = { name: 'self' }
    function listener(this: unknown, value: number) {
      calls.push([this, value])
    }
    client.on('update', listener, self).once('update', () => calls.push('once'))
    client.emit('update', 1).emit('update', 2)
    expect(calls).toEqual([[self, 1], 'once', [self, 2]])
    client.off('update', listener).emit('update', 3)
    client.on('update', listener).off('update').emit('update', 4)
    expect(calls).toHaveLength(3)
  })

  it('counts for flag coverage, also a name that no flag has', () => {
    const mock = createMock({ fixtures: { features: [{ name: 'mine' }] } })
    const client = mock.client()
    client.isEnabled('mine')
    mock.setVariant('mine', 'blue')
    client.getVariant('mine')
    client.isEnabled('mien')
    const coverage = new Map(mock.flagCoverage().map((flag) => [flag.name, flag]))
    expect(coverage.get('mine')?.asked).toEqual({ on: 1, off: 1, variants: { blue: 1 } })
    expect(coverage.get('mien')).toMatchObject({ exists: false, asked: { on: 0, off: 1 } })
  })

  it('random choices stay the same', () => {
    const strategies = [{ name: 'flexibleRollout', parameters: { rollout: '50', stickiness: 'random', groupId: 'g' } }]
    const features = [{ name: 'half', environments: [{ name: 'development', enabled: true, strategies }] }]
    const mock = createMock({ seed: 1, fixtures: { features } })
    const answers = Array.from({ length: 20 }, () => {
      const client = mock.client()
      return new Set(Array.from({ length: 10 }, () => client.isEnabled('half')))
    })
    expect(answers.every(({ size }) => size === 1)).toBe(true)
    expect(new Set(answers.flatMap((one) => [...one])).size).toBe(2)
  })

  it('works behind a proxy, and with its methods alone', async () => {
    const mock = createMock()
    mock.enable('new-checkout')
    const client = new Proxy(mock.client(), {})
    const updated = vi.fn()
    await client.on('update', updated).start()
    expect(updated).toHaveBeenCalledTimes(1)
    const { isEnabled, stop } = client
    expect([client.isEnabled('new-checkout'), isEnabled('new-checkout')]).toEqual([true, true])
    stop()
    mock.disable('new-checkout')
    expect(updated).toHaveBeenCalledTimes(1)
    expect(Object.keys(client)).toEqual(['impactMetrics'])
  })

  it('names a field that it does not know, and an environment that does not exist', () => {
    const mock = createMock()
    const misspelt: object = { userid: '7' }
    expect(errorOf(() => mock.client(misspelt))).toMatchObject({
      code: 'INVALID_OPTION',
      message: expect.stringContaining('has no field "userid". Did you mean "userId"?'),
      hint: expect.stringContaining('all others belong in properties'),
    })
    expect(errorOf(() => mock.client(JSON.parse('"7"')))).toMatchObject({ code: 'INVALID_ARGUMENT' })
    expect(errorOf(() => mock.client({ environment: 'staging' }))).toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining('"staging", which doesn\'t exist'),
      hint: expect.stringContaining('development, production'),
    })
  })
})
