/**
 * The service for a page in the browser: answered by msw's worker, under the scenario that the page's address names.
 *
 * @module
 */
import type { RequestHandler } from 'msw'
import { setupWorker } from 'msw/browser'
import { MockError } from '../contract/mock-errors.js'
import { SCENARIO_HEADER, scenarioNames } from '../http/select.js'
import { createMock, type Mock, type MockOptions } from '../mock/mock.js'
import { CORE } from '../mock/session.js'
import { type Badge, showBadge } from './browser/badge.js'
import { type PageScenario, pageScenario } from './browser/page-scenario.js'
import { type HandlerTarget, handlersFor, targetOf } from './msw.js'

export interface WorkerOptions extends MockOptions {
  /** Shows the scenario in use in a corner of the page, where another one can be chosen. Default: false. */
  badge?: boolean | undefined
  /** Handlers of your own, asked before the mock. */
  handlers?: readonly RequestHandler[] | undefined
  /** What becomes of requests that nobody answers. Default: `bypass`, they go their way. */
  unhandled?: 'bypass' | 'warn' | 'error' | undefined
  /** Where msw's worker script is, if not at `/mockServiceWorker.js`. */
  serviceWorker?: { url?: string; options?: RegistrationOptions } | undefined
  /** Keeps msw from printing to the console. */
  quiet?: boolean | undefined
}

export interface RunningWorker extends AsyncDisposable {
  readonly mock: Mock
  /** The scenario that the page is under now; several are joined by commas. */
  readonly scenario: string
  /** Stops answering. Can be called again. */
  stop(): Promise<void>
}

/**
 * Answers what the page asks of the service. The scenario is read from the page's address at each request:
 * `?scenario=expired-token`. It stays while the app navigates on, and ends by `?scenario=` or when an address without it
 * is typed. An unknown one is told on the console and in every answer.
 *
 * Needs msw's worker script among the page's public files: `npx msw init public`.
 *
 * @example
 * if (import.meta.env.DEV) {
 *   const { startWorker } = await import('flagdouble/browser')
 *   await startWorker({ badge: true })
 * }
 */
export async function startWorker(options: WorkerOptions = {}): Promise<RunningWorker> {
  const { badge: wantsBadge = false, handlers = [], unhandled = 'bypass', serviceWorker, quiet, ...rest } = options
  const mock = createMock(rest)
  mock[CORE].setDefaultBaseUrl(location.origin)
  const page = pageScenario()
  const badge = wantsBadge ? createBadge(mock, page) : undefined
  const follower = followPage(mock, page, badge)
  follower.follow()
  const worker = setupWorker(...handlers, ...handlersFor(follower))
  await worker.start({
    onUnhandledRequest: unhandled,
    ...{ onUnhandledFrame: unhandled },
    ...(serviceWorker === undefined ? {} : { serviceWorker }),
    ...(quiet === undefined ? {} : { quiet }),
  })
  let stopping: Promise<void> | undefined
  const stop = () => {
    badge?.remove()
    stopping ??= Promise.resolve(worker.stop())
    return stopping
  }
  return {
    mock,
    get scenario() {
      follower.follow()
      return mock.activeScenarios.join(',')
    },
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

/** The mock, which before each request switches to what the page's address says. */
function followPage(mock: Mock, page: PageScenario, badge: Badge | undefined): HandlerTarget & { follow(): void } {
  const target = targetOf(mock)
  const atStart = mock.activeScenarios
  let followed: string | undefined
  let unknown: string | undefined
  const follow = () => {
    const wanted = page.read()
    if (wanted !== followed) unknown = switchTo(mock, wanted === undefined ? atStart : scenarioNames(wanted))
    followed = wanted
    badge?.show(wanted, unknown === undefined)
  }
  return {
    follow,
    match: target.match,
    respond(request) {
      follow()
      const named = unknown ?? (followed === undefined ? undefined : mock.activeScenarios.join(','))
      return target.respond(named === undefined ? request : under(named, request))
    },
  }
}

/** Switches, and answers what is unknown of it: the console tells of it, and so will every answer. */
function switchTo(mock: Mock, names: readonly string[]): string | undefined {
  try {
    mock.useScenario(...names)
    return undefined
  } catch (error) {
    if (!(error instanceof MockError)) throw error
    // biome-ignore lint/suspicious/noConsole: whoever mistypes a page's address looks into the console
    console.error(`[flagdouble] ${error.fault} ${error.hint}`)
    return names.join(',')
  }
}

/** A request that names a scenario, unless it does so itself. */
function under(scenario: string, request: Request): Request {
  if (request.headers.has(SCENARIO_HEADER)) return request
  const headers = new Headers(request.headers)
  headers.set(SCENARIO_HEADER, scenario)
  return new Request(request, { headers })
}

function createBadge(mock: Mock, page: PageScenario): Badge {
  return showBadge(mock.scenarios, (scenario) => location.assign(page.addressUnder(scenario)))
}
