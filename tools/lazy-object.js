import * as z from 'zod'

const CATCHALLS = { object: {}, strictObject: { catchall: z.never() }, looseObject: { catchall: z.unknown() } }

/** The schema that `z.object`, or the other function named, makes of a shape. The shape is made when it is first read. */
export function lazyObject(kind, makeShape) {
  let shape
  return new z.ZodObject({
    type: 'object',
    get shape() {
      shape ??= makeShape()
      return shape
    },
    ...CATCHALLS[kind],
  })
}
