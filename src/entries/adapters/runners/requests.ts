import { MockError } from '../../../engine/errors/mock-errors.js'
import type { MatchedBy } from '../../../engine/http/call.js'
import { journalPath } from '../../../engine/http/service.js'
import { CORE, type MockSession, sessionOf } from '../../../engine/mock/session.js'
import { doubtfulRules, unmetRules } from '../../../engine/scenarios/idle-rules.js'
import { createdFlags } from '../../../engine/sessions/flag-coverage.js'
import type { JournalEntry } from '../../../engine/sessions/journal.js'
import { redactPath } from '../../../engine/sessions/redact.js'
import { UNNAMED } from '../../../engine/sessions/sessions.js'
import { nearMisses } from '../../../engine/state/near-misses.js'
import { isObject } from '../../../support/json.js'
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
  return [heading, ...lines.map((line) => `  ${line}`)].join('\n')
}

/** A line for each rule of `force` that matched no request, without earlier rules. */
function unmetRulesOf(mock: MockSession, earlier?: ReadonlySet<unknown>): string[] {
  const { rules, composition } = sessionOf(mock).world()
  const added = rules.all().filter((rule) => !earlier?.has(rule))
  return unmetRules(added, composition.force).map((rule) => `No request matched the rule ${rule}.`)
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
export function noticesOf(mock: MockSession): string[] {
  const world = sessionOf(mock).world()
  const missing = mock[CORE].coverage.missingIn(world, mock.name === UNNAMED ? undefined : mock.name)
  const notices = [
    ...unmetRulesOf(mock),
    ...doubtfulRules(world.rules.all()),
    missing,
    createdFlags(world),
    ...causesOf(mock),
    ...nearMisses(world.data.tables),
  ]
  return notices.filter((notice) => notice !== undefined)
}

/** A hint for an empty list of requests, unless the error itself has a hint. */
export function hintOn(list: string, { name }: { name?: string | undefined }): string {
  const isSilent = list === NO_REQUESTS && name !== 'MockError'
  return isSilent ? ' Is an `await` missing, or does the client use another base URL?' : ''
}

/** A list of requests in a message. */
const LIST =
  /(?:No requests reached the mock\.|(?:Requests to the mock|The last \d+ of \d+ requests to the mock):(?:\n {2}.+)+)$/

/** Ends the error of a failed test with a list of requests, in place of an earlier list. */
export function endWith(list: string, failure: { message?: string; stack?: string }): void {
  const { message = '', stack } = failure
  const [shown] = LIST.exec(message) ?? []
  const isLater = shown?.startsWith('No ') && !list.startsWith('No ')
  const longer = shown === undefined ? `${message}\n\n${list}` : message.replace(LIST, () => list)
  const whole = isLater ? `${longer}\nThey arrived after the assertion. Is an \`await\` missing before it?` : longer
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
