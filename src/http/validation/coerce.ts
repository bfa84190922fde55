import type { $ZodType, $ZodTypes } from 'zod/v4/core'
import { isObject } from '../../support/json-path.js'

/**
 * The value with each of its parts turned into the type that the shape asks for, where that is possible: a number or
 * a boolean into text, `"true"` or 1 into `true`, `null` into `""`, `false` or 0. What can't be turned stays as it is.
 */
export function coerce(shape: $ZodType, value: unknown): unknown {
  const { def } = (shape as $ZodTypes)._zod
  switch (def.type) {
    case 'optional':
    case 'default':
    case 'readonly':
      return value === undefined ? value : coerce(def.innerType, value)
    case 'nullable':
      return value === null ? value : coerce(def.innerType, value)
    case 'string':
      return 'format' in def && def.format === 'datetime' ? toDateTime(toText(value)) : toText(value)
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

/** A date-time in any form that the service takes (white space, lower case, no zone, no colon), in the strict one. */
function toDateTime(value: unknown): unknown {
  const parts = typeof value === 'string' ? LOOSE_DATE_TIME.exec(value) : null
  if (parts === null) return value
  const [, date, time, zone = 'Z'] = parts
  return `${date}T${time}${zone.toUpperCase().replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')}`
}
