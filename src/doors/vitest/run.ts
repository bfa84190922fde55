import type { TestContext } from 'vitest'
import { MockError } from '../../contract/mock-errors.js'
import type { Mock } from '../../mock/mock.js'
import type { JournalEntry } from '../../sessions/journal.js'
import type { HandlerTarget } from '../msw/handlers.js'
import { targetOf } from '../msw.js'
import { LISTED, listRequests, type PendingRequest, pendingRequest } from './requests.js'

/** What to do with a request that no handler answers. */
export type Unhandled = 'error' | 'warn' | 'bypass'

/** One run of a test: its mock, and what it asked for. */
export class TestRun {
  readonly mock: Mock
  readonly unhandled: Unhandled
  /** A line for each request to the service that nobody answered. */
  readonly unmodelled: string[] = []
  /** What answers the test's requests. */
  readonly target: HandlerTarget
  readonly #requests: JournalEntry[] = []
  readonly #pending = new Set<PendingRequest>()
  #count = 0

  constructor(mock: Mock, unhandled: Unhandled) {
    this.mock = mock
    this.unhandled = unhandled
    const target = targetOf(mock)
    this.target = { ...target, respond: (request) => this.#answer(target, request) }
    mock.onRequest((entry) => {
      this.#count += 1
      this.#requests.push(entry)
      if (this.#requests.length > LISTED) this.#requests.shift()
    })
  }

  /** After the test: adds its requests to its failure. Throws if a request to the service was left unanswered. */
  finish({ task: { result } }: Pick<TestContext, 'task'>): void {
    const failure = result?.state === 'fail' ? result.errors?.at(-1) : undefined
    if (failure !== undefined) this.#addRequests(failure)
    if (this.unmodelled.length > 0) throw unanswered(this.unmodelled)
  }

  async #answer(target: HandlerTarget, request: Request): Promise<Response> {
    const match = target.match(request.method, request.url)
    if (match === 'control') return target.respond(request)
    const pending = pendingRequest(request, match)
    this.#pending.add(pending)
    try {
      return await target.respond(request)
    } finally {
      this.#pending.delete(pending)
    }
  }

  #addRequests(failure: { message: string; stack?: string }): void {
    const answered = listRequests(this.#requests, { count: this.#count })
    const list = listRequests(this.#requests, { count: this.#count, pending: [...this.#pending] })
    // Messages of matchers have the answered ones already.
    const { message } = failure
    const longer = message.includes(answered) ? message.replace(answered, () => list) : `${message}\n\n${list}`
    // Reporters print either the message or the stack. That begins with the message or, if the test took too long, with a
    // line that says nothing.
    const head = failure.stack?.includes(message) ? message : 'STACK_TRACE_ERROR'
    if (failure.stack !== undefined) failure.stack = failure.stack.replace(head, () => longer)
    failure.message = longer
  }
}

function unanswered(lines: readonly string[]): MockError {
  const error = new MockError(
    'UNMATCHED_REQUESTS',
    `This test sent ${lines.length === 1 ? 'a request' : `${lines.length} requests`} that nothing answered:\n  ${lines.join('\n  ')}`,
    'Fix the path in the client, answer it with a handler of your own, or set `unhandled` to "warn" or "bypass".',
  )
  // No line of the test threw it.
  error.stack = `${error.name}: ${error.message}`
  return error
}
