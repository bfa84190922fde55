import { describe, expect, it } from 'vitest'
import { createMock, type MockOptions, type ServiceFile } from '../../src/index.js'
import { FIXED } from '../support/adapters.js'
import { runCli, scratchFolder } from '../support/cli.js'

const empty: MockOptions = { ...FIXED, scenario: 'empty' }
const TOKENS = { apiTokens: [{ secret: '*:development.browser', type: 'frontend' as const }] }

/** The flags that a browser's SDK gets from a mock with a file. */
async function toggles(fixtures: ServiceFile, query = ''): Promise<{ name: string; variant: object }[]> {
  const mock = createMock({ ...empty, fixtures })
  mock.add(TOKENS)
  const headers = { authorization: '*:development.browser' }
  const response = await mock.fetch(new Request(`http://localhost/api/frontend${query}`, { headers }))
  return (await response.json()).toggles
}

const strategy = { name: 'flexibleRollout', parameters: { rollout: '100', stickiness: 'userId', groupId: 'x' } }
const clientFile = (...features: object[]) => ({ version: 2, features, segments: [] }) as unknown as ServiceFile
const flag = (name: string, more: object = {}) => ({ name, enabled: true, strategies: [], ...more })

describe('evaluated flags', () => {
  const variant = { name: 'blue', enabled: true, payload: { type: 'string', value: '#00f' }, feature_enabled: true }
  const off = { name: 'disabled', enabled: false, feature_enabled: false }
  const flags = [
    { name: 'checkout', enabled: true, variant, impressionData: true },
    { name: 'banner', enabled: true, variant: { ...off, feature_enabled: true }, impressionData: false },
    { name: 'gone', enabled: false, variant: off, impressionData: false },
  ]

  it.each([
    ['the response of /api/frontend', { toggles: flags }],
    ["a browser SDK's bootstrap list", flags],
  ])('are a fixture: %s', async (_, file) => {
    expect(await toggles(file)).toEqual([
      expect.objectContaining({ name: 'checkout', variant: expect.objectContaining(variant), impressionData: true }),
      expect.objectContaining({
        name: 'banner',
        variant: expect.objectContaining({ name: 'disabled', enabled: false }),
      }),
    ])
    const mock = createMock({ ...empty, fixtures: file })
    expect(mock.features.get('gone')?.enabled).toBe(false)
  })

  it('are recognized, also in a list, and checked', async () => {
    const folder = scratchFolder()
    const { done, stdout } = runCli([
      'validate',
      folder.put('list.json', flags),
      folder.put('bad.json', { toggles: [{ name: 'x', enabled: 'yes' }] }),
    ])
    expect(await done).toBe(2)
    expect(stdout()).toMatch(/ok {3}.*list\.json \(evaluated flags, a browser SDK's bootstrap list\)/)
    expect(stdout()).toMatch(/enabled.*must be true or false, but is "yes"/)
  })
})

it("a variant without a stickiness has its strategy's", () => {
  const variants = [{ name: 'a', weight: 1000, payload: { type: 'string', value: '1' } }]
  const mock = createMock({ ...empty, fixtures: clientFile(flag('x', { strategies: [{ ...strategy, variants }] })) })
  expect(mock.features.get('x')?.environments[0]?.strategies[0]?.variants[0]?.stickiness).toBe('userId')
})

it('a segment that the file lacks matches nobody', async () => {
  const file = clientFile(flag('x', { strategies: [{ ...strategy, segments: [77] }] }), flag('y'))
  expect((await toggles(file, '?userId=1')).map(({ name }) => name)).toEqual(['y'])
})

describe('the environment of a token', () => {
  it.each([
    ['*:production.key', 'production'],
    ['shop:staging.key', 'staging'],
    ['[]:development.key', 'development'],
    ['*:*.key', '*'],
    ['no-scope', '*'],
  ])('comes from its secret: %s', (secret, environment) => {
    const mock = createMock({ ...empty, fixtures: { apiTokens: [{ secret, type: 'frontend' }] } })
    expect(mock.state().apiTokens.find((token) => token.secret === secret)?.environment).toBe(environment)
  })

  it('is the given one, if present', () => {
    const token = { secret: '*:production.key', type: 'client' as const, environment: 'development' }
    expect(createMock({ ...empty, fixtures: { apiTokens: [token] } }).state().apiTokens).toEqual(
      expect.arrayContaining([expect.objectContaining(token)]),
    )
  })
})
