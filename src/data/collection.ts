import { Collection } from '@msw/data'
import { MockError } from '../contract/mock-errors.js'
import { INSPECT, type Inspect, onScreen } from '../support/inspect.js'
import type { FoundQuery, FoundRecord, RecordSchema } from './definition.js'
import { RecordQuery } from './query.js'

type Finders<Found extends object> = Collection<RecordSchema<Found>>
type Asked<Found extends object> = Parameters<Finders<Found>['findFirst']>[0]
type ManyOptions<Found extends object> = NonNullable<Parameters<Finders<Found>['findMany']>[1]>

/**
 * A collection of @msw/data that shows what the mock holds. It is brought up to date whenever it is read. It can't be
 * written: records only change by the rules of the service.
 */
export class DataCollection<Found extends object> extends Collection<RecordSchema<Found>> {
  readonly #name: string
  readonly #schema: RecordSchema<Found>
  readonly #current: () => readonly FoundRecord<Found>[]
  #shown: readonly FoundRecord<Found>[] | undefined

  constructor(name: string, schema: RecordSchema<Found>, current: () => readonly FoundRecord<Found>[]) {
    super({ schema })
    this.#name = name
    this.#schema = schema
    this.#current = current
  }

  /** The first record that matches; the first of all without a query. */
  override findFirst<Strict extends boolean>(
    predicate?: Asked<Found>,
    options?: { strict?: Strict },
  ): Strict extends true ? FoundRecord<Found> : FoundRecord<Found> | undefined {
    this.#refresh()
    return super.findFirst<Strict>(asQuery(predicate), options)
  }

  /** All records that match, sorted by `orderBy` before `cursor`, `skip` and `take` choose among them. */
  override findMany(predicate?: Asked<Found>, options: ManyOptions<Found> = {}): FoundRecord<Found>[] {
    this.#refresh()
    const { orderBy, strict, ...page } = options
    if (orderBy === undefined || Object.keys(page).length === 0) return super.findMany(asQuery(predicate), options)
    // @msw/data sorts what it took. Here it takes from what is sorted.
    const sorted = super.findMany(asQuery(predicate), { orderBy, ...(strict === undefined ? {} : { strict }) })
    return new DataCollection(this.#name, this.#schema, () => sorted).findMany(undefined, page)
  }

  /** All records, in a list of your own. */
  override all(): FoundRecord<Found>[] {
    return [...this.#refresh()]
  }

  override count(): number {
    return this.#refresh().length
  }

  /** Not possible: use `mock.add()`, or a request. */
  override async create(_values: never): Promise<never> {
    throw this.#readOnly('create')
  }

  /** Not possible: use `mock.add()`, or requests. */
  override async createMany(_count: never, _values: never): Promise<never> {
    throw this.#readOnly('createMany')
  }

  /** Not possible: use `mock.add()`, or a request. */
  override async update(_predicate: never, _options: never): Promise<never> {
    throw this.#readOnly('update')
  }

  /** Not possible: use `mock.add()`, or requests. */
  override async updateMany(_predicate: never, _options: never): Promise<never> {
    throw this.#readOnly('updateMany')
  }

  /** Not possible: use a request, or `mock.restore()`. */
  override delete(_predicate: never, _options?: never): never {
    throw this.#readOnly('delete')
  }

  /** Not possible: use requests, or `mock.restore()`. */
  override deleteMany(_predicate: never, _options?: never): never {
    throw this.#readOnly('deleteMany')
  }

  /** Not possible: use `mock.restore()` or the scenario `empty`. */
  override clear(): never {
    throw this.#readOnly('clear')
  }

  /** Not possible: the relations are there. */
  override defineRelations(_resolver: never): never {
    throw this.#readOnly('defineRelations')
  }

  /** @internal What consoles print. */
  [INSPECT](_depth: number, options: object, inspect: Inspect): string {
    const records = this.all()
    return onScreen({ [this.#name]: records.length, first: records.slice(0, 3) }, options, inspect)
  }

  /** `all()` of @msw/data is the very list that it searches, so it can be filled without waiting. */
  #refresh(): readonly FoundRecord<Found>[] {
    const current = this.#current()
    if (current === this.#shown) return current
    const searched = super.all()
    searched.length = 0
    for (const record of current) searched.push(record)
    if (super.count() !== current.length) throw notFilled()
    this.#shown = current
    return current
  }

  #readOnly(method: string): MockError {
    return new MockError(
      'INVALID_REQUEST',
      `${this.#name}.${method}() would write past the rules of the service: the collections of mock.data() are read-only.`,
      `Add or replace records by mock.add({ ${this.#name}: [...] }), or change them by a request to the mock; the collections follow.`,
    )
  }
}

/** The user may have made a query with another copy of @msw/data than ours. */
function asQuery<Found extends object>(predicate: Asked<Found>): FoundQuery<Found> | undefined {
  if (predicate === undefined) return undefined
  return typeof predicate === 'function'
    ? predicate(new RecordQuery())
    : new RecordQuery<FoundRecord<Found>>((record) => predicate.test(record))
}

function notFilled(): MockError {
  return new MockError(
    'INTERNAL',
    "This version of @msw/data keeps its records elsewhere, so mock.data() can't fill its collections.",
    'Install @msw/data 1.1.7.',
  )
}
