import { expect, it } from 'vitest'
import { createIds } from '../../src/support/ids.js'

it('a ULID is its time in ten digits, then sixteen of chance, which a seed always draws alike', () => {
  const { ulid } = createIds()
  expect(ulid(1_469_918_176_385)).toMatch(/^01ARYZ6S41[0-9A-HJKMNP-TV-Z]{16}$/)
  expect(ulid(-1)).toMatch(/^0{9}1/)
  expect(ulid(2 ** 60)).toMatch(/^7Z{9}/)
  expect(ulid(0)).not.toBe(ulid(0))
  expect(createIds('seed').ulid(0)).toBe(createIds('seed').ulid(0))
})
