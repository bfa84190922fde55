import { expect, it } from 'vitest'
import * as z from 'zod'
import { object, strictObject } from '../../src/service/resources/shared/object.js'
import { named } from '../../src/service/resources/shared/schema.js'

it('an object builds its fields when they are first read, and only once', () => {
  let built = 0
  const schema = named('lateSchema', () => {
    built++
    return { name: z.string() }
  })
  const described = schema.optional().meta({ description: 'A copy' })
  expect(built).toBe(0)

  expect(schema.parse({ name: 'a', other: 1 })).toEqual({ name: 'a' })
  expect(described.parse({ name: 'b' })).toEqual({ name: 'b' })
  expect(Object.keys(schema.shape)).toEqual(['name'])
  expect(built).toBe(1)
})

it('is what zod makes of the same fields', () => {
  const fields = () => ({ name: z.string(), rest: z.array(z.int()).optional() })
  for (const [late, early] of [
    [object(fields), z.object(fields())],
    [strictObject(fields), z.strictObject(fields())],
  ] as const) {
    expect(z.toJSONSchema(late)).toEqual(z.toJSONSchema(early))
    for (const value of [{ name: 'a' }, { name: 'a', other: 1 }, { name: 1 }, [], null]) {
      expect(late.safeParse(value).error?.issues).toEqual(early.safeParse(value).error?.issues)
      expect(late.safeParse(value).data).toEqual(early.safeParse(value).data)
    }
    expect(late.extend({ more: z.string() }).safeParse({ name: 'a' }).error?.issues).toHaveLength(1)
  }
})
