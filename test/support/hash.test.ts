import { createHash } from 'node:crypto'
import { afterEach, expect, it, vi } from 'vitest'
import { sha1 } from '../../src/support/hash.js'

const bytes = new TextEncoder().encode('{"features":[]}'.repeat(100))
const expected = [...createHash('sha1').update(bytes).digest()]

afterEach(() => vi.restoreAllMocks())

it('SHA-1 is that of Node where Node has one', () => {
  const asked = vi.spyOn(process, 'getBuiltinModule')
  expect([...sha1(bytes)]).toEqual(expected)
  expect(asked).toHaveBeenCalledWith('crypto')
})

it('SHA-1 is the same in a browser', () => {
  vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined)
  expect([...sha1(bytes)]).toEqual(expected)
})
