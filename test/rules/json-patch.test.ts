import { expect, it } from 'vitest'
import * as z from 'zod'
import { patchDocument } from '../../src/resources/shared/json-patch.js'

it('a document that is copied into itself again and again is rejected', () => {
  const copies = Array.from({ length: 60 }, (_, i) => ({ op: 'copy' as const, from: '', path: `/copy${i}` }))
  const result = patchDocument({ name: 'a' }, copies, z.unknown())
  expect(result).toMatchObject({ ok: false, failure: { message: 'The changes copy more than 10000 values.' } })
  expect(patchDocument({ name: 'a' }, copies.slice(0, 3), z.unknown()).ok).toBe(true)
})
