import { HttpResponse, http, isCommonAssetRequest, passthrough, type RequestHandler } from 'msw'
import { setupServer } from 'msw/node'
import { nearestRouteHint } from '../../http/unmodelled.js'
import { handlerFor } from '../msw/handlers.js'
import { listenOptions } from '../msw.js'
import type { TestRun } from './run.js'

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
