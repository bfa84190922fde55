import { MockError } from '../../../engine/errors/mock-errors.js'
import { HINT_HEADER } from '../../../engine/http/answer.js'
import type { MatchedBy } from '../../../engine/http/call.js'
import { journalPath } from '../../../engine/http/service.js'
import { nearestRouteHint } from '../../../engine/http/unknown.js'
import { CORE, type MockSession, sessionOf } from '../../../engine/mock/session.js'
import { includesOperation } from '../../../engine/scenarios/force-rule.js'
import { doubtfulRules, unmetRules } from '../../../engine/scenarios/idle-rules.js'
import { createdFlags } from '../../../engine/sessions/flag-coverage.js'
import type { JournalEntry } from '../../../engine/sessions/journal.js'
import { redactPath } from '../../../engine/sessions/redact.js'
import { UNNAMED } from '../../../engine/sessions/sessions.js'
import { nearMisses } from '../../../engine/state/near-misses.js'
import { operations } from '../../../service/api/operations.js'
import { isObject } from '../../../support/json.js'
import { percentDecoded } from '../../../support/text.js'
import { causesOf } from './causes.js'

export const REQUESTS_LISTED = 20

const NO_REQUESTS = 'No requests reached the mock.'

const WIDTHS = { path: 90, message: 140 }

export type PendingRequest = Pick<JournalEntry, 'method' | 'path' | 'operation'>

export function pendingRequest(
  { method, url }: Request,
  match: Exclude<MatchedBy, 'control'> | undefined,
): PendingRequest {
  const operation = match === undefined || match === 'otherMethod' ? null : match
  return { method, path: redactPath(journalPath(url), operation), operation }
}

/** Requests in words, a line each, in columns: method and path, operation, status, Unleash's message. */
export function listRequests(
  entries: readonly JournalEntry[],
  { count = entries.length, pending = [] }: { count?: number; pending?: readonly PendingRequest[] } = {},
): string {
  if (count + pending.length === 0) return NO_REQUESTS
  const shown = entries.slice(-REQUESTS_LISTED)
  const rows = [
    ...shown.map((entry) => {
      const status = entry.status === 0 ? 'no response' : String(entry.status)
      return [...beginning(entry), status, cut(messageOf(entry), WIDTHS.message)]
    }),
    ...pending.slice(-REQUESTS_LISTED).map((request) => [...beginning(request), 'no response yet', '']),
  ]
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  const heading =
    shown.length < count ? `The last ${shown.length} of ${count} requests to the mock:` : 'Requests to the mock:'
  // Only the last hint: requests that repeat an error repeat its hint.
  const hinted = shown.findLastIndex((entry) => hintOf(entry) !== undefined)
  const [before, after] = [lines.slice(0, hinted + 1), lines.slice(hinted + 1)]
  const hint = hinted < 0 ? [] : [`  hint: ${hintOf(shown[hinted])}`]
  return [heading, ...before, ...hint, ...after].join('\n  ')
}

/** The end of the URL of an SDK that asks the API of the other kind of SDKs. */
function placeOf({ operation, requestHeaders }: JournalEntry): string | undefined {
  const sdk = requestHeaders['unleash-sdk'] ?? ''
  const api = operations.find(({ id }) => id === operation)?.access
  if (sdk.startsWith('unleash-client-js') && api === 'client') return '/api/frontend'
  return sdk.startsWith('unleash-node') && api === 'frontend' ? '/api' : undefined
}

/** The hint of an error response, or of a request that no handler matched, as its header or flagdouble's own error has it. */
function hintOf(entry: JournalEntry | undefined): string | undefined {
  if (entry === undefined || (entry.status > 0 && entry.status < 400)) return undefined
  // No handler matched it.
  if (entry.status === 0)
    return entry.operation === null
      ? nearestRouteHint({ method: entry.method, url: `http://localhost${entry.path}` })
      : undefined
  const { responseBody, responseHeaders } = entry
  const place = placeOf(entry)
  if (place !== undefined) return `The url of this SDK ends with ${place}.`
  const sent = responseHeaders[HINT_HEADER]
  const own = isObject(responseBody) ? responseBody.hint : undefined
  if (sent !== undefined) return percentDecoded(sent) ?? sent
  return typeof own === 'string' ? own : undefined
}

/** A line for each rule of `force` that matched no request, without earlier rules. */
function unmetRulesOf(mock: MockSession, earlier?: ReadonlySet<unknown>): string[] {
  const session = sessionOf(mock)
  const { rules, composition } = session.world()
  const added = rules.all().filter(({ rule }) => !earlier?.has(rule))
  return unmetRules(added, composition.force).map((rule) => {
    const asked = mock.requests
      .all()
      .filter(({ operation }) => operation !== null && includesOperation(rule.operation, operation))
    const [last] = asked.slice(-1)
    const isLate = last !== undefined && (session.addedRules.get(rule) ?? 0) >= last.id
    const why = isLate ? ' It was added after the last such request.' : ''
    return `No request matched the rule ${JSON.stringify(rule)}.${why}`
  })
}

