import { expect, it } from 'vitest'
import { createMock, type PartialState, type Scenario } from '../../src/index.js'
import { FIXED, onEveryAdapter } from '../support/adapters.js'

const fixtures: PartialState[] = [
  {
    projects: [{ id: 'shop' }],
    features: [{ name: 'shop-flag', project: 'shop', enabled: true }, { name: 'old-flag' }],
  },
  {
    features: [
      { name: 'shop-flag', description: 'From the second fixture' },
      { name: 'checkout-redesign', stale: true },
    ],
  },
]

const scenario = (name: string, more: Partial<Scenario>): Scenario => ({ name, title: name, promise: 'P.', ...more })

const scenarios = [
  scenario('in-a-list', { seed: { features: [{ name: 'shop-flag', stale: true, enabled: false }] } }),
  scenario('by-name', { seed: { features: { 'shop-flag': { stale: true }, 'old-flag': null } } }),
  scenario('on-top', { extends: 'by-name', seed: { features: { 'shop-flag': { stale: false, type: 'experiment' } } } }),
  scenario('refers', {
    seed: { favorites: [{ userId: 1, kind: 'project', name: 'shop' }], features: [{ name: 'new', project: 'shop' }] },
  }),
  scenario('generates', { generate: { features: 5, project: 'shop' } }),
  scenario('built-in-again', { extends: 'empty', seed: { features: { 'old-flag': { stale: true } } } }),
  scenario('without', { fixtures: false }),
]

onEveryAdapter(
  'A scenario on fixtures',
  (client) => {
    const features = async (names: string): Promise<{ name: string }[]> => {
      const { body } = await client.send('GET', `/__mock/state?scenario=${names}`)
      return body.features
    }
    const feature = async (names: string, wanted = 'shop-flag') =>
      (await features(names)).find(({ name }) => name === wanted)

    it('changes them, in a list and by name, and removes them', async () => {
      const off = [expect.objectContaining({ enabled: false }), expect.objectContaining({ enabled: false })]
      expect(await feature('in-a-list')).toMatchObject({ stale: true, environments: off, project: 'shop' })
      expect(await feature('by-name')).toMatchObject({ stale: true, description: 'From the second fixture' })
      expect(await feature('by-name', 'old-flag')).toBeUndefined()
    })

    it('changes them after its base and the scenarios to its left', async () => {
      expect(await feature('on-top')).toMatchObject({ stale: false, type: 'experiment' })
      expect(await feature('on-top,in-a-list')).toMatchObject({ stale: true, type: 'experiment' })
      expect(await feature('on-top,by-name')).toMatchObject({ stale: false, type: 'experiment' })
      expect(await feature('built-in-again', 'old-flag')).toMatchObject({ stale: true })
    })

    it('refers to their records, and generates features in their projects', async () => {
      expect(await feature('refers', 'new')).toMatchObject({ project: 'shop' })
      await client.send('PUT', '/__mock/scenario', { name: 'generates' })
      await client.mock.ready
      const generated = (await features('generates')).filter((one) => (one as { project?: string }).project === 'shop')
      expect(generated).toHaveLength(6)
    })

    it('sees their changes of built-in records', async () => {
      expect(await feature('default', 'checkout-redesign')).toMatchObject({ stale: true })
      expect(await feature('empty', 'checkout-redesign')).toMatchObject({ stale: true, description: null })
    })

    it('ignores them on request', async () => {
      expect(await feature('without')).toBeUndefined()
      expect(await feature('without', 'checkout-redesign')).toMatchObject({ stale: false })
    })
  },
  { ...FIXED, fixtures, scenarios },
)

it('a snapshot as a seed wins over fixtures, and has the project that they need', () => {
  const before = createMock({ ...FIXED, fixtures: { features: [{ name: 'mine' }] } })
  before.add({ features: { mine: { stale: true } } })
  const seed = before.state() as PartialState
  const mock = createMock({
    ...FIXED,
    fixtures: { features: [{ name: 'mine' }] },
    scenario: scenario('whole', { seed }),
  })
  expect(mock.features.get('mine')).toMatchObject({ stale: true, project: 'default' })
})

it('a scenario with its own API tokens can refer to fixtures', () => {
  const seed: PartialState = { apiTokens: [], features: { mine: { stale: true } } }
  const { environments, projects, roles, users, ...rest } = createMock({ ...FIXED, scenario: 'empty' }).state()
  const ground = { environments, projects, roles, users, featureTypes: rest.featureTypes }
  const mock = createMock({
    ...FIXED,
    fixtures: [ground as PartialState, { features: [{ name: 'mine' }] }],
    scenario: scenario('whole', { seed }),
  })
  expect(mock.features.list()).toMatchObject([{ name: 'mine', stale: true }])
})

it('features can’t be generated in an unknown project', async () => {
  const mock = createMock({
    ...FIXED,
    fixtures,
    scenario: scenario('typo', { generate: { features: 9, project: 'shpo' } }),
  })
  await expect(mock.ready).rejects.toMatchObject({
    code: 'INVALID_SCENARIO',
    faults: [
      {
        path: '$.generate.project',
        message: 'must be a project that exists, but is "shpo". Did you mean "shop"?',
      },
    ],
  })
})
