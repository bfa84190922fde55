import * as z from 'zod'

const CATCHALLS = { object: {}, strictObject: { catchall: z.never() }, looseObject: { catchall: z.unknown() } }

/** The schema that `z.object`, or the other function named, makes of a shape. */
export function lazyObject(kind, makeShape, metadata) {
  return objectOf(CATCHALLS[kind], makeShape, metadata)
}

/** What a method makes of a schema of an object: `extend`, `pick`, `omit` or `partial`. */
export function lazyDerived(schema, method, makeArgument, metadata) {
  const { catchall, checks = [] } = schema.def
  if (checks.length > 0) throw new Error(`${method}() on an object with checks can't wait.`)
  return objectOf(catchall && { catchall }, () => schema[method](makeArgument()).shape, metadata)
}

/** The shape is made when it is first read. With metadata, the schema is registered: `.meta` would make another one. */
function objectOf(definition, makeShape, metadata) {
  let shape
  const schema = new z.ZodObject({
    type: 'object',
    get shape() {
      shape ??= makeShape()
      return shape
    },
    ...definition,
  })
  if (metadata !== undefined) z.globalRegistry.add(schema, metadata)
  return schema
}
