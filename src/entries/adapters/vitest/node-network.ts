import { AsyncLocalStorage } from 'node:async_hooks'
import type { HttpHandler } from 'msw'
import { setupServer } from 'msw/node'
import { listenOptions } from '../msw/unhandled.js'
import { isServedHere } from '../node/running.js'
import { isCoverageWanted } from '../runners/coverage.js'
import { TestNetwork } from './network.js'
import { wrapTest } from './peer.js'
import type { OwnServer, TestRun } from './run.js'

/**
 * A server of msw. A request belongs to the test whose asynchronous context sends it, so tests that run at the same time
 * never meet. msw's `boundary` would do the same, but only since 2.2, and it also replaces the handlers of the project's
 * own servers.
 */
export class NodeNetwork extends TestNetwork {
  protected readonly isCoverageWanted = isCoverageWanted()
  readonly #context = new AsyncLocalStorage<TestRun>()
  /** Whether another msw server listens, which decides about requests that aren't for Unleash. */
  #isSecond = false

  protected start(handler: HttpHandler): () => void {
    this.#isSecond = isAskedAlone()
    if (this.#isSecond) reportOther()
    // In msw 2.0, a closed server can't listen again.
    const server = setupServer(handler)
    server.listen(listenOptions(undefined, { unhandled: this.#isSecond ? 'bypass' : 'error' }))
    this.#isSecond ||= hasOtherListeners()
    return () => server.close()
  }

  protected isSameCopy(server: OwnServer): boolean {
    return Object.getPrototypeOf(server) === Object.getPrototypeOf(setupServer())
  }

  run<Result>(run: TestRun, act: () => Result): Result {
    return this.#context.run(run, act)
  }

  protected get inContext(): TestRun | undefined {
    return this.#context.getStore()
  }

  protected admit(run: TestRun, others: readonly TestRun[]): void {
    wrapTest(run.task, (test) => this.run(run, test))
    if (others.length > 0 || this.#isSecond || !hasOtherListeners()) return
    this.#isSecond = true
    if (isAskedAlone()) reportOther()
  }

  protected isServed({ url }: Request): boolean {
    return isServedHere(url)
  }

  protected isForOthers(): boolean {
    return this.#isSecond
  }
}

/** The part of msw's interceptors that reveals other listeners. msw has no public API for it. */
interface Interceptor {
  readyState?: unknown
  emitter?: { listenerCount?(event: 'request'): number }
}

/** Whether another server also listens, in msw 2. Each request counts as a listener while it waits for a response. */
function hasOtherListeners(): boolean {
  const running = interceptors('fetch')
  return running.length > 1 || running.some((one) => (one?.emitter?.listenerCount?.('request') ?? 0) > 1)
}

/** Whether a server of msw 2.13 or later listens. Of several such servers, msw uses only the last. */
function isAskedAlone(): boolean {
  const msw3: Map<symbol, Interceptor> | undefined = Reflect.get(globalThis, '__MSW_INTERCEPTORS_REGISTRY')
  const isActive = [...(msw3?.values() ?? [])].some(({ readyState }) => readyState === 'ACTIVE')
  return isActive || interceptors('interceptor-source').length > 0
}

/** Explains how to share a server, because msw silently ignores one of the two. */
function reportOther(): void {
  // biome-ignore lint/suspicious/noConsole: no other place shows it to the user
  console.warn(
    '[flagdouble] Another msw server is listening, and msw uses only the server that started last. Pass your own server to `useMock({ server })`.',
  )
}

function interceptors(name: string): (Interceptor | undefined)[] {
  const symbols = Object.getOwnPropertySymbols(globalThis).filter(({ description }) => description?.startsWith(name))
  return symbols.map((symbol) => Reflect.get(globalThis, symbol) as Interceptor | undefined)
}
