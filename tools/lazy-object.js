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

/**
 * The shape is made when it is first read. From then on it is in `raw` as well, by which zod finds out that such an object
 * can't contain itself. With metadata, the schema is registered: `.meta` would make another one.
 */
function objectOf(definition, makeShape, metadata) {
  const get = () => {
    get.raw ??= makeShape()
    return get.raw
  }
  const shape = { get, enumerable: true, configurable: true }
  const schema = new z.ZodObject(Object.defineProperty({ type: 'object', ...definition }, 'shape', shape))
  if (metadata !== undefined) z.globalRegistry.add(schema, metadata)
  return schema
}
