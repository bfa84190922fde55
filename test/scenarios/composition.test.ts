import { expect, it } from 'vitest'
import { sessionOf } from '../../src/engine/mock/session.js'
import { createMock, defineScenario, type Scenario } from '../../src/index.js'
import { FIXED, onEveryAdapter } from '../support/adapters.js'
import { errorOf } from '../support/errors.js'

const features = '/api/admin/projects/default/features'
const live = '/api/admin/invite-link/tokens/live-invite'

const renamed = defineScenario({
  name: 'renamed',
  title: 'Renamed',
  promise: 'live-invite has another name.',
  extends: 'default',
  seed: { signupTokens: [{ secret: 'live-invite', name: 'Renamed' }] },
})
const frozenThen = defineScenario({
  name: 'frozen-then',
  title: 'Then',
  promise: 'The clock stands at new year, and every answer takes 1 to 3 milliseconds.',
  extends: 'renamed',
  now: '2027-01-01T00:00:00Z',
  latency: { min: 1, max: 3 },
  force: [{ operation: 'getProjects', status: 500 }],
})
const own = [renamed, frozenThen]
const plain: Scenario = { name: 'plain', title: 'Plain', promise: 'Nothing.' }

onEveryAdapter(
  'scenarios',
  (client) => {
    const tokenName = async (scenario: string) => {
      const { status, headers, body } = await client.send('GET', `${live}?scenario=${scenario}`)
      expect(headers.get('x-mock-scenario')).toBe(scenario)
      return status === 200 ? `${body.name}, ${body.enabled}` : status
    }

    it('scenarios are combined from left to right; later ones win', async () => {
      expect(await tokenName('renamed')).toBe('Renamed, true')
      expect(await tokenName('expired-token,renamed')).toBe('Renamed, false')
      expect(await tokenName('renamed,expired-token')).toBe('Renamed, false')
      expect(await tokenName('renamed,default')).toBe('Live invite, true')
    })

    it('a scenario that extends nothing replaces the data and keeps the rules', async () => {
      expect(await tokenName('renamed,empty')).toBe(404)
      expect(await tokenName('empty,renamed')).toBe('Renamed, true')
      const composed = { headers: { 'x-mock-scenario': 'name-taken,empty' } }
      const { status } = await client.send('POST', features, { name: 'free' }, composed)
      expect(status).toBe(409)
      expect((await client.send('GET', features, undefined, composed)).body.features).toEqual([])
    })

    it('a scenario includes its base, with time, latency and rules', async () => {
      client.mock.useScenario('frozen-then')
      expect(await tokenName('frozen-then')).toBe('Renamed, true')
      expect((await client.send('GET', '/api/admin/projects')).status).toBe(500)
      client.mock.useScenario('frozen-then', 'default')
      expect(client.mock.activeScenarios).toEqual(['frozen-then', 'default'])
    })

    it('the last of several rules for an operation responds', async () => {
      const { body } = await client.send(
        'POST',
        features,
        { name: 'x' },
        {
          headers: { 'x-mock-scenario': 'name-taken,missing-permission' },
        },
      )
      expect(body.name).toBe('NoAccessError')
    })
  },
  { ...FIXED, scenarios: own },
)

it('scenarios are named one by one or comma-separated', () => {
  const mock = createMock({ ...FIXED, scenarios: own, scenario: 'empty, slow' })
  expect(mock.activeScenarios).toEqual(['empty', 'slow'])
  mock.useScenario('renamed', 'slow,flaky')
  expect(mock.activeScenarios).toEqual(['renamed', 'slow', 'flaky'])
  mock.useScenario(['empty', plain])
  expect(mock.activeScenarios).toEqual(['empty', 'plain'])
  expect(errorOf(() => mock.useScenario()).code).toBe('INVALID_REQUEST')
  expect(errorOf(() => mock.useScenario(' , ')).code).toBe('INVALID_REQUEST')
})

it('a mock has the time of its scenario unless it has its own', () => {
  expect(createMock({ scenario: frozenThen, scenarios: own }).clock.now().toISOString()).toBe(
    '2027-01-01T00:00:00.000Z',
  )
  expect(
    createMock({ ...FIXED, scenario: frozenThen, scenarios: own })
      .clock.now()
      .toISOString(),
  ).toBe(FIXED.now)
})

