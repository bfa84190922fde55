import { expect, it } from 'vitest'
import { createMock } from '../../src/index.js'
import { FIXED } from '../support/adapters.js'

function many<Item>(length: number, make: (i: number) => Item): Item[] {
  return Array.from({ length }, (_, i) => make(i))
}

it('a chain of 20,000 parents is loaded, and a circle of as many is reported with a few names', {
  timeout: 60_000,
}, () => {
  const parentsOf = (i: number) => (i > 0 ? [{ feature: `f${i - 1}` }] : [])
  const chain = many(20_000, (i) => ({ name: `f${i}`, dependencies: parentsOf(i) }))
  const mock = createMock(FIXED)
  mock.add({ features: chain })
  expect(mock.features.get('f19999')?.dependencies).toMatchObject([{ feature: 'f19998' }])
  const circle = many(20_000, (i) => ({ name: `f${i}`, dependencies: [{ feature: `f${(i + 1) % 20_000}` }] }))
  expect(() => createMock(FIXED).add({ features: circle })).toThrow(
    /\$\.features\[0\]\.dependencies: lead in a circle: f0 → f1 → .* → … → f0; .*and 19990 more/,
  )
})

it.each([
  [
    'references',
    { features: [{ name: 'x', dependencies: many(140_000, (i) => ({ feature: `nowhere${i}` })) }] },
    'and 139990 more',
  ],
  ['fields', { features: many(20_000, (i) => ({ name: `f${i}`, enabld: true })) }, 'and at least 90 more'],
])('of many wrong %s, a hundred are listed', (_, given, more) => {
  expect(() => createMock(FIXED).add(given)).toThrow(
    expect.objectContaining({
      code: 'INVALID_STATE',
      message: expect.stringContaining(more),
      faults: expect.objectContaining({ length: 100 }),
    }),
  )
})
