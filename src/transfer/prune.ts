import * as z from 'zod'
import { isObject } from '../support/json.js'

/**
 * What of a value has the shape of a schema: properties that it doesn't know, and values of another kind, are left out.
 * So a record can be read from the responses of services that are older or newer. Undefined if nothing fits.
 */
export function prune(schema: z.core.$ZodType, value: unknown): unknown {
  if (value === undefined) return undefined
  if (schema instanceof z.ZodOptional) return value === null ? undefined : prune(schema.def.innerType, value)
  if (schema instanceof z.ZodNullable) return value === null ? null : prune(schema.def.innerType, value)
  if (schema instanceof z.ZodArray) {
    if (!Array.isArray(value)) return undefined
    return value.map((item) => prune(schema.def.element, item)).filter((item) => item !== undefined)
  }
  if (schema instanceof z.ZodObject) {
    if (!isObject(value)) return undefined
    const fields = Object.entries(schema.shape).map(([name, field]) => [name, prune(field, value[name])])
    return Object.fromEntries(fields.filter(([, inner]) => inner !== undefined))
  }
  return z.safeParse(schema, value).success ? value : undefined
}
