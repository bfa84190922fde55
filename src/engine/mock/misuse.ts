import { givenVariantSchema, type VariantForAll } from '../../service/resources/flags/for-everybody.js'
import { invalidArgument } from '../errors/arguments.js'
import { MockError, mockErrors } from '../errors/mock-errors.js'
import { nearestRoute } from '../http/routes.js'
import type { JournalEntry } from '../sessions/journal.js'

/** Throws `INVALID_ARGUMENT` unless all names are texts, and there is at least one. */
export function expectNames(names: readonly unknown[], call: string): void {
  const other = names.length === 0 ? [undefined] : names.filter((name) => typeof name !== 'string')
  if (other.length > 0) throw invalidArgument(call, 'names of features', other[0])
}

/** A variant that every user gets, with its payload. */
export interface VariantForEverybody {
  name: string
  payload?: { type: 'string' | 'json' | 'csv' | 'number'; value: string } | undefined
}

const VARIANT =
  'the name of a variant, or { name, payload: { type, value } } with a type of string, json, csv or number'

/** A copy of the variant for `mock.setVariant`. Throws `INVALID_ARGUMENT` for anything else. */
export function readVariant(given: string | VariantForEverybody): VariantForAll {
  const { data } = givenVariantSchema.safeParse(given)
  if (data === undefined) throw invalidArgument('mock.setVariant', VARIANT, given)
  return data
}

/** Throws `UNMATCHED_REQUESTS`, with a list, unless the list is empty. */
export function assertNone(entries: readonly JournalEntry[]): void {
  if (entries.length === 0) return
  const list = entries.map(lineOf).join('\n  ')
  throw new MockError(
    'UNMATCHED_REQUESTS',
    `${entries.length} ${entries.length === 1 ? 'request' : 'requests'} matched no operation:\n  ${list}`,
    'Fix the path in the client, or add a handler for it.',
  )
}

/** A request in a list; for an unmodelled path, with the nearest route. */
function lineOf({ method, path, status }: JournalEntry): string {
  const isModelled = status !== UNANSWERED && status !== mockErrors.UNMODELLED_ROUTE.status
  const answer = status === UNANSWERED ? 'no response' : status
  const nearest = isModelled ? undefined : nearestRoute(method, path.split('?', 1)[0] ?? '')
  return `${method} ${path} → ${answer}${nearest === undefined ? '' : `; the nearest route is ${nearest}`}`
}

/** The status of a request that was left to msw. */
const UNANSWERED = 0