it('the last time and latency of combined scenarios count, and replaced data is not generated', async () => {
  const later: Scenario = { ...plain, name: 'later', extends: 'default', now: '2028-01-01T00:00:00Z', latency: 7 }
  const many: Scenario = { ...plain, name: 'many', generate: { features: 5 } }
  const mock = createMock({ scenarios: [...own, later, many], scenario: 'frozen-then,later' })
  const { clock, latency } = sessionOf(mock).world()
  expect([clock.now().toISOString(), latency]).toEqual(['2028-01-01T00:00:00.000Z', 7])
  mock.useScenario('many', 'empty')
  await mock.ready
  expect(mock.features.list()).toEqual([])
})

it('a scenario extends the default scenario unless it has its own API tokens', () => {
  const described = { title: 'Small', promise: 'It has one flag more.' }
  const small = { ...described, name: 'small', seed: { features: [{ name: 'one-more' }] } }
  expect(createMock({ scenario: small }).features.list()).toHaveLength(5)
  const snapshot = createMock({ scenario: 'empty' }).state()
  const whole = { ...described, name: 'whole', seed: { ...snapshot, features: [{ name: 'only' }] } }
  expect(createMock({ scenario: whole }).features.list()).toMatchObject([{ name: 'only' }])
})

it('a custom scenario can replace a built-in one', () => {
  const mock = createMock({ scenarios: [{ ...renamed, name: 'slow' }] })
  mock.useScenario('slow')
  expect(mock.signupTokens.get('live-invite')?.name).toBe('Renamed')
})

it.each<[string, unknown, string]>([
  ['a name with spaces', { ...plain, name: 'a b' }, '$.name'],
  ['no promise', { name: 'x', title: 'X' }, '$.promise'],
  ['an unknown property', { ...plain, forced: [] }, '"forced"'],
  [
    'a rule for no operation',
    { ...plain, force: [{ operation: 'cloneFeatures', status: 500 }] },
    '$.force[0].operation',
  ],
  ['a bad seed', { ...plain, seed: { features: [{}] } }, '$.seed.features[0].name'],
  ['a bad latency', { ...plain, latency: { min: 3, max: 1 } }, '$.latency'],
  ['a bad date', { ...plain, now: 'soon' }, '$.now'],
])('an invalid scenario is rejected: %s', (_, scenario, fact) => {
  const error = errorOf(() => defineScenario(scenario as Scenario))
  expect(error.code).toBe('INVALID_SCENARIO')
  expect(error.message).toContain(fact)
  expect(errorOf(() => createMock({ scenarios: [scenario as Scenario] })).code).toBe('INVALID_SCENARIO')
  expect(errorOf(() => createMock({ scenario: scenario as Scenario })).code).toBe('INVALID_SCENARIO')
  expect(errorOf(() => createMock().useScenario(scenario as Scenario)).code).toBe('INVALID_SCENARIO')
})

it('a scenario that extends itself or an unknown one is rejected', () => {
  const circle = [
    { ...plain, name: 'a', extends: 'b' },
    { ...plain, name: 'b', extends: 'a' },
  ]
  expect(errorOf(() => createMock({ scenarios: circle, scenario: 'a' })).code).toBe('INVALID_SCENARIO')
  const orphan = { ...plain, extends: 'nothing' }
  expect(errorOf(() => createMock({ scenario: orphan })).code).toBe('UNKNOWN_SCENARIO')
})

it('the hint says to name a scenario alone if an earlier one left its records out', () => {
  const mock = createMock()
  expect(errorOf(() => mock.useScenario('empty,expired-token')).hint).toBe(
    'Nothing was loaded. Scenarios are combined from left to right, and "expired-token" doesn\'t fit the data of those before it. Name "expired-token" alone.',
  )
  expect(mock.activeScenarios).toEqual(['default'])
  mock.useScenario('expired-token')
  const broken = { ...plain, name: 'broken', seed: { signupTokens: { gone: { enabled: false } } } }
  expect(errorOf(() => createMock({ scenario: broken })).hint).toBe(
    'Nothing was loaded. Fix the fields above and load it again.',
  )
})
