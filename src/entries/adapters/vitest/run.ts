import type { RequestHandler } from 'msw'
import type { TestContext } from 'vitest'
import * as z from 'zod'
import { MockError } from '../../../engine/errors/mock-errors.js'
import { createMock, type Mock, type MockOptions } from '../../../engine/mock/mock.js'
import { mockOptionsIn, optionSchemas } from '../../../engine/mock/options.js'
import { CORE } from '../../../engine/mock/session.js'
import { type ListedFlags, ofOneTest } from '../../../engine/sessions/flag-coverage.js'
import { isObject } from '../../../support/json.js'
import { type HandlerTarget, handlerFor } from '../msw/handlers.js'
import { targetOf } from '../msw/target.js'
import { handlersSchema, type Unhandled, unhandledSchema } from '../msw/unhandled.js'
import {
  endWith,
  expectNoUnmetRules,
  hintOn,
  noticesOf,
  type PendingRequest,
  pendingRequest,
  RecentRequests,
} from '../runners/requests.js'

/** A server of msw, or its worker in a page. */
export interface OwnServer {
  use(...handlers: RequestHandler[]): void
  listHandlers(): readonly object[]
}

export interface TestMockOptions extends MockOptions {
  /** Your own handlers, which precede the mock: for other services, or to let requests pass. */
  handlers?: readonly RequestHandler[] | undefined
  /**
   * The handling of a request that no handler matches. `error`: it fails and, if it looks like a request to Unleash, so
   * does the test, even if the code under test catches the error. `warn` and `bypass` send it to the network, with or
   * without a warning. Default: `error`.
   */
  unhandled?: Unhandled | undefined
  /**
   * The project's own msw server or, in a browser, its worker. It asks the mock first, and handles other requests itself:
   * by its `onUnhandledRequest`, not by `unhandled`.
   */
  server?: OwnServer | undefined
}

export const testOptionsSchema = z
  .strictObject({
    handlers: handlersSchema,
    unhandled: unhandledSchema,
    server: z.custom<OwnServer>((given) => isObject(given) && 'use' in given, 'must be an msw server'),
    ...optionSchemas,
  } satisfies Record<keyof TestMockOptions, z.ZodType>)
  .partial()

/** One run of a test: its mock, and its requests. */
export class TestRun {
  readonly task: TestContext['task']
  readonly mock: Mock
  readonly unhandled: Unhandled
  /** The project's own server that asks the mock. */
  readonly server: OwnServer | undefined
  /** The handler of the test's requests. */
  readonly target: HandlerTarget
  /** A line for each unhandled request, by whether it looks like a request to Unleash. */
  readonly #unanswered = { service: [] as string[], others: [] as string[] }
  readonly #handlers: readonly RequestHandler[]
  readonly #requests: RecentRequests
  readonly #pending: Set<PendingRequest>
  /** Whether an inner `useMock` has replaced its mock. */
  #isReplaced = false
  #asked = 0
  /** Whether the test had failed before any request got its response. */
  #isLate = false

  /** With the outer run of the same test, it lists the requests of both. */
  constructor(task: TestContext['task'], options: TestMockOptions, outer?: TestRun) {
    this.#requests = outer === undefined ? new RecentRequests() : outer.#requests
    this.#pending = outer === undefined ? new Set() : outer.#pending
    if (outer !== undefined) outer.#isReplaced = true
    this.task = task
    const { handlers = [], unhandled = 'error', server } = options
    this.mock = createMock(mockOptionsIn(options))
    this.unhandled = unhandled
    this.server = server
    const target = targetOf(this.mock)
    this.target = { ...target, respond: (request) => this.#answer(target, request) }
    this.#handlers = [...handlers, handlerFor(this.target)]
    this.mock.onRequest((entry) => {
      if (this.#requests.isEmpty) this.#isLate = this.task.result?.state === 'fail'
      this.#requests.add(entry)
      // The journal has a request before its response arrives.
      const recorded = [...this.#pending].find(({ method, path }) => method === entry.method && path === entry.path)
      if (recorded !== undefined) this.#pending.delete(recorded)
    })
  }

  get basePath(): string {
    return this.mock[CORE].basePath
  }

  /** The first handler's response, as in msw. */
  async respond(request: Request): Promise<Response | undefined> {
    this.#asked += 1
    const requestId = `${this.task.id}-${this.#asked}`
    for (const handler of this.#handlers) {
      const result = await handler.run({ request, requestId })
      if (result?.response !== undefined) return result.response
    }
    return undefined
  }

  /** Records a request that fails because no handler matches it. */
  refuse(line: string, isForService: boolean): void {
    this.#unanswered[isForService ? 'service' : 'others'].push(line)
  }

  /**
   * Ends a test: adds its requests to its failure and, with a list, leaves its flag coverage for the reporter. Throws if no
   * handler matched a request to Unleash, or no request a rule.
   */
  finish(listed?: ListedFlags, strays: () => readonly string[] = () => []): void {
    const { result, meta } = this.task
    const { coverage, sessions } = this.mock[CORE]
    if (listed !== undefined && !this.#isReplaced) {
      Object.assign(meta, { flagCoverage: ofOneTest(coverage.report(sessions.unnamed.world(), listed)) })
    }
    coverage.isClosed = true
    const hasFailed = result?.state === 'fail'
    const failure = hasFailed && !this.#isReplaced ? result.errors?.at(-1) : undefined
    const { service, others } = this.#unanswered
    if (failure !== undefined) {
      // Messages of matchers already list earlier responses.
      const list = this.#requests.list([...this.#pending])
      endWith(
        [list + hintOn(list, failure, [this.mock]), ...others, ...strays(), ...noticesOf(this.mock)].join('\n'),
        failure,
        this.#isLate,
      )
    }
    if (service.length > 0) throw unanswered(service)
    if (!hasFailed) expectNoUnmetRules(this.mock)
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
}

function unanswered(lines: readonly string[]): MockError {
  const error = new MockError(
    'UNMATCHED_REQUESTS',
    `This test sent ${lines.length === 1 ? 'a request' : `${lines.length} requests`} that no handler matched:\n  ${lines.join('\n  ')}`,
    'Fix the path in the client, add a handler, or set `unhandled` to "warn" or "bypass".',
  )
  error.stack = `${error.name}: ${error.message}`
  return error
}
