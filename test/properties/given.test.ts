import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createMock, type PartialState, type State } from '../../src/index.js'
import { FIXED } from '../support/adapters.js'
import { RUNS } from '../support/runs.js'

type Given<Kind extends 'features' | 'users'> = Extract<PartialState[Kind], readonly unknown[]>[number]

const stored = ['checkout-redesign', 'legacy-export', 'archived-banner', 'push-opt-in']

const variants = fc
  .uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 })
  .map((names) => names.map((name) => ({ name })))

const strategy = fc.record(
  {
    id: fc.constantFrom('s1', 's2', 's3'),
    name: fc.constantFrom('default', 'flexibleRollout'),
    title: fc.constantFrom(null, 'A title'),
    disabled: fc.boolean(),
    variants,
  },
  { requiredKeys: ['id', 'name'] },
)

const environment = fc.record(
  {
    name: fc.constantFrom('development', 'production'),
    enabled: fc.boolean(),
    strategies: fc.uniqueArray(strategy, { selector: ({ id }) => id, maxLength: 2 }),
  },
  { requiredKeys: ['name'] },
)

const feature: fc.Arbitrary<Given<'features'>> = fc.record(
  {
    name: fc.constantFrom(...stored, 'x', 'y'),
    description: fc.constantFrom(null, 'A text'),
    stale: fc.boolean(),
    archived: fc.boolean(),
    enabled: fc.boolean(),
    type: fc.constantFrom('release', 'experiment'),
    tags: fc.constantFrom([], [{ type: 'simple', value: 'tag' }]),
    environments: fc.uniqueArray(environment, { selector: ({ name }) => name, maxLength: 2 }),
  },
  { requiredKeys: ['name'] },
)

const user: fc.Arbitrary<Given<'users'>> = fc.record(
  {
    id: fc.integer({ min: 1, max: 5 }),
    name: fc.constantFrom(null, 'A name'),
    rootRole: fc.constantFrom(1, 2, 3),
    splash: fc.dictionary(fc.constantFrom('one', 'two'), fc.boolean()),
  },
  { requiredKeys: ['id'] },
)

const given = fc.record({
  features: fc.uniqueArray(feature, { selector: ({ name }) => name, maxLength: 4 }),
  // Numeric names of an object are in order, so a list must be sorted as well.
  users: fc
    .uniqueArray(user, { selector: ({ id }) => id, maxLength: 3 })
    .map((users) => users.toSorted((one, other) => one.id - other.id)),
})

/** The same state, with objects in place of lists of stored records. */
function asObjects({ features, users }: { features: Given<'features'>[]; users: Given<'users'>[] }) {
  return {
    features: Object.fromEntries(features.map((one) => [one.name, one])),
    users: Object.fromEntries(users.map((one) => [String(one.id), one])),
  }
}

it('adding the same data twice is like adding it once', () => {
  fc.assert(
    fc.property(given, (state) => {
      const mock = createMock(FIXED)
      mock.add(state)
      const once = mock.state()
      mock.add(state)
      expect(mock.state()).toEqual(once)
    }),
    { numRuns: 7 * RUNS },
  )
})

it('the object form means the same as the list', () => {
  fc.assert(
    fc.property(given, (state) => {
      const [list, objects] = [createMock(FIXED), createMock(FIXED)]
      list.add(state)
      objects.add(asObjects(state))
      expect(objects.state()).toEqual(list.state())
    }),
    { numRuns: 7 * RUNS },
  )
})

it('later data changes only the fields that it mentions', () => {
  fc.assert(
    fc.property(given, given, (first, second) => {
      const mock = createMock(FIXED)
      mock.add(first)
      const before = mock.state()
      mock.add(second)
      for (const one of before.features) {
        const change = second.features.find(({ name }) => name === one.name)
        expect(untouched(featureIn(mock.state(), one.name), change)).toEqual(untouched(one, change))
      }
      const changedUsers = second.users.map(({ id }) => id)
      const others = ({ users }: State) => users.filter(({ id }) => !changedUsers.includes(id))
      expect(others(mock.state()).filter(({ id }) => before.users.some((one) => one.id === id))).toEqual(others(before))
    }),
    { numRuns: 7 * RUNS },
  )
})

type Feature = State['features'][number]

function featureIn({ features }: State, name: string): Feature {
  return features.find((one) => one.name === name) as Feature
}

/** The fields that a change neither mentions nor implies. */
function untouched(one: Feature, change: Given<'features'> | undefined): object {
  if (change === undefined) return one
  const mentioned = new Set(Object.keys(change))
  if (change.archived !== undefined) for (const name of ['archivedAt', 'lifecycle', 'pastStages']) mentioned.add(name)
  const environments = one.environments.flatMap((environment) => {
    const list = Array.isArray(change.environments) ? change.environments : undefined
    const { enabled, strategies, ...rest } = environment
    const own = list?.find(({ name }) => name === environment.name)
    const isSwitched = change.enabled !== undefined || own?.enabled !== undefined
    return [{ ...rest, ...(isSwitched ? {} : { enabled }), ...(own?.strategies === undefined ? { strategies } : {}) }]
  })
  const fields = Object.entries(one).filter(([name]) => !mentioned.has(name) && name !== 'environments')
  return { ...Object.fromEntries(fields), environments }
}
