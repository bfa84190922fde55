import type { $ZodType, $ZodTypes } from 'zod/v4/core'
import { isObject } from '../../support/json.js'

/**
 * Coerces a value, part by part, to the types of a shape, as AJV does in Unleash: a number or a boolean to text, `"true"`
 * or 1 to `true`, `null` to `""`, `false` or 0. A part that can't be coerced stays unchanged.
 */
export function coerce(shape: $ZodType, value: unknown): unknown {
  const { def } = (shape as $ZodTypes)._zod
  switch (def.type) {
    case 'optional':
    case 'default':
    case 'readonly':
      return value === undefined ? value : coerce(def.innerType, value)
    case 'nullable':
      return value === null ? value : emptyAsNull(def.innerType, coerce(def.innerType, value))
    case 'string':
      return isDateTime(shape) ? toDateTime(toText(value)) : toText(value)
    case 'union':
      if (isObject(value) || Array.isArray(value))
        return def.options.reduce<unknown>((sent, option) => coerce(option, sent), value)
      if (def.options[0] !== undefined && typeOf(def.options[0]) === 'number') return toNumber(value)
      return typeof value === 'string' && def.options.some(isDateTime) ? toNumber(toDateTime(value)) : value
    case 'enum':
      return toText(value)
    case 'number':
      return toNumber(value)
    case 'boolean':
      return toBoolean(value)
    case 'array':
      return Array.isArray(value) ? value.map((item) => coerce(def.element, item)) : value
    case 'record':
      return isObject(value) ? coerceEntries(def.valueType, value) : value
    case 'object':
      return isObject(value) ? coerceFields(def.shape, value) : value
    default:
      return value
  }
}

function typeOf(shape: $ZodType): $ZodTypes['_zod']['def']['type'] {
  return (shape as $ZodTypes)._zod.def.type
}

const EMPTY: Readonly<Record<string, readonly unknown[]>> = { number: [''], boolean: [''], object: ['', 0, false] }

/** An empty text is null where a value isn't text and can be null; for an object, so are 0 and `false`. */
function emptyAsNull(inner: $ZodType, value: unknown): unknown {
  return EMPTY[typeOf(inner)]?.includes(value) === true ? null : value
}

function isDateTime(shape: $ZodType): boolean {
  const { def } = (shape as $ZodTypes)._zod
  return def.type === 'string' && 'format' in def && def.format === 'datetime'
}

function coerceFields(shape: Readonly<Record<string, $ZodType>>, value: Record<string, unknown>): unknown {
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      const fieldShape = Object.hasOwn(shape, name) ? shape[name] : undefined
      return [name, fieldShape === undefined ? field : coerce(fieldShape, field)]
    }),
  )
}

function coerceEntries(shape: $ZodType, value: Record<string, unknown>): unknown {
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, coerce(shape, entry)]))
}

function toText(value: unknown): unknown {
  if (value === null) return ''
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
}

function toNumber(value: unknown): unknown {
  if (value === null) return 0
  if (typeof value === 'boolean') return Number(value)
  return typeof value === 'string' && value !== '' && !Number.isNaN(Number(value)) ? Number(value) : value
}

function toBoolean(value: unknown): unknown {
  if (value === 'true' || value === 1) return true
  return value === 'false' || value === 0 || value === null ? false : value
}

const LOOSE_DATE_TIME = /^(\d{4}-\d\d-\d\d)[Tt\s](\d\d:\d\d:\d\d(?:\.\d+)?)([Zz]|[+-]\d\d:?\d\d)?$/

/** Turns every form of date-time that Unleash accepts (white space, lower case, no zone, no colon) into the strict form. */
function toDateTime(value: unknown): unknown {
  const parts = typeof value === 'string' ? LOOSE_DATE_TIME.exec(value) : null
  if (parts === null) return value
  const [, date, time, zone = 'Z'] = parts
  return `${date}T${time}${zone.toUpperCase().replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')}`
}
