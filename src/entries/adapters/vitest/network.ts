import { type HttpHandler, RequestHandler } from 'msw'
import { MockError } from '../../../engine/errors/mock-errors.js'
import { CORE } from '../../../engine/mock/session.js'
import type { ListedFlags } from '../../../engine/sessions/flag-coverage.js'
import { HttpResponse, http, passthrough } from '../msw/peer.js'
import { describeUnhandled, isAsset } from '../msw/unhandled.js'
import { observeSdks, SendingSdks } from '../runners/coverage.js'
import type { OwnServer, TestRun } from './run.js'

/** The maximum requests outside of tests in the message of a failed test. */
const STRAYS_LISTED = 3

/** Ends the interception of requests. */
type Stop = () => unknown

/** The network of the tests in a worker of Node, or in a page: msw of flagdouble, or the project's own. */
export abstract class TestNetwork {
  /** The running tests, for code outside of their contexts. */
  readonly #begun: TestRun[] = []
  /** The handler that was added to the project's own server. */
  readonly #added = new WeakMap<OwnServer, RequestHandler>()
  /** By feature, the last test that listed it for the reporter of flag coverage. */
  readonly #listedBy = new Map<string, TestRun['task']>()
  readonly #sdks = new SendingSdks()
  /** The requests outside of tests. The next test that fails names them. */
  readonly #strays = new Set<string>()
  #stop: Stop | Promise<Stop> | undefined
  #users = 0

  /** Starts msw with a handler of all requests. */
  protected abstract start(handler: HttpHandler): Stop | Promise<Stop>

  /** Whether a server comes from flagdouble's own copy of msw. */
  protected abstract isSameCopy(server: OwnServer): boolean

  /** Runs a test, or a part of it. The run's handlers handle its requests, however late. */
  abstract run<Result>(run: TestRun, act: () => Result): Result

  /** The run in whose context the calling code is. */
  protected abstract get inContext(): TestRun | undefined

  /** Called before a test begins, with the running tests. */
  protected abstract admit(run: TestRun, others: readonly TestRun[]): void

  /** Whether a request is for a real server, although it can look like a request to Unleash. */
  protected abstract isServed(request: Request): boolean

  /** Whether a request that isn't for Unleash passes. */
  protected abstract isForOthers(request: Request): boolean

  /** Starts listening on the first call. The returned function ends it, after all callers have called theirs. */
  async open(): Promise<Stop> {
    if (this.#users === 0) this.#stop = this.start(http.all('*', ({ request }) => this.#answer(request)))
    this.#users += 1
    const stop = await this.#stop
    return () => {
      this.#users -= 1
      return this.#users === 0 ? stop?.() : undefined
    }
  }

  /** Whether a reporter wants the flag coverage. */
  protected abstract readonly isCoverageWanted: boolean

  /** The features that the other tests of a file have listed for the reporter. Undefined if none wants them. */
  listedFor(task: TestRun['task']): ListedFlags | undefined {
    if (!this.isCoverageWanted) return undefined
    return {
      has: (name) => {
        const lister = this.#listedBy.get(name)
        // A test that is repeated replaces its own report.
        return lister !== undefined && lister !== task && lister.file === task.file
      },
      add: (name) => this.#listedBy.set(name, task),
    }
  }

  /** Lets observed SDKs tell the running test's mock which flags they ask for. */
  observe(): Promise<void> {
    return observeSdks(() => {
      const mock = this.current?.mock
      return mock && { coverage: mock[CORE].coverage, session: mock.name }
    })
  }

  /** Adds a handler to the project's own server that passes requests to the running test's mock, before its other handlers. */
  join(server: OwnServer): void {
    const listed = server.listHandlers()
    const added = this.#added.get(server)
    if (added !== undefined && listed.includes(added)) return
    const isOurs = listed.every((handler) => !('run' in handler) || handler instanceof RequestHandler)
    if (!isOurs || !this.isSameCopy(server)) throw otherCopy()
    const handler = added ?? http.all('*', ({ request }) => this.#answerIn(server, request))
    this.#added.set(server, handler)
    server.use(handler)
  }

  /** The requests since the last call that no test sent. */
  takeStrays(): string[] {
    const strays = [...this.#strays].slice(-STRAYS_LISTED)
    this.#strays.clear()
    return strays
  }

  /** Assigns a run to a test. The returned function ends it. */
  begin(run: TestRun): () => void {
    this.admit(run, this.#begun)
    this.#begun.push(run)
    return () => {
      this.#begun.splice(this.#begun.indexOf(run), 1)
    }
  }

  /** The run of the calling code. Outside of a test's context, the run of the only running test. */
  get current(): TestRun | undefined {
    const run = this.inContext
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

  async #answerIn(server: OwnServer, request: Request): Promise<Response | undefined> {
    const run = this.current
    if (run === undefined || run.server !== server) return undefined
    if (this.isServed(request)) return passthrough()
    const response = await run.respond(request)
    await this.#sdks.observe(Object.fromEntries(request.headers))
    if (response === undefined) run.target.leave?.(request, request.url)
    return response
  }

  async #answer(request: Request): Promise<Response> {
    const run = this.current
    if (run?.server !== undefined || this.isServed(request)) return passthrough()
    const response = await run?.respond(request)
    await this.#sdks.observe(Object.fromEntries(request.headers))
    return response ?? this.#treatUnhandled(run, request)
  }

  #treatUnhandled(run: TestRun | undefined, request: Request): Response {
    const isForService = run?.target.leave?.(request, request.url) ?? false
    const unhandled = run?.unhandled ?? 'error'
    const isForOthers = !isForService && (isAsset(request) || this.isForOthers(request))
    if (unhandled === 'bypass' || isForOthers) return passthrough()
    const text = run === undefined ? outsideOfTests(request) : describeUnhandled(request, run.basePath)
    if (unhandled === 'warn') {
      // biome-ignore lint/suspicious/noConsole: that is what the option asks for
      console.warn(`[flagdouble] ${text}`)
      return passthrough()
    }
    if (run === undefined) this.#strays.add(text)
    run?.refuse(text, isForService)
    // biome-ignore lint/suspicious/noConsole: a client says only that its request failed
    if (!isForService) console.error(`[flagdouble] ${text}`)
    return HttpResponse.error()
  }
}

function outsideOfTests({ method, url }: Request): string {
  return `No test with a mock was running at ${method} ${url}. Start clients in tests or in beforeEach.`
}

/** msw silently ignores handlers of another copy. */
function otherCopy(): MockError {
  return new MockError(
    'INVALID_ARGUMENT',
    'The server of useMock and flagdouble use different copies of msw.',
    '`npm ls msw` shows which packages depend on them. Install one version.',
  )
}
