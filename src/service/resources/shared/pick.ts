import * as z from 'zod'
import type { Frozen } from '../../../support/freeze.js'

/** A record's fields for a response: null for fields that the response omits. */
type Source<ShownFields> = {
  readonly [Name in keyof ShownFields]: Frozen<ShownFields[Name]> | (undefined extends ShownFields[Name] ? null : never)
}

/**
 * Creates a function that presents a record in a response: the fields of its schema, in order, without optional null
 * fields. `derive` returns fields that the record lacks or stores differently, from the record and its surroundings.
 */
export function pick<Shape extends z.ZodRawShape, Stored extends Source<z.output<z.ZodObject<Shape>>>>(
  schema: z.ZodObject<Shape>,
): (record: Stored) => Frozen<z.output<z.ZodObject<Shape>>>
export function pick<
  Shape extends z.ZodRawShape,
  Stored extends Omit<Source<z.output<z.ZodObject<Shape>>>, keyof Own>,
  Own extends Partial<Source<z.output<z.ZodObject<Shape>>>>,
  Around extends readonly unknown[],
>(
  schema: z.ZodObject<Shape>,
  derive: (record: Stored, ...around: Around) => Own,
): (record: Stored, ...around: Around) => Frozen<z.output<z.ZodObject<Shape>>>
export function pick(
  schema: z.ZodObject,
  derive?: (record: ShownFields, ...around: readonly unknown[]) => ShownFields,
): (record: ShownFields, ...around: readonly unknown[]) => ShownFields {
  let fields: readonly { name: string; isOptional: boolean }[] | undefined
  return (record, ...around) => {
    // Built on first use, because a start builds no response.
    fields ??= Object.entries(schema.shape).map(([name, field]) => ({
      name,
      isOptional: field instanceof z.ZodOptional,
    }))
    const own = derive?.(record, ...around)
    const shown: Record<string, unknown> = {}
    for (const { name, isOptional } of fields) {
      const value = own !== undefined && Object.hasOwn(own, name) ? own[name] : record[name]
      if (value !== undefined && !(isOptional && value === null)) shown[name] = value
    }
    return shown
  }
}

type ShownFields = Readonly<Record<string, unknown>>
