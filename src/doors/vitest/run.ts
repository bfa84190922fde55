import type { TestContext } from 'vitest'
import { MockError } from '../../contract/mock-errors.js'
import type { Mock } from '../../mock/mock.js'
import type { JournalEntry } from '../../sessions/journal.js'
import { LISTED, listRequests } from './requests.js'

/** What to do with a request that no handler answers. */
export type Unhandled = 'error' | 'warn' | 'bypass'

/** One run of a test: its mock, and what it asked for. */
export class TestRun {
  readonly mock: Mock
  readonly unhandled: Unhandled
  /** A line for each request to the service that nobody answered. */
  readonly unmodelled: string[] = []
  readonly #requests: JournalEntry[] = []
  #count = 0

  constructor(mock: Mock, unhandled: Unhandled) {
    this.mock = mock
    this.unhandled = unhandled
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

  #addRequests(failure: { message: string; stack?: string }): void {
    const list = listRequests(this.#requests, this.#count)
    // Messages of matchers have the list already.
    if (!failure.message.includes(list)) extend(failure, list)
  }
}

/** Adds to an error's message. Reporters print either that or the stack, which begins with the message. */
function extend(error: { message: string; stack?: string }, text: string): void {
  const longer = `${error.message}\n\n${text}`
  if (error.stack !== undefined) error.stack = error.stack.replace(error.message, () => longer)
  error.message = longer
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
