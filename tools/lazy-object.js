import * as z from 'zod'

const CATCHALLS = { object: {}, strictObject: { catchall: z.never() }, looseObject: { catchall: z.unknown() } }

/** The schema that `z.object`, or another named function, creates from a shape. */
export function lazyObject(kind, makeShape, metadata) {
  return objectOf(CATCHALLS[kind], makeShape, metadata)
}

/** The schema that a method derives from an object's schema: `extend`, `pick`, `omit` or `partial`. */
export function lazyDerived(schema, method, makeArgument, metadata) {
  const { catchall, checks = [] } = schema.def
  if (checks.length > 0) throw new Error(`${method}() on an object with checks can't wait.`)
  return objectOf(catchall && { catchall }, () => schema[method](makeArgument()).shape, metadata)
}

/**
 * Builds the shape on first read. Then it is also in `raw`, which tells zod that the object can't contain itself. With
 * metadata, the schema is registered: `.meta` would create another schema.
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
