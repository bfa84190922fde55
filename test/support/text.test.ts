import fc from 'fast-check'
import { expect, it } from 'vitest'
import { mentionsOf } from '../../src/support/text.js'

/** Texts of few letters, so that a long text nearly occurs in many places. */
const letters = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom('a', 'b'), minLength, maxLength })

it('a long search text is found exactly where it occurs', () => {
  const cases = fc.tuple(letters(11, 300), letters(0, 400), letters(0, 400), fc.boolean())
  fc.assert(
    fc.property(cases, ([text, before, after, occurs]) => {
      const place = before + (occurs ? text : text.slice(0, -1)) + after
      expect(mentionsOf(text)([place])).toBe(place.includes(text))
    }),
  )
  const periodic = 'aab'.repeat(100)
  expect(mentionsOf(periodic)([`aa${periodic}`])).toBe(true)
  expect(mentionsOf(`${periodic}b`)([periodic.repeat(3)])).toBe(false)
})

it('a short search text is a pattern as in SQL: % stands for any characters, and _ for one', () => {
  const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '_', '%'), minLength: 1, maxLength: 10 })
  fc.assert(
    fc.property(pattern, letters(0, 20), (sent, place) => {
      const like = new RegExp(sent.replaceAll('_', '.').replaceAll('%', '.*'))
      expect(mentionsOf(sent)([place])).toBe(like.test(place))
    }),
  )
})
