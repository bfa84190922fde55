import { givenVariantSchema, type VariantForAll } from '../../service/resources/flags/for-everybody.js'
import { isObject, show } from '../../support/json.js'
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

/** The error for states of flags that aren't texts. */
export function unreadableStates(given: unknown): MockError {
  const wanted = 'an object with a state for each flag, such as { beta: "off" }'
  const other = Object.entries(isObject(given) ? given : {}).find(
    ([, state]) => typeof state !== 'string' || state === '',
  )
  if (other === undefined) return invalidArgument('mock.tellFlags', wanted, given)
  const [name, state] = other
  return new MockError(
    'INVALID_ARGUMENT',
    `mock.tellFlags takes ${wanted}. The state of "${name}" can't be ${show(state)}.`,
    'A state is "on", "off", "gone" or the name of a variant.',
  )
}

const VARIANT =
  'the name of a variant, or { name, payload: { type, value } } with a type of string, json, csv or number'

/** A copy of the variant for `mock.setVariant`. Throws `INVALID_ARGUMENT` for anything else. */
export function readVariant(given: string | VariantForEverybody): VariantForAll {
  const { data } = givenVariantSchema.safeParse(given)
  if (data !== undefined) return data
  const payload: unknown = isObject(given) ? given.payload : undefined
  if (payload === undefined) throw invalidArgument('mock.setVariant', VARIANT, given)
  const { type, value }: { type?: unknown; value?: unknown } = isObject(payload) ? payload : {}
  throw new MockError(
    'INVALID_ARGUMENT',
    isObject(payload)
      ? `mock.setVariant can't take a payload with the type ${show(type)} and the value ${show(value)}.`
      : `mock.setVariant can't take ${show(payload)} as the payload.`,
    'A payload is { type, value }: the type string, json, csv or number, and the value always as text, such as { type: "number", value: "3" }.',
  )
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
