import { AsyncLocalStorage } from 'node:async_hooks'
import type { RequestHandler } from 'msw'
import { type SetupServer, setupServer } from 'msw/node'
import { HttpResponse, http, passthrough } from '../msw/peer.js'
import { describeUnhandled, isAsset, listenOptions } from '../msw/unhandled.js'
import { isServedHere } from '../node/running.js'
import { expectSameCopy, hasOtherListeners, isAskedAlone, reportOther } from './other-servers.js'
import type { TestRun } from './run.js'

/**
 * The network of a worker's tests: a server of msw, or the project's own. A request belongs to the test whose
 * asynchronous context sends it, so tests that run at the same time never meet. msw's `boundary` would do the same, but
 * only since 2.2, and it also replaces the handlers of the project's own servers.
 */
export class TestNetwork {
  readonly #context = new AsyncLocalStorage<TestRun>()
  /** The running tests, for code outside of their contexts. */
  readonly #begun: TestRun[] = []
  #server: SetupServer | undefined
  /** The handler that was added to the project's own server. */
  readonly #added = new WeakMap<SetupServer, RequestHandler>()
  #users = 0
  /** Whether another msw server listens, which decides about requests that aren't for Unleash. */
  #isSecond = false

  /** Starts listening on the first call. The returned function ends it, after all callers have called theirs. */
  open(): () => void {
    if (this.#users === 0) {
      this.#isSecond = isAskedAlone()
      if (this.#isSecond) reportOther()
      // In msw 2.0, a closed server can't listen again.
      this.#server = setupServer(http.all('*', ({ request }) => this.#answer(request)))
      this.#server.listen(listenOptions(undefined, { unhandled: this.#isSecond ? 'bypass' : 'error' }))
      this.#isSecond ||= hasOtherListeners()
    }
    this.#users += 1
    return () => {
      this.#users -= 1
      if (this.#users === 0) this.#server?.close()
    }
  }

  /** Adds a handler to the project's own server that passes requests to the running test's mock, before its other handlers. */
  join(server: SetupServer): void {
    const listed = server.listHandlers()
    const added = this.#added.get(server)
    if (added !== undefined && listed.includes(added)) return
    expectSameCopy(server, listed)
    const handler = added ?? http.all('*', ({ request }) => this.#answerIn(server, request))
    this.#added.set(server, handler)
    server.use(handler)
  }

  /** Assigns a run to a test. The returned function ends it. */
  begin(run: TestRun): () => void {
    if (this.#begun.length === 0 && !this.#isSecond && hasOtherListeners()) {
      this.#isSecond = true
      if (isAskedAlone()) reportOther()
    }
    this.#begun.push(run)
    return () => {
      this.#begun.splice(this.#begun.indexOf(run), 1)
    }
  }

  /** Runs a test, or a part of it. The run's handlers handle its requests, however late. */
  run<Result>(run: TestRun, act: () => Result): Result {
    return this.#context.run(run, act)
  }

  /** The run of the calling code. Outside of a test's context, the run of the only running test. */
  get current(): TestRun | undefined {
    const run = this.#context.getStore()
    if (run !== undefined) return run
    const last = this.#begun.at(-1)
    return this.#begun.every(({ task }) => task === last?.task) ? last : undefined
  }

  /** A test's existing run. */
  runOf(task: object): TestRun | undefined {
    return this.#begun.findLast((run) => run.task === task)
  }

  /** Whether several tests are running, and the calling code belongs to none of them. */
  get isAmbiguous(): boolean {
    return this.current === undefined && this.#begun.length > 0
  }

  async #answerIn(server: SetupServer, request: Request): Promise<Response | undefined> {
    const run = this.current
    if (run === undefined || run.server !== server) return undefined
    if (isServedHere(request.url)) return passthrough()
    const response = await run.respond(request)
    if (response === undefined) run.target.leave?.(request, request.url)
    return response
  }

  async #answer(request: Request): Promise<Response> {
    const run = this.current
    if (run?.server !== undefined || isServedHere(request.url)) return passthrough()
    return (await run?.respond(request)) ?? this.#treatUnhandled(run, request)
  }

  #treatUnhandled(run: TestRun | undefined, request: Request): Response {
    const isForService = run?.target.leave?.(request, request.url) ?? false
    const unhandled = run?.unhandled ?? 'error'
    const isForOthers = !isForService && (isAsset(request) || this.#isSecond)
    if (unhandled === 'bypass' || isForOthers) return passthrough()
    const text = run === undefined ? outsideOfTests(request) : describeUnhandled(request, run.basePath)
    if (unhandled === 'warn') {
      // biome-ignore lint/suspicious/noConsole: that is what the option asks for
      console.warn(`[flagdouble] ${text}`)
      return passthrough()
    }
    run?.refuse(text, isForService)
    // biome-ignore lint/suspicious/noConsole: a client says only that its request failed
    if (!isForService) console.error(`[flagdouble] ${text}`)
    return HttpResponse.error()
  }
}

function outsideOfTests(request: Request): string {
  return `${describeUnhandled(request)} No test with a mock was running.`
}
