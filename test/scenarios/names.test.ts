import { expect, it } from 'vitest'
import { createMock, type ScenarioGiven, scenarios } from '../../src/index.js'
import type { BuiltInScenario } from '../../src/scenarios/scenario.js'

/** The compiler wants exactly the names of the type here. */
const names: Record<BuiltInScenario, true> = {
  default: true,
  empty: true,
  'expired-token': true,
  'missing-permission': true,
  'unsupported-content-type': true,
  'disabled-token': true,
  unauthenticated: true,
  'unknown-feature': true,
  'name-taken': true,
  slow: true,
  flaky: true,
  'rate-limited': true,
  'server-error': true,
  offline: true,
  'large-project': true,
  'fresh-server': true,
}

it('the type of scenario names has all built-in scenarios', () => {
  expect(Object.keys(names)).toEqual(scenarios.map(({ name }) => name))
})

it.each<[string, (ScenarioGiven | readonly ScenarioGiven[])[], string[]]>([
  ['names', ['empty', 'slow'], ['empty', 'slow']],
  ['a list', [['empty', 'slow']], ['empty', 'slow']],
  ['names with commas', ['empty, slow'], ['empty', 'slow']],
  [
    'all kinds, mixed',
    ['empty', [{ name: 'mine', title: 'Mine', promise: 'None.' }, 'slow'], ['flaky']],
    ['empty', 'mine', 'slow', 'flaky'],
  ],
])('useScenario takes %s', (_, given, active) => {
  const mock = createMock()
  mock.useScenario(...given)
  expect(mock.activeScenarios).toEqual(active)
})

it('useScenario names what is wrong in a list', () => {
  const mock = createMock()
  expect(() => mock.useScenario(['empty', 'slwo'])).toThrow('"slwo". The nearest one is "slow"')
  expect(() => mock.useScenario([null as never])).toThrow('null is not a scenario')
  expect(mock.activeScenarios).toEqual(['default'])
})
