import * as z from 'zod'

/** The parameters by which a list is read page by page. */
export const pagingShape = { offset: z.string().optional(), limit: z.string().optional() }

interface Paging {
  offset?: string | undefined
  limit?: string | undefined
}

/** How long a page is, unless it is asked for, and how long it can be. */
export interface PageSize {
  usual: number
  most: number
}

/** The page of a list that is asked for; what is no number counts as not asked. */
export function pageOf<Item>(items: readonly Item[], { offset, limit }: Paging, { usual, most }: PageSize): Item[] {
  const start = wholeNumber(offset) ?? 0
  const length = Math.min(wholeNumber(limit) || usual, most)
  return items.slice(start, start + length)
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined
}
