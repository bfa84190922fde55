import { expect, it } from 'vitest'
import { createMock } from '../../src/engine/mock/mock.js'
import { defineScenario } from '../../src/engine/scenarios/scenario.js'

const mine = defineScenario({ name: 'mine', title: 'Mine', promise: 'It has mine.', extends: 'default' })
const withFeature = (name: string) => ({ ...mine, seed: { features: [{ name }] } })

it('reload replaces scenarios and fixtures in every session, below its own changes', () => {
  const mock = createMock({ scenarios: [withFeature('one')], fixtures: { features: [{ name: 'given' }] } })
  const other = mock.session('other')
  mock.useScenario('mine')
  other.useScenario('mine')
  mock.add({ features: [{ name: 'added' }] })
  mock.reload({ scenarios: [withFeature('two')], fixtures: [] })
  for (const session of [mock, other]) {
    expect(session.activeScenarios).toEqual(['mine'])
    expect(session.features.get('two')).toBeDefined()
    for (const gone of ['one', 'given']) expect(session.features.get(gone)).toBeUndefined()
  }
  expect(mock.features.get('added')).toBeDefined()
  expect(other.features.get('added')).toBeUndefined()
})

it("reload keeps the sources that it doesn't get", () => {
  const mock = createMock({ scenario: withFeature('one'), fixtures: { features: [{ name: 'given' }] } })
  mock.reload({ scenarios: [] })
  expect(mock.activeScenarios).toEqual(['mine'])
  expect(mock.features.get('one')).toBeDefined()
  expect(mock.features.get('given')).toBeDefined()
})

it('reload switches a session back whose scenario is gone', () => {
  const mock = createMock({ scenarios: [mine] })
  mock.useScenario('mine')
  mock.reload({ scenarios: [] })
  expect(mock.activeScenarios).toEqual(['default'])
})

it('reload changes nothing if the new scenarios or fixtures are invalid', () => {
  const mock = createMock({ scenarios: [withFeature('one')], scenario: 'mine' })
  mock.add({ features: [{ name: 'added' }] })
  const before = mock.state()
  expect(() => mock.reload({ fixtures: { features: [{ name: 'a', project: 'no' }] } })).toThrow(/"no"/)
  expect(() => mock.reload({ scenarios: [] })).toThrow(/"mine"/)
  expect(mock.state()).toEqual(before)
})
