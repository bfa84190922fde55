import * as z from 'zod'

/**
 * An object whose fields are built when they are first read. Most shapes only describe responses in the OpenAPI document,
 * which a start doesn't read (decisions/0018-schemas-on-first-read.md).
 */
export function object<Shape extends z.ZodRawShape>(fields: () => Shape): z.ZodObject<Shape> {
  return objectOf(fields) as z.ZodObject<Shape>
}

/** An object that rejects unknown fields. */
export function strictObject<Shape extends z.ZodRawShape>(fields: () => Shape): z.ZodObject<Shape, z.core.$strict> {
  return objectOf(fields, NOTHING) as z.ZodObject<Shape, z.core.$strict>
}

const NOTHING = z.never()

/** zod reads a shape that is a getter as late as it can. `raw` tells it that the object doesn't contain itself. */
function objectOf(fields: () => z.ZodRawShape, catchall?: z.ZodNever): z.ZodObject {
  const get = Object.assign(() => (get.raw ??= fields()), { raw: undefined as z.ZodRawShape | undefined })
  const definition = { type: 'object', ...(catchall && { catchall }) }
  return new z.ZodObject(
    Object.defineProperty(definition, 'shape', { get, enumerable: true, configurable: true }) as never,
  )
}
