import * as z from 'zod'

/**
 * The operators of list filters. A filter compares its values with the values of a record, which can be several, such as
 * tags. `IS:default`, `IS_ANY_OF:release,experiment`, `INCLUDE_ALL_OF:simple:a,simple:b`.
 */
const operators: Readonly<Record<string, (has: readonly string[], values: ReadonlySet<string>) => boolean>> = {
  IS: hasAny,
  IS_ANY_OF: hasAny,
  INCLUDE: hasAny,
  INCLUDE_ANY_OF: hasAny,
  INCLUDE_ALL_OF: hasAll,
  IS_NOT: hasNone,
  IS_NONE_OF: hasNone,
  DO_NOT_INCLUDE: hasNone,
  EXCLUDE_IF_ANY_OF: hasNone,
  EXCLUDE_ALL: (has, values) => !hasAll(has, values),
  IS_BEFORE: (has, [date = '']) => has.some((instant) => instant < date),
  IS_ON_OR_AFTER: (has, [date = '']) => has.some((instant) => instant >= date),
}

function hasAny(has: readonly string[], values: ReadonlySet<string>): boolean {
  return has.some((value) => values.has(value))
}

function hasAll(has: readonly string[], values: ReadonlySet<string>): boolean {
  return new Set(has.filter((value) => values.has(value))).size === values.size
}

function hasNone(has: readonly string[], values: ReadonlySet<string>): boolean {
  return !hasAny(has, values)
}

const FILTER = /^([A-Z_]+):(.+)$/s

/** A filter as a query parameter, with a pattern for its operators and values, which must take linear time. */
export function filterSchema(pattern: string) {
  return z.string().regex(new RegExp(pattern), `must match the pattern "${pattern}"`).meta({ pattern }).optional()
}

/** The values in a filter such as `IS_ANY_OF:1,2`. */
export function valuesOf(filter: string | undefined): string[] {
  if (filter === undefined) return []
  const list = filter.slice(filter.indexOf(':') + 1)
  return list.split(',').map((value) => value.trim())
}

/** Whether a filter selects records with a value, and doesn't only exclude others. */
export function asksFor(filter: string | undefined, value: string): boolean {
  const has = (values: string[]) => filterBy({ facet: filter }, { facet: () => values })({})
  return has([value]) && !has([])
}

export type Filters<Facet extends string> = { readonly [Name in Facet]?: string | undefined }

/** Returns the values of a record, for each name of a filter. */
export type Facets<Item, Facet extends string> = Readonly<Record<Facet, (item: Item) => readonly string[]>>

/** Returns a function that tells whether a record passes all filters of a query. */
export function filterBy<Item, Facet extends string>(
  query: Filters<Facet>,
  facets: Facets<Item, Facet>,
): (item: Item) => boolean {
  const tests = (Object.keys(facets) as Facet[]).flatMap((facet) => {
    const [, operator = ''] = FILTER.exec(query[facet] ?? '') ?? []
    const passes = operators[operator]
    if (passes === undefined) return []
    const values = new Set(valuesOf(query[facet]))
    return [(item: Item) => passes(facets[facet](item), values)]
  })
  return (item) => tests.every((test) => test(item))
}

export const pagingShape = { offset: z.string().optional(), limit: z.string().optional() }

interface Paging {
  offset?: string | undefined
  limit?: string | undefined
}

/** The default and the maximum length of a page. */
interface PageSize {
  usual: number
  most: number
}

/** The requested page of a list. Non-numeric parameters are ignored. */
export function pageOf<Item>(items: readonly Item[], paging: Paging, size: PageSize): Item[] {
  return items.slice(...rangeOf(paging, size))
}

/** The requested page of a sorted list. Items behind the page are not sorted, only skipped. */
export function sortedPageOf<Item>(
  items: readonly Item[],
  compare: (one: Item, other: Item) => number,
  paging: Paging,
  size: PageSize,
): Item[] {
  const [start, end] = rangeOf(paging, size)
  let first: Item[] = []
  let last: Item | undefined
  for (const item of items) {
    if (last !== undefined && compare(item, last) >= 0) continue
    first.push(item)
    if (first.length < 2 * end) continue
    first = first.toSorted(compare).slice(0, end)
    last = first.at(-1)
  }
  return first.toSorted(compare).slice(start, end)
}

function rangeOf({ offset, limit }: Paging, { usual, most }: PageSize): [start: number, end: number] {
  const start = wholeNumber(offset) ?? 0
  return [start, start + Math.min(wholeNumber(limit) || usual, most)]
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined
}
