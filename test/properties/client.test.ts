import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createMock, type EnabledFlag, type FlagContext, type PartialState } from '../../src/index.js'
import { FRONTEND } from '../support/adapters.js'
import { AMPLE, RUNS } from '../support/runs.js'

const NAMES = ['a', 'b', 'c', 'd'] as const
const PLANS = ['gold', 'silver'] as const

const strategy = fc.record({
  name: fc.constantFrom('default', 'flexibleRollout'),
  parameters: fc.constantFrom(0, 50, 100).map((rollout) => {
    return { rollout: `${rollout}`, stickiness: 'default', groupId: 'group' }
  }),
  constraints: fc.subarray([{ contextName: 'plan', operator: 'IN' as const, values: ['gold'] }]),
  variants: fc.subarray([{ name: 'blue', payload: { type: 'string', value: '#00f' } }, { name: 'red' }]),
})

const environment = fc.record({
  name: fc.constant('development'),
  enabled: fc.boolean(),
  strategies: fc.array(strategy, { maxLength: 2 }),
})

/** Features, of which some have a parent. */
const features: fc.Arbitrary<PartialState['features']> = fc
  .tuple(
    ...NAMES.map((name) => fc.tuple(environment, fc.boolean()).map(([one, hasParent]) => ({ name, one, hasParent }))),
  )
  .map((all) =>
    all.map(({ name, one, hasParent }) => ({
      name,
      environments: [one],
      dependencies: hasParent && name !== 'a' ? [{ feature: 'a' }] : [],
    })),
  )

const state = fc.constantFrom('on', 'off', 'gone')
const told = fc
  .record({
    own: fc.dictionary(fc.constantFrom(...NAMES, 'made'), state, { maxKeys: 3 }),
    all: fc.constantFrom({}, { '*': 'on' }, { '*': 'off' }),
  })
  .map(({ own, all }) => ({ ...own, ...all }))

const context: fc.Arbitrary<FlagContext> = fc.record(
  {
    userId: fc.integer({ min: 1, max: 99 }).map(String),
    sessionId: fc.integer({ min: 1, max: 99 }).map(String),
    properties: fc.record({ plan: fc.constantFrom(...PLANS) }),
  },
  { requiredKeys: [] },
)

it('a client says the same as /api/frontend, in any context and with any told states', { timeout: AMPLE }, async () => {
  let enabled = 0
  const property = fc.asyncProperty(features, told, context, async (given, states, fields) => {
    const mock = createMock({ scenario: 'empty', fixtures: { features: given } })
    mock.tellFlags(states)
    const client = mock.client(fields)
    const headers = { authorization: FRONTEND, 'content-type': 'application/json' }
    const body = JSON.stringify({ context: client.getContext() })
    const response = await mock.fetch('/api/frontend', { method: 'POST', headers, body })
    const { toggles } = (await response.json()) as { toggles: EnabledFlag[] }
    expect(client.getAllToggles()).toEqual(toggles)
    for (const name of [...NAMES, 'made', 'unknown']) {
      const flag = toggles.find((one) => one.name === name)
      expect(client.isEnabled(name)).toBe(flag !== undefined)
      expect(client.getVariant(name).name).toBe(flag?.variant.name ?? 'disabled')
    }
    enabled += toggles.length
  })
  await fc.assert(property, { numRuns: 40 * RUNS })
  expect(enabled).toBeGreaterThan(RUNS)
})
