/**
 * The mock for a page in the browser: msw's worker responds, in the scenario of the page's URL.
 *
 * @module
 */
import type { RequestHandler } from 'msw'
import { setupWorker } from 'msw/browser'
import * as z from 'zod'
import { atCallSite, invalidArgument } from '../../engine/errors/arguments.js'
import { MockError } from '../../engine/errors/mock-errors.js'
import { misspeltInAddress, SCENARIO_HEADER, SCENARIO_QUERY, scenarioNamedIn } from '../../engine/http/resolve.js'
import { printNotices } from '../../engine/mock/core.js'
import { createMock, type Mock, type MockOptions } from '../../engine/mock/mock.js'
import { expectFitting, mockOptionsIn, optionSchemas } from '../../engine/mock/options.js'
import { expectMock } from '../../engine/mock/recognize.js'
import { CORE, type MockSession, sessionOf } from '../../engine/mock/session.js'
import { selectionIn } from '../../engine/scenarios/selection.js'
import { isObject } from '../../support/json.js'
import { headerText } from '../../support/text.js'
import { type Badge, showBadge } from './browser/badge.js'
import { expectPage, workerFault } from './browser/misuse.js'
import { type PageScenario, pageScenario, queryNaming } from './browser/page-scenario.js'
import type { PanelTarget } from './browser/panel-host.js'
import { panelOpener } from './browser/panel-opener.js'
import { type HandlerTarget, handlersFor } from './msw/handlers.js'
import { targetOf } from './msw/target.js'
import { handlersSchema, rejectUnhandled, unhandledSchema } from './msw/unhandled.js'

export interface StartWorkerOptions extends MockOptions {
  /**
   * Shows a badge in a corner of the page with the active scenario. The badge or Ctrl+Alt+M opens the control panel as a
   * drawer of the page, and loads its code. Default: false.
   */
  badge?: boolean | undefined
  /**
   * Whether changes in the page survive a reload of its tab, until "Start over": records, rules, clock, saved scenarios,
   * the switch and the login. They are stored in IndexedDB, separately for each tab. Default: true.
   */
  keep?: boolean | undefined
  /** Your own handlers, which take precedence over the mock's. */
  handlers?: readonly RequestHandler[] | undefined
  /** The handling of requests that no handler matches. Default: `bypass`, which sends them to the network. */
  unhandled?: 'bypass' | 'warn' | 'error' | undefined
  /** The URL of msw's worker script, if it isn't `/mockServiceWorker.js`. */
  serviceWorker?: { url?: string; options?: RegistrationOptions } | undefined
  /** Keeps msw from printing to the console. */
  quiet?: boolean | undefined
}

const optionsSchema = z
  .strictObject({
    badge: z.boolean(),
    keep: z.boolean(),
    handlers: handlersSchema,
    unhandled: unhandledSchema,
    serviceWorker: z.custom<StartWorkerOptions['serviceWorker']>(isObject, 'must be an object with url and options'),
    quiet: z.boolean(),
    ...optionSchemas,
  } satisfies Record<keyof StartWorkerOptions, z.ZodType>)
  .partial()

export interface RunningWorker extends AsyncDisposable {
  /** The mock of the page: change its data, or read its requests. */
  readonly mock: Mock
  /** The page's current scenarios, comma-separated. */
  readonly scenario: string
  /** Stops the worker. You can call it again. */
  stop(): Promise<void>
}

/** A page has one worker: React calls effects twice. */
let running: Promise<RunningWorker> | undefined
let runningOptions = ''

/**
 * Handles the page's requests to Unleash. Each request reads the scenario from the page's URL:
 * `?scenario=expired-token`. It persists while the app navigates, and ends with `?scenario=` or when the user types a URL without it. The console and every response report an unknown scenario. While a worker runs, another call returns it.
 *
 * Needs msw's worker script among the page's public files: `npx msw init public --save`. Rejects with `NOT_READY`, and leaves
 * nothing in the page, if the worker can't start.
 *
 * @example
 * if (import.meta.env.DEV) {
 *   const { startWorker } = await import('flagdouble/browser')
 *   await startWorker({ badge: true })
 * }
 */
