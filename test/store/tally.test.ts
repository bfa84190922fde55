import { beforeEach, expect, it } from 'vitest'
import { Collection } from '../../src/store/collection.js'

interface Flag {
  name: string
  type: string
  createdAt: string
}

const day = (number: number) => `2026-11-${String(number).padStart(2, '0')}T00:00:00.000Z`
const flag = (name: string, type: string, createdOn: number): Flag => ({ name, type, createdAt: day(createdOn) })

let flags: Collection<Flag, string, never>
beforeEach(() => {
  flags = new Collection<Flag, string, never>({
    key: ({ name }) => name,
    indexes: {},
    counted: ({ type, createdAt }) => ({ keys: [['types', type]], instants: [['created', createdAt]] }),
  })
  for (const [i, name] of ['a', 'b', 'c'].entries()) flags.set(name, flag(name, 'release', 3 - i))
})

const types = () => Object.fromEntries(flags.tally.counts('types'))

it('records that are there when it is first asked are counted', () => {
  expect(types()).toEqual({ release: 3 })
  expect(flags.tally.earliest('created')).toBe(day(1))
  expect([0, 1, 2, 3, 9].map((number) => flags.tally.upTo('created', day(number)))).toEqual([0, 1, 2, 3, 3])
})

it('a record that comes, changes or goes is counted as it is now', () => {
  const { tally } = flags
  flags.set('d', flag('d', 'experiment', 2))
  flags.set('a', flag('a', 'experiment', 8))
  flags.set('c', undefined)
  expect(flags.tally).toBe(tally)
  expect(types()).toEqual({ release: 1, experiment: 2 })
  expect([1, 2, 3, 8].map((number) => tally.upTo('created', day(number)))).toEqual([0, 2, 2, 3])
  expect([tally.upTo('created'), tally.earliest('created')]).toEqual([3, day(2)])
})

it('a key that nothing counts for any more is not listed', () => {
  expect(types()).toEqual({ release: 3 })
  for (const name of ['a', 'b', 'c']) flags.set(name, undefined)
  expect(types()).toEqual({})
  expect(flags.tally.earliest('created')).toBeUndefined()
})

it('a table that is emptied is counted anew', () => {
  expect(types()).toEqual({ release: 3 })
  flags.clear()
  flags.set('e', flag('e', 'ops', 1))
  expect(types()).toEqual({ ops: 1 })
})
