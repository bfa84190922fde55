import { expect, it } from 'vitest'
import * as z from 'zod'
import { patchDocument } from '../../src/service/resources/shared/json-patch.js'

it('a document that is copied into itself again and again is rejected', () => {
  const copies = Array.from({ length: 60 }, (_, i) => ({ op: 'copy' as const, from: '', path: `/copy${i}` }))
  const apply = (count: number) => () => patchDocument({ name: 'a' }, copies.slice(0, count), z.unknown())
  expect(apply(60)).toThrow(
    expect.objectContaining({
      failure: expect.objectContaining({ message: 'The changes copy more than 10000 values.' }),
    }),
  )
  expect(apply(3)).not.toThrow()
})

it('a copy of a missing property to a missing one has no effect, as in Unleash', () => {
  const apply = (op: 'copy' | 'move', path: string) =>
    patchDocument({ name: 'a' }, [{ op, from: '/nothing', path }], z.strictObject({ name: z.string() }))
  expect(apply('copy', '/nowhere')).toEqual({ name: 'a' })
  expect(apply('copy', 'without-a-slash')).toEqual({ name: 'a' })
  expect(() => apply('copy', '/name')).toThrow()
  expect(() => apply('move', '/nowhere')).toThrow()
})
