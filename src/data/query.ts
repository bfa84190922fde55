import { Query } from '@msw/data'

type Given = ((value: never) => unknown) | object | string | number | boolean | null | undefined

/**
 * A query that also honours functions on fields that hold objects or lists, and null where an object may be. The one of
 * @msw/data 1.1.7 takes such a function for a condition without fields, so that every record matches, and throws on null.
 */
export class RecordQuery<Record> extends Query<Record> {
  readonly #matches: ((record: Record) => boolean) | undefined

  constructor(matches?: (record: Record) => boolean) {
    super(matches)
    this.#matches = matches
  }

  override where(condition: Parameters<Query<Record>['where']>[0]): RecordQuery<Record> {
    return this.and(condition)
  }

  override and(...conditions: Parameters<Query<Record>['and']>): RecordQuery<Record> {
    const all = this.#with(conditions)
    return new RecordQuery((record) => all.every((matches) => matches(record)))
  }

  override or(...conditions: Parameters<Query<Record>['or']>): RecordQuery<Record> {
    const any = this.#with(conditions)
    return new RecordQuery((record) => any.some((matches) => matches(record)))
  }

  #with(conditions: readonly unknown[]): ((record: Record) => boolean)[] {
    const given = conditions.map((condition) => (record: Record) => fits(condition as Given, record))
    return this.#matches === undefined ? given : [this.#matches, ...given]
  }
}

/** As in @msw/data, a condition on a list is one on each of its items, and a field that is missing fits nothing. */
function fits(condition: Given, value: unknown): boolean {
  if (condition instanceof Query) return condition.test(value)
  if (typeof condition === 'function') return Boolean((condition as (value: unknown) => unknown)(value))
  if (Array.isArray(value)) return value.every((item) => fits(condition, item))
  if (typeof value !== 'object' || value === null || typeof condition !== 'object' || condition === null)
    return value === condition
  return Object.entries(condition).every(([field, expected]) => {
    const actual: unknown = value[field as keyof typeof value]
    return actual !== undefined && fits(expected as Given, actual)
  })
}
