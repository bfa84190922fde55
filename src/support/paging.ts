import * as z from 'zod'

/** The query parameters of a list with pages. */
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

/** The requested page of a list. Parameters that are not numbers are ignored. */
export function pageOf<Item>(items: readonly Item[], { offset, limit }: Paging, { usual, most }: PageSize): Item[] {
  const start = wholeNumber(offset) ?? 0
  const length = Math.min(wholeNumber(limit) || usual, most)
  return items.slice(start, start + length)
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined
}
