import { expect, it } from 'vitest'
import { deepCopy, deepFreeze } from '../../src/support/freeze.js'

it('a deep copy of a frozen value is equal, and nothing of it is frozen', () => {
  const value = deepFreeze({ list: [{ a: 1 }, null, 'x'], inner: { deep: { yes: true } } })
  const copy = deepCopy<{ list: unknown[]; inner: { deep: { yes: boolean } } }>(value)
  expect(copy).toEqual(value)
  copy.list.push(2)
  copy.inner.deep.yes = false
  expect(value.inner.deep.yes).toBe(true)
  expect(value.list).toHaveLength(3)
})

it('a deep copy treats names such as __proto__ as plain names', () => {
  const value = deepFreeze(JSON.parse('{ "__proto__": { "a": 1 }, "constructor": 2 }'))
  const copy = deepCopy<object>(value)
  expect(Object.keys(copy)).toEqual(['__proto__', 'constructor'])
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
  expect(JSON.stringify(copy)).toBe('{"__proto__":{"a":1},"constructor":2}')
})
