import { Collection, Query } from '@msw/data'
import type * as z from 'zod'
import { atCallSite } from '../../service/contract/arguments.js'
import { MockError } from '../../service/contract/mock-errors.js'
import type { TableName } from '../../service/resources/tables.js'
import { listFaults } from '../../support/parse.js'
import { checkOptions } from '../state/state-fault.js'
import { type AskedShapes, optionsSchema } from './query-shapes.js'
import type { FoundSchema } from './relations.js'

type QueriedRecords = Collection<FoundSchema<object>>
type Asked = Parameters<QueriedRecords['findFirst']>[0]
type Check = (given: unknown) => void
// biome-ignore lint/suspicious/noExplicitAny: what is found is checked by the types of MockData
type Condition = any

/** A collection that throws `INVALID_ARGUMENT` for a condition, an order or an option that @msw/data would pass over. */
export class CheckedCollection extends Collection<FoundSchema<object>> {
  readonly #query: Query<object>
  readonly #checkOptions: Check

  constructor(schema: FoundSchema<object>, name: TableName, { conditions, orders }: AskedShapes) {
    super({ schema })
    this.#query = new CheckedQuery((given) => expectAskable(conditions.of(name), given, `mock.data().${name}`))
    this.#checkOptions = (given) => {
      if (given !== undefined) expectAskable(optionsSchema(orders.of(name)), given, `mock.data().${name}`)
    }
  }

  override findFirst: QueriedRecords['findFirst'] = (asked, options) => {
    atCallSite(this.findFirst, () => this.#checkOptions(options))
    return super.findFirst(this.#checked(asked), options)
  }

  override findMany: QueriedRecords['findMany'] = (asked, options) => {
    atCallSite(this.findMany, () => this.#checkOptions(options))
    return super.findMany(this.#checked(asked), options)
  }

  #checked(asked: Asked): Asked {
    return typeof asked === 'function' ? () => asked(this.#query) : asked
  }
}

/** A query whose conditions are checked when they are given. */
class CheckedQuery extends Query<object> {
  readonly #check: Check

  constructor(check: Check, predicate?: (record: object) => unknown) {
    super(predicate)
    this.#check = check
  }

  override where(condition: Condition): Query<object> {
    return this.#with(this.where, [condition], () => super.where(condition))
  }

  override and(...conditions: Condition[]): Query<object> {
    return this.#with(this.and, conditions, () => super.and(...conditions))
  }

  override or(...conditions: Condition[]): Query<object> {
    return this.#with(this.or, conditions, () => super.or(...conditions))
  }

  #with(
    called: (...given: Condition[]) => unknown,
    conditions: Condition[],
    combine: () => Query<object>,
  ): Query<object> {
    atCallSite(called, () => {
      for (const condition of conditions) {
        if (typeof condition !== 'function' && !(condition instanceof Query)) this.#check(condition)
      }
    })
    const combined = combine()
    return new CheckedQuery(this.#check, (record) => combined.test(record))
  }
}

function expectAskable(schema: z.ZodType, given: unknown, collection: string): void {
  const checked = checkOptions(schema, given)
  if (checked.ok) return
  const faults = checked.faults.map(({ path, message }) => ({ path: path.replace(/^\$\.?/, ''), message }))
  const list = listFaults(faults)
  throw new MockError(
    'INVALID_ARGUMENT',
    `${collection} can't be asked that: ${list}${/[.?!]$/.test(list) ? '' : '.'}`,
    'Its types show what mock.data() takes. A function for the whole record can look at anything: q.where((record) => …).',
    faults,
  )
}
