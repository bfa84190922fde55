import { HttpResponse, http, isCommonAssetRequest, passthrough, type RequestHandler } from 'msw'
import { setupServer } from 'msw/node'
import type { TestContext } from 'vitest'
import { nearestRouteHint } from '../../../engine/http/unknown.js'
import type { Mock } from '../../../engine/mock/mock.js'
import { MockError } from '../../../service/contract/mock-errors.js'
import { type HandlerTarget, handlerFor } from '../msw/handlers.js'
import { targetOf } from '../msw/target.js'
import { listenOptions } from '../msw/unhandled.js'
import { endWith, type PendingRequest, pendingRequest, RecentRequests } from './requests.js'

/**
 * msw's server for the tests of a worker. Each test runs within a boundary of msw, where its own handlers answer; so
 * tests that run at the same time never meet.
 */
export class TestNetwork {
  /** The only handler that all tests share comes last: it decides about what no other one answers. */
  readonly #server = setupServer(http.all('*', ({ request }) => this.#answerUnhandled(request)))
  readonly #owners = new WeakMap<object, TestRun>()
  #users = 0

  /** Begins to listen, if nobody does yet. What it returns ends that, when all who opened it have ended it. */
  open(): () => void {
    if (this.#users === 0) this.#server.listen(listenOptions())
    this.#users += 1
    return () => {
      this.#users -= 1
      if (this.#users === 0) this.#server.close()
    }
  }

  /** Runs a test. What it asks for, however late, these handlers and then its mock answer. */
  run<Result>(run: TestRun, handlers: readonly RequestHandler[], test: () => Result): Result {
    const inside = () => {
      const own = handlerFor(run.target)
      this.#owners.set(own, run)
      this.#server.use(...handlers, own)
      return test()
    }
    return this.#server.boundary(inside)()
  }

  /** The run of the test that this line belongs to: the handlers in force here tell. */
  get current(): TestRun | undefined {
    for (const handler of this.#server.listHandlers()) {
      const run = this.#owners.get(handler)
      if (run !== undefined) return run
    }
    return undefined
  }

  #answerUnhandled(request: Request): Response {
    const run = this.current
    const isForService = run !== undefined && (run.target.leave?.(request, request.url) ?? false)
    const unhandled = run?.unhandled ?? 'error'
    if (unhandled === 'bypass' || (!isForService && isCommonAssetRequest(request))) return passthrough()
    const text = describe(request, isForService)
    if (unhandled === 'warn') {
      // biome-ignore lint/suspicious/noConsole: that is what the option asks for
      console.warn(`[flagdouble] ${text}`)
      return passthrough()
    }
    if (isForService) run?.unmodelled.push(text)
    // biome-ignore lint/suspicious/noConsole: a client says only that its request failed
    else console.error(`[flagdouble] ${text}`)
    return HttpResponse.error()
  }
}

function describe(request: Request, isForService: boolean): string {
  const fault = `No handler answers ${request.method} ${request.url}.`
  return isForService ? `${fault} ${nearestRouteHint(request)}` : fault
}

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
  readonly #requests = new RecentRequests()
  readonly #pending = new Set<PendingRequest>()

  constructor(mock: Mock, unhandled: Unhandled) {
    this.mock = mock
    this.unhandled = unhandled
    const target = targetOf(mock)
    this.target = { ...target, respond: (request) => this.#answer(target, request) }
    mock.onRequest((entry) => this.#requests.add(entry))
  }

  /** After the test: adds its requests to its failure. Throws if a request to the service was left unanswered. */
  finish({ task: { result } }: Pick<TestContext, 'task'>): void {
    const failure = result?.state === 'fail' ? result.errors?.at(-1) : undefined
    // Messages of matchers list what was answered already.
    if (failure !== undefined) endWith(this.#requests.list([...this.#pending]), failure, this.#requests.list())
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
