import type { RecordChange } from '../engine/sessions/history.js'
import { isObject } from '../support/json.js'

/** A changed field of a record, in words. A side without the field is undefined. */
export interface FieldDifference {
  /** `environments.production.enabled` */
  field: string
  before: string | undefined
  after: string | undefined
}

/** The changed fields of a record. For an added or removed record, only the informative fields. */
export function differences({ before, after }: Pick<RecordChange, 'before' | 'after'>): FieldDifference[] {
  if (before !== undefined && after !== undefined) return between(before, after)
  const [side, record] = before === undefined ? (['after', after] as const) : (['before', before] as const)
  return between({}, record ?? {})
    .filter(({ after }) => after !== undefined && !/^(null|""|\[.*\]|\{.*\})$/s.test(after))
    .map(({ field, after }) => ({ field, before: undefined, after: undefined, [side]: after }))
}

/** The URL of a picture, which tells users nothing. */
const PICTURE = 'imageUrl'

function between(before: unknown, after: unknown, field = ''): FieldDifference[] {
  const [old, now] = [textOf(before), textOf(after)]
  if (old === now) return []
  const [one, other] = [partsOf(before), partsOf(after)]
  if (one === undefined || other === undefined) return [{ field, before: old, after: now }]
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((name) =>
    between(one[name], other[name], field === '' ? name : `${field}.${name}`),
  )
}

function textOf(value: unknown): string | undefined {
  return JSON.stringify(value, (name, inner) => (name === PICTURE ? undefined : inner))
}

/** The parts of an object, or of a list of objects by their names. Undefined for other values. */
function partsOf(value: unknown): Record<string, unknown> | undefined {
  if (!Array.isArray(value)) return isObject(value) ? value : undefined
  if (!value.every(isObject)) return undefined
  return Object.fromEntries(value.map((one, at) => [String(one.name ?? one.title ?? one.id ?? at), one]))
}
