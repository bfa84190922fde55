import { expect, it } from 'vitest'
import type { BuiltInScenario } from '../../src/engine/scenarios/scenario.js'
import { createMock, scenarios } from '../../src/index.js'

it('the type of scenario names has the names of the built-in scenarios, and no others', () => {
  const known: BuiltInScenario = 'expired-token'
  // @ts-expect-error: no scenario has this name
  const unknown: BuiltInScenario = 'expired-tokn'
  const names = scenarios.map(({ name }) => name)
  expect([known, unknown].map((name) => names.includes(name))).toEqual([true, false])
})

it('scenarios given as objects stay in their session, even after a reset', () => {
  const mock = createMock()
  const mine = (feature: string) => ({
    name: 'mine',
    title: 'Mine',
    promise: 'Mine.',
    seed: { features: [{ name: feature }] },
  })
  const [one, other] = [mock.session('one'), mock.session('other')]
  one.useScenario(mine('of-one'))
  other.useScenario(mine('of-other'))
  one.reset()
  one.useScenario('mine')
  expect([one.features.get('of-one')?.name, one.features.get('of-other')]).toEqual(['of-one', undefined])
  expect(other.features.get('of-other')?.name).toBe('of-other')
  expect(() => mock.useScenario('mine')).toThrow('There is no scenario "mine"')
  expect(mock.scenarios.map(({ name }) => name)).not.toContain('mine')
  mock.reload({ fixtures: [{ features: [{ name: 'given' }] }] })
  expect(one.activeScenarios).toEqual(['mine'])
})

it('useScenario names the errors in a list', () => {
  const mock = createMock()
  expect(() => mock.useScenario(['empty', 'slwo'])).toThrow('"slwo". Did you mean "slow"?')
  expect(() => mock.useScenario([null as never])).toThrow('null is not a scenario')
  expect(mock.activeScenarios).toEqual(['default'])
})
