import * as z from 'zod'
import { defaultOf, givenShape } from '../../src/service/resources/shared/fields.js'

/** Values of a special form. All other texts are `1` and all other numbers 1, so that the records refer to each other. */
const special: Readonly<Record<string, unknown>> = { feature: 'parent', email: 'a@example.com', color: '#FF0000' }

/** A value that differs from the default, with every field of every object. */
export function sampleOf(schema: z.core.$ZodType, fallback?: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return sampleOf(schema.def.innerType, fallback)
  if (schema instanceof z.ZodISODateTime) return '2025-01-02T03:00:00.000Z'
  if (schema instanceof z.ZodNumber) return 1
  if (schema instanceof z.ZodBoolean) return fallback !== true
  if (schema instanceof z.ZodEnum) return schema.options.find((option) => option !== fallback)
  if (schema instanceof z.ZodLiteral) return schema.value
  if (schema instanceof z.ZodArray) return [sampleOf(schema.def.element)]
  if (schema instanceof z.ZodRecord) return { 1: sampleOf(schema.def.valueType) }
  if (schema instanceof z.ZodUnion) return sampleOf(schema.options[0] as z.ZodType)
  if (!(schema instanceof z.ZodObject)) return '1'
  const fallbacks = givenShape(schema)
  const fields = Object.entries(schema.shape).map(([name, field]) => [
    name,
    special[name] ?? sampleOf(field, defaultOf(fallbacks[name] ?? field)),
  ])
  return Object.fromEntries(fields)
}
