import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { excess, isTooDeep } from '../../src/support/json.js'
import { listFaults, parseLarge } from '../../src/support/parse.js'

function counting(isGood: (value: number) => boolean) {
  let checked = 0
  const item = z.custom<number>((value) => {
    checked++
    return isGood(value as number)
  })
  return { schema: z.strictObject({ items: z.array(item) }), checks: () => checked }
}

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i)

describe('a large value', () => {
  it('is checked as a whole if it fits', () => {
    const items = numbers(20_000)
    expect(parseLarge(z.strictObject({ items: z.array(z.number()) }), { items })).toEqual({
      success: true,
      data: { items },
    })
  })

  it('is checked as far as its first issues if the beginning does not fit', () => {
    const { schema, checks } = counting(() => false)
    const result = parseLarge(schema, { items: numbers(1_000_000) })
    expect(result).toMatchObject({ success: false, complete: false })
    expect(checks()).toBeLessThan(100)
  })

  it('is checked as far as its first issue if a later part does not fit', () => {
    const { schema, checks } = counting((value) => value < 15_000)
    const result = parseLarge(schema, { items: numbers(20_000) })
    expect(result).toMatchObject({ success: false, complete: false, issues: [{ path: ['items', 15_000] }] })
    expect(checks()).toBeLessThan(15_100)
  })

  it('has at most a hundred issues', () => {
    const result = parseLarge(
      z.record(z.string(), z.string()),
      Object.fromEntries(numbers(10_001).map((i) => [`k${i}`, i])),
    )
    expect(result.success ? 0 : result.issues.length).toBe(100)
  })
})

it('of a small value all issues are found', () => {
  const { schema } = counting(() => false)
  const result = parseLarge(schema, { items: numbers(500) })
  expect(result.success ? 0 : result.issues.length).toBe(500)
})

it('a list of faults shows ten of them and how many more there are', () => {
  const faults = numbers(12).map((i) => ({ path: `$[${i}]`, message: 'bad' }))
  expect(listFaults(faults.slice(0, 2))).toBe('$[0]: bad; $[1]: bad')
  expect(listFaults(faults)).toMatch(/^(\$\[\d\]: bad; ){10}and 2 more$/)
  expect(listFaults(faults.slice(0, 1), false)).toBe('$[0]: bad; the rest was not checked')
})

it('a value may have 64 levels, and an object 10,000 properties', () => {
  const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels))
  const wide = (count: number) => ({ inner: [Object.fromEntries(numbers(count).map((i) => [`k${i}`, 1]))] })
  expect([isTooDeep(nested(64)), isTooDeep(nested(65))]).toEqual([false, true])
  expect([excess(nested(64)), excess(nested(65))?.of]).toEqual([undefined, 'levels'])
  expect([excess(wide(10_000)), excess(wide(10_001)), excess(numbers(10_001))]).toEqual([
    undefined,
    { of: 'properties', path: ['inner', 0] },
    undefined,
  ])
})

describe('the name __proto__, where names are free,', () => {
  const schema = z.record(z.string(), z.strictObject({ at: z.union([z.date(), z.string()]).optional() }))
  const names = (value: object) => JSON.stringify(value).replaceAll('PROTO', '__proto__')

  it('is kept in its place, and what stands beside it is read as always', () => {
    const at = new Date(0)
    const given: unknown = Object.assign(JSON.parse(names({ b: {}, PROTO: { at: '__proto__' }, a: {} })), { c: { at } })
    const parsed = parseLarge(schema, given)
    expect(parsed.success && JSON.stringify(parsed.data)).toBe(JSON.stringify(given))
    expect(parsed).toMatchObject({ data: { c: { at } } })
  })

  it('is told as it was given, in places and as an unknown name', () => {
    const parsed = parseLarge(schema, JSON.parse(names({ PROTO: { PROTO: 1, at: 2 } })))
    expect(parsed).toMatchObject({
      success: false,
      issues: [{ path: ['__proto__', 'at'] }, { path: ['__proto__'], keys: ['__proto__'] }],
    })
    expect(JSON.stringify(parsed)).not.toContain('\uE000')
  })
})
