/**
 * The service for a page in the browser: msw's worker answers, in the scenario named by the page's URL.
 *
 * @module
 */
import type { RequestHandler } from 'msw'
import { setupWorker } from 'msw/browser'
import { atCallSite, invalidArgument } from '../contract/arguments.js'
import { MockError } from '../contract/mock-errors.js'
import { SCENARIO_HEADER } from '../http/select.js'
import { createMock, type Mock, type MockOptions } from '../mock/mock.js'
import { CORE } from '../mock/session.js'
import { isObject } from '../support/json.js'
import { type Badge, showBadge } from './browser/badge.js'
import { type PageScenario, pageScenario } from './browser/page-scenario.js'
import { type HandlerTarget, handlersFor } from './msw/handlers.js'
import { rejectUnhandled } from './msw/unhandled.js'
import { targetOf } from './msw.js'

export interface StartWorkerOptions extends MockOptions {
  /** Shows a badge in a corner of the page with the active scenario and a menu to switch. Default: false. */
  badge?: boolean | undefined
  /** Your own handlers, which take precedence over the mock's. */
  handlers?: readonly RequestHandler[] | undefined
  /** What to do with requests that no handler answers. Default: `bypass`, send them to the network. */
  unhandled?: 'bypass' | 'warn' | 'error' | undefined
  /** Where msw's worker script is, if not at `/mockServiceWorker.js`. */
  serviceWorker?: { url?: string; options?: RegistrationOptions } | undefined
  /** Keeps msw from printing to the console. */
  quiet?: boolean | undefined
}

export interface RunningWorker extends AsyncDisposable {
  readonly mock: Mock
  /** The page's active scenarios, joined by commas. */
  readonly scenario: string
  /** Stops answering. Can be called again. */
  stop(): Promise<void>
}

/**
 * Answers the page's requests to the service. Each request reads the scenario from the page's URL:
 * `?scenario=expired-token`. It persists while the app navigates, and ends with `?scenario=` or when a URL without it is
 * typed. An unknown scenario is reported in the console and in every response.
 *
 * Needs msw's worker script among the page's public files: `npx msw init public`.
 *
 * @example
 * if (import.meta.env.DEV) {
 *   const { startWorker } = await import('flagdouble/browser')
 *   await startWorker({ badge: true })
 * }
 */
export async function startWorker(options: StartWorkerOptions = {}): Promise<RunningWorker> {
  atCallSite(startWorker, () => checkWorkerOptions(options))
  const { badge: wantsBadge = false, handlers = [], unhandled = 'bypass', serviceWorker, quiet, ...rest } = options
  const mock = atCallSite(startWorker, () => createMock(rest))
  mock[CORE].setDefaultBaseUrl(location.origin)
  const page = pageScenario()
  const badge = wantsBadge ? createBadge(mock, page) : undefined
  const follower = followPage(mock, page, badge)
  follower.follow()
  const worker = setupWorker(
    ...handlers,
    ...handlersFor(follower),
    ...(unhandled === 'error' ? [rejectUnhandled()] : []),
  )
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

/** The mock, which switches to the scenario of the page's URL before each request. */
function followPage(mock: Mock, page: PageScenario, badge: Badge | undefined): HandlerTarget & { follow(): void } {
  const target = targetOf(mock, { keepsLogin: true })
  const atStart = mock.activeScenarios
  let followed: string | undefined
  let unknown: string | undefined
  const follow = () => {
    const wanted = page.read()
    if (wanted !== followed) unknown = switchTo(mock, wanted === undefined ? atStart : [wanted])
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

/** Switches. Logs unknown scenarios to the console and returns them, so that every response reports them too. */
function switchTo(mock: Mock, names: readonly string[]): string | undefined {
  try {
    mock.useScenario(...names)
    return undefined
  } catch (error) {
    if (!(error instanceof MockError)) throw error
    // biome-ignore lint/suspicious/noConsole: the console is where people look after mistyping a URL
    console.error(`[flagdouble] ${error.problem} ${error.hint}`)
    return names.join(',')
  }
}

/** The request with the scenario in a header, unless it already names one. */
function under(scenario: string, request: Request): Request {
  if (request.headers.has(SCENARIO_HEADER)) return request
  const headers = new Headers(request.headers)
  headers.set(SCENARIO_HEADER, scenario)
  return new Request(request, { headers })
}

function createBadge(mock: Mock, page: PageScenario): Badge {
  return showBadge(mock.scenarios, (scenario) => location.assign(page.addressUnder(scenario)))
}

const POLICIES: readonly unknown[] = ['bypass', 'warn', 'error', undefined]

/** Checks the options of `startWorker` that are not those of `createMock`. Throws `INVALID_ARGUMENT`. */
export function checkWorkerOptions(options: unknown): void {
  if (!isObject(options)) throw invalidArgument('startWorker', 'an object of options', options)
  const { handlers = [], unhandled, badge = false, quiet = false } = options
  if (!Array.isArray(handlers)) throw invalidArgument('The option handlers', 'a list of handlers', handlers)
  if (!POLICIES.includes(unhandled))
    throw invalidArgument('The option unhandled', '"bypass", "warn" or "error"', unhandled)
  if (typeof badge !== 'boolean') throw invalidArgument('The option badge', 'true or false', badge)
  if (typeof quiet !== 'boolean') throw invalidArgument('The option quiet', 'true or false', quiet)
}
