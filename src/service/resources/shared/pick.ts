import * as z from 'zod'
import type { Frozen } from '../../../support/freeze.js'

/** What a record has for the fields of a response: null where the response has none. */
type Source<ShownFields> = {
  readonly [Name in keyof ShownFields]: Frozen<ShownFields[Name]> | (undefined extends ShownFields[Name] ? null : never)
}

/**
 * Makes what shows a record in a response: the fields of its schema, in that order, without optional ones that are null.
 * `derive` gives those that the record lacks or has otherwise.
 */
export function pick<Shape extends z.ZodRawShape, Stored extends Source<z.output<z.ZodObject<Shape>>>>(
  schema: z.ZodObject<Shape>,
): (record: Stored) => Frozen<z.output<z.ZodObject<Shape>>>
export function pick<
  Shape extends z.ZodRawShape,
  Stored extends Omit<Source<z.output<z.ZodObject<Shape>>>, keyof Own>,
  Own extends Partial<Source<z.output<z.ZodObject<Shape>>>>,
>(schema: z.ZodObject<Shape>, derive: (record: Stored) => Own): (record: Stored) => Frozen<z.output<z.ZodObject<Shape>>>
export function pick(
  schema: z.ZodObject,
  derive: (record: ShownFields) => ShownFields = () => ({}),
): (record: ShownFields) => ShownFields {
  let fields: readonly { name: string; isOptional: boolean }[] | undefined
  return (record) => {
    // A start builds no response.
    fields ??= Object.entries(schema.shape).map(([name, field]) => ({
      name,
      isOptional: field instanceof z.ZodOptional,
    }))
    const own = derive(record)
    const shown: Record<string, unknown> = {}
    for (const { name, isOptional } of fields) {
      const value = Object.hasOwn(own, name) ? own[name] : record[name]
      if (value !== undefined && !(isOptional && value === null)) shown[name] = value
    }
    return shown
  }
}

type ShownFields = Readonly<Record<string, unknown>>
