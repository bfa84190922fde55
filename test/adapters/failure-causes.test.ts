import { describe, expect, it } from 'vitest'
import { noticesOf } from '../../src/entries/adapters/runners/requests.js'
import { createMock, type Mock, type PartialState } from '../../src/index.js'
import { FRONTEND } from '../support/adapters.js'

const headers = { authorization: FRONTEND, 'content-type': 'application/json' }

const fetchFlags = (mock: Mock, query = '') => mock.fetch(`/api/frontend${query}`, { headers })

/** The notices of a failed test, after an SDK has fetched its flags. */
async function noticesAfter(fixtures: PartialState, act: (mock: Mock) => unknown = () => undefined) {
  const mock = createMock({ fixtures })
  await act(mock)
  await fetchFlags(mock)
  return noticesOf(mock)
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
    const sentence = "beta is on in production only, and the SDK's API token is for development."
    expect(await noticesAfter(fixtures)).toEqual([sentence])
    expect(await noticesAfter(fixtures, (mock) => mock.enable('beta'))).not.toContain(sentence)
    expect(await noticesAfter(fixtures, (mock) => mock.tellFlags({ beta: 'on' }))).toEqual([])
  })

  it('a flag whose parent is off', async () => {
    const features = [
      { name: 'base', environments: [inOne('development', false)] },
      { name: 'child', environments: [inOne('development', true)], dependencies: [{ feature: 'base' }] },
    ]
    const sentence = 'child is off because the parent base is off in development.'
    expect(await noticesAfter({ features })).toEqual([sentence])
    expect(await noticesAfter({ features }, (mock) => mock.enable('base'))).not.toContain(sentence)
  })

  it('a flag that needs a field of the context that the SDK did not send', async () => {
    const only = (operator: string, more: object = {}) => {
      const constraints = [{ contextName: 'userId', operator, values: ['7'], ...more }]
      const environments = [{ name: 'development', enabled: true, strategies: [{ name: 'default', constraints }] }]
      return { features: [{ name: 'beta', environments }] }
    }
    const sentence = 'beta is on only with the context field "userId", which the SDK didn\'t send.'
    expect(await noticesAfter(only('IN'))).toEqual([sentence])
    expect(await noticesAfter(only('NOT_IN', { inverted: true }))).toEqual([sentence])
    expect(await noticesAfter(only('NOT_IN'))).toEqual([])
    expect(await noticesAfter(only('IN'), (mock) => mock.enable('beta'))).not.toContain(sentence)
    const mock = createMock({ fixtures: only('IN') })
    await fetchFlags(mock, '?userId=8')
    expect(noticesOf(mock)).toEqual([])
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
