import fc from 'fast-check'
import { expect, it } from 'vitest'
import { eventQuerySchema, featureQuerySchema } from '../../src/service/resources/flags/search.js'
import { RUNS } from '../support/runs.js'

const filters = Object.entries({ ...featureQuerySchema.shape, ...eventQuerySchema.shape }).flatMap(([name, schema]) => {
  const { pattern } = schema.unwrap().meta() ?? {}
  return typeof pattern === 'string' ? [{ name, schema, pattern: new RegExp(pattern) }] : []
})

/** The parts of filters, and the line breaks of expressions. */
const piece = fc.constantFrom(
  'a',
  '1',
  ':',
  ',',
  ' ',
  '\n',
  '\u2028',
  'a:a',
  ',a',
  ',a:a',
  ',\na:a',
  'true',
  '2026-11-01',
)
const operator = fc.constantFrom('IS:', 'IS_ANY_OF:', 'IS_BEFORE:', 'INCLUDE:', 'EXCLUDE_ALL:', 'IS', '')
const filter = fc.tuple(operator, fc.array(piece, { maxLength: 10 })).map(([first, rest]) => first + rest.join(''))

it('there are filters with patterns', () => {
  expect(filters.length).toBeGreaterThan(15)
})

it('a filter accepts the same texts as its pattern in the document', () => {
  fc.assert(
    fc.property(filter, (text) => {
      for (const { name, schema, pattern } of filters) {
        expect([name, schema.safeParse(text).success]).toEqual([name, pattern.test(text)])
      }
    }),
    { numRuns: 400 * RUNS },
  )
})