/** Throws `UNMATCHED_RULES` if a rule of `force`, apart from earlier ones, matched no request. */
export function expectNoUnmetRules(mock: MockSession, earlier?: ReadonlySet<unknown>): void {
  const rules = unmetRulesOf(mock, earlier)
  if (rules.length === 0) return
  const error = new MockError(
    'UNMATCHED_RULES',
    rules.join('\n'),
    'Does the rule name another operation, or other conditions, than the request? If no request needs to match it, add `optional: true`.',
  )
  error.stack = `${error.name}: ${error.message}`
  throw error
}

/**
 * The lines below the requests of a failed test: about rules that matched no request, missing flags that SDKs asked for,
 * flags that the test created, likely causes, and names in its data that lead to nothing.
 */
export function noticesOf(mock: MockSession, earlier?: ReadonlySet<unknown>): string[] {
  const world = sessionOf(mock).world()
  const missing = mock[CORE].coverage.missingIn(world, mock.name === UNNAMED ? undefined : mock.name)
  const notices = [
    ...unmetRulesOf(mock, earlier),
    ...doubtfulRules(world.rules.all()),
    missing,
    createdFlags(world),
    ...causesOf(mock),
    ...nearMisses(world.data.tables),
  ]
  return notices.filter((notice) => notice !== undefined)
}

/** An error of the Node SDK, which allows one client for each process. */
const SECOND_CLIENT = 'You already have an Unleash instance'

/** A hint for an empty list of requests, unless the error itself has a hint. */
export function hintOn(
  list: string,
  { name, message }: { name?: string | undefined; message?: string },
  mocks: Iterable<MockSession> = [],
): string {
  if (message?.startsWith(SECOND_CLIENT)) {
    return '\nThe SDK of an earlier test still runs. Call its destroy() at the end of the test, or create it with `new Unleash(…)`.'
  }
  if (list === NO_REQUESTS && [...mocks].some((mock) => sessionOf(mock).clients.size > 0))
    return ' mock.client sends none.'
  const isSilent = list === NO_REQUESTS && name !== 'MockError'
  return isSilent
    ? ' Is an `await` missing? Does the client use another base URL or `fetch`, or was it created before the test? Does the msw server listen?'
    : ''
}

const LATE =
  'They arrived after the assertion. Is an `await` missing before it, such as `await fetch(…)` or `await sdk.start()`?'

/** A list of requests in a message. */
const LIST =
  /(?:No requests reached the mock\.|(?:Requests to the mock|The last \d+ of \d+ requests to the mock):(?:\n {2}.+)+)$/

/**
 * Ends the error of a failed test with a list of requests, in place of an earlier list. `isLate` says that all requests
 * got their responses after the failure.
 */
export function endWith(list: string, failure: { message?: string; stack?: string }, isLate = false): void {
  const { message = '', stack } = failure
  const [shown] = LIST.exec(message) ?? []
  const isLater = !list.startsWith('No ') && (isLate || shown?.startsWith('No '))
  const longer = shown === undefined ? `${message}\n\n${list}` : message.replace(LIST, () => list)
  const whole = isLater ? `${longer}\n${LATE}` : longer
  // Reporters print either the message or the stack. The stack begins with the message or, for a timeout in Vitest, with
  // an uninformative line.
  const head = stack?.includes(message) ? message : 'STACK_TRACE_ERROR'
  if (stack !== undefined) failure.stack = stack.replace(head, () => whole)
  failure.message = whole
}

/** The last requests to a mock since a given time. */
export class RecentRequests {
  #entries: JournalEntry[] = []
  #count = 0

  add(entry: JournalEntry): void {
    this.#count += 1
    this.#entries.push(entry)
    if (this.#entries.length > REQUESTS_LISTED) this.#entries.shift()
  }

  clear(): void {
    this.#entries = []
    this.#count = 0
  }

  get isEmpty(): boolean {
    return this.#count === 0
  }

  list(pending: readonly PendingRequest[] = []): string {
    return listRequests(this.#entries, { count: this.#count, pending })
  }
}

function beginning({ method, path, operation }: PendingRequest): string[] {
  return [`${method} ${cut(path, WIDTHS.path)}`, operation ?? '(unknown)']
}

/** The message of an error object of Unleash or of flagdouble. */
function messageOf({ responseBody, status }: JournalEntry): string {
  if (status < 400 || !isObject(responseBody)) return ''
  return typeof responseBody.message === 'string' ? responseBody.message.replaceAll(/\s+/g, ' ') : ''
}

function cut(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text
}
