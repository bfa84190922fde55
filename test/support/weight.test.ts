import fc from 'fast-check'
import { expect, it } from 'vitest'
import { weightOf } from '../../src/support/json-text.js'

const anyText = fc.string({ unit: fc.constantFrom('a', ' ', 'é', '漢', '€') })

it('a value weighs the characters of its JSON; what JSON escapes counts once', () => {
  const anyValue = fc.anything({
    withNullPrototype: false,
    values: [
      anyText,
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
    ],
    key: anyText.filter((name) => name !== '__proto__'),
  })
  const isExact = (value: unknown) => weightOf(value) === JSON.stringify(value).length
  fc.assert(fc.property(anyValue, isExact))
  expect(weightOf({ left: undefined, kept: 'a"\n' })).toBe('{"kept":"abc"}'.length)
})