export async function startWorker(options: StartWorkerOptions = {}): Promise<RunningWorker> {
  atCallSite(startWorker, () => {
    expectFitting(optionsSchema, options, 'startWorker')
    expectPage('startWorker')
  })
  const text = JSON.stringify(options)
  if (running !== undefined) {
    if (text !== runningOptions) warnOfOtherOptions()
    return running
  }
  runningOptions = text
  const mock = atCallSite(startWorker, () => createMock(mockOptionsIn(options)))
  const starting = start(mock, options)
  running = starting
  starting.catch(() => {
    running = undefined
  })
  return starting
}

function warnOfOtherOptions(): void {
  // biome-ignore lint/suspicious/noConsole: the worker runs, so this isn't an error
  console.warn(
    '[flagdouble] startWorker was called again with other options, which have no effect: stop the worker first.',
  )
}

async function start(mock: Mock, options: StartWorkerOptions): Promise<RunningWorker> {
  const { handlers = [], unhandled = 'bypass', serviceWorker, quiet } = options
  mock[CORE].setDefaultBaseUrl(location.origin)
  const page = pageScenario()
  const atStart = sessionOf(mock).activeNames
  const keeping =
    options.keep === false ? undefined : await (await import('./browser/kept-page.js')).keepInFrame(mock[CORE])
  const misspelt = misspeltInAddress(new URLSearchParams(location.search))
  printNotices([...mock[CORE].notices(), ...(misspelt === undefined ? [] : [misspelt])])
  const follower = new PageFollower(mock, page, atStart)
  follower.follow()
  const worker = setupWorker(
    ...handlers,
    ...handlersFor(follower),
    ...(unhandled === 'error' ? [rejectUnhandled()] : []),
  )
  try {
    await worker.start({
      onUnhandledRequest: unhandled,
      ...{ onUnhandledFrame: unhandled },
      ...(serviceWorker === undefined ? {} : { serviceWorker }),
      ...(quiet === undefined ? {} : { quiet }),
    })
  } catch (error) {
    keeping?.stop()
    throw workerFault(error)
  }
  const panel = options.badge ? panelOpener(follower.panelTarget) : undefined
  const badge = panel && showBadge(panel.toggle)
  follower.show(badge)
  let stopping: Promise<void> | undefined
  const stop = () => {
    badge?.remove()
    panel?.remove()
    if (stopping === undefined) {
      keeping?.stop()
      running = undefined
    }
    stopping ??= Promise.resolve(worker.stop())
    return stopping
  }
  return {
    mock,
    get scenario() {
      follower.follow()
      return sessionOf(mock).activeNames.join(',')
    },
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

/** The mock, which switches to the page's scenario before each request. */
class PageFollower implements HandlerTarget {
  readonly match: HandlerTarget['match']
  readonly panelTarget: PanelTarget
  readonly #mock: Mock
  readonly #page: PageScenario
  readonly #target: HandlerTarget
  readonly #atStart: readonly string[]
  /** The scenario in the page's address that it follows. Undefined for the scenarios at the start. */
  #followed: string | undefined
  /** A scenario in the page's address that doesn't exist. */
  #unknown: string | undefined
  #badge: Badge | undefined

  constructor(mock: Mock, page: PageScenario, atStart: readonly string[]) {
    this.#mock = mock
    this.#page = page
    this.#atStart = atStart
    this.#target = targetOf(mock, { keepsLogin: true, hasBase: true })
    this.match = this.#target.match
    // A world that resumes after a reload must not restart.
    const active = sessionOf(mock).activeNames.join(',')
    const named = page.read()
    const goesOn = active === (named ?? atStart.join(',')) || (named === undefined && !page.isNew)
    this.#followed = goesOn ? named : active
    mock[CORE].sessions.unnamed.onSwitch(() => this.#showScenario())
    this.panelTarget = {
      respond: (request) => {
        this.follow()
        return this.#target.respond(request)
      },
      baseUrl: mock[CORE].baseUrl,
      signsIn: true,
      scenarioLink: (name) => page.addressUnder(name),
      addressFault: () => this.#addressFault(),
      switched: (names) => this.#choose(names.join(',')),
    }
  }

  follow(): void {
    const wanted = this.#page.read()
    if (wanted !== this.#followed) {
      this.#unknown = switchTo(this.#mock, wanted === undefined ? this.#atStart : [wanted])
    }
    this.#followed = wanted
    this.#showScenario()
  }

  /** Shows the scenario in a badge from now on. */
  show(badge: Badge | undefined): void {
    this.#badge = badge
    this.follow()
  }

  respond(request: Request): Promise<Response> {
    this.follow()
    const active = this.#followed === undefined ? undefined : sessionOf(this.#mock).activeNames.join(',')
    const named = this.#unknown ?? active
    return this.#target.respond(named === undefined ? request : under(named, request))
  }

  /** A switch in the panel has the same effect as a scenario in the page's address. */
  #choose(name: string): void {
    if (name === (this.#page.read() ?? this.#atStart.join(','))) return
    this.#page.choose(name)
    this.#followed = name
    this.#unknown = undefined
    this.#showScenario()
  }

  #showScenario(): void {
    const state = this.#unknown !== undefined ? 'unknown' : this.#followed === undefined ? 'start' : 'named'
    this.#badge?.show(sessionOf(this.#mock).activeNames.join(','), state, this.#addressFault())
  }

  #addressFault(): string | undefined {
    if (this.#unknown === undefined) return undefined
    return queryNaming(this.#unknown).size > 1
      ? `The address has the parameter "${SCENARIO_QUERY}" more than once`
      : `The address names ${this.#unknown}, which doesn't exist`
  }
}

/**
 * Switches scenarios, and states of flags; a scenario that is active already doesn't start again. Logs unknown names to the
 * console and returns them, so that every response reports the error.
 */
function switchTo(mock: Mock, names: readonly string[]): string | undefined {
  try {
    scenarioNamedIn(queryNaming(names.join(',')))
    const { scenarios, states } = selectionIn(...names)
    if (scenarios.join(',') === mock.activeScenarios.join(',')) mock.tellFlags(Object.fromEntries(states))
    else mock.useScenario(...names)
    return undefined
  } catch (error) {
    if (!(error instanceof MockError)) throw error
    // biome-ignore lint/suspicious/noConsole: users look at the console after mistyping a URL
    console.error(`[flagdouble] ${error.problem} ${error.hint}`)
    return names.join(',')
  }
}

/** The request with the scenario in a header, unless it already names one. */
function under(scenario: string, request: Request): Request {
  if (request.headers.has(SCENARIO_HEADER)) return request
  const { method } = request
  const headers = new Headers(request.headers)
  const query = queryNaming(scenario)
  // Only a query can have several names. The mock rejects it without the body.
  if (query.size > 1) return new Request(`${request.url.split(/[?#]/, 1)[0]}?${query}`, { method, headers })
  headers.set(SCENARIO_HEADER, headerText(scenario))
  return new Request(request, { headers })
}

/** A panel in an element. */
export interface MountedPanel extends Disposable {
  /** Removes it from the page. You can call it again. */
  remove(): void
}

/**
 * Shows the control panel of a mock, or of one of its sessions, in an element: in Storybook, next to a playground, anywhere in the same page as the mock. It is in a shadow root, and this call loads its code.
 *
 * @example
 * const panel = await mountPanel(document.querySelector('#panel'), createMock())
 */
export async function mountPanel(element: Element, mock: MockSession): Promise<MountedPanel> {
  atCallSite(mountPanel, () => {
    expectPage('mountPanel')
    expectMock(mock, 'mountPanel')
    if (!(element instanceof Element)) throw invalidArgument('mountPanel', 'an element of the page', element)
  })
  const { mountInElement } = await import('./browser/drawer.js')
  const { remove } = mountInElement(element, {
    respond: mock.fetch,
    baseUrl: mock[CORE].baseUrl,
    signsIn: false,
  })
  return { remove, [Symbol.dispose]: remove }
}
