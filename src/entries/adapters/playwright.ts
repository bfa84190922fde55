/**
 * The mock for Playwright tests: one server per worker, one session per test.
 *
 * @module
 */

import { type BrowserContext, test as base, expect as baseExpect } from '@playwright/test'
import * as z from 'zod'
import { invalidArgument } from '../../engine/errors/arguments.js'
import { MockError } from '../../engine/errors/mock-errors.js'
import { SESSION_COOKIE, SESSION_HEADER } from '../../engine/http/resolve.js'
import { isClaimed } from '../../engine/http/routes.js'
import { isServiceRequest } from '../../engine/http/unknown.js'
import type { MockOptions } from '../../engine/mock/mock.js'
import { expectFitting, optionSchemas } from '../../engine/mock/options.js'
import { CORE, type MockSession, sessionOf } from '../../engine/mock/session.js'
import { ofOneTest } from '../../engine/sessions/flag-coverage.js'
import type { JournalEntry } from '../../engine/sessions/journal.js'
import type { OperationId } from '../../service/api/operations.js'
import { startStopwatch } from '../../support/clock.js'
import { attempt, systemCode } from '../../support/errors.js'
import { isObject } from '../../support/json.js'
import { type RunningServer, startServer } from './node.js'
import { expectPeer } from './peer.js'
import { COVERAGE_ATTACHMENT, isCoverageWanted } from './runners/coverage.js'
import { type ReceivedRequest, toHaveReceived } from './runners/matchers.js'
import { endWith, expectNoUnmetRules, listRequests, noticesOf } from './runners/requests.js'

export type { ReceivedRequest }

expectPeer('playwright', '@playwright/test', '1.40')

/**
 * Playwright's `expect` with the matcher `toHaveReceived`.
 *
 * @example
 * expect(mock).toHaveReceived('cloneFeature', { status: 403 })
 */
export const expect = baseExpect.extend({
  toHaveReceived(mock: MockSession, operation: OperationId, expected?: number | ReceivedRequest) {
    return toHaveReceived.call({ equals: isLike, utils: {} }, mock, operation, expected)
  },
})

/** In a matcher, Playwright's `this.equals` throws. */
function isLike(given: unknown, expected: unknown): boolean {
  return (
    attempt(() => {
      baseExpect(given).toMatchObject(expected as Record<string, unknown>)
      return true
    }) ?? false
  )
}

const optionsSchema = z.strictObject(optionSchemas).partial()

/** The session of one test, with its own data, scenario, clock and journal. */
export interface TestMock extends MockSession {
  /** The mock's URL. */
  readonly url: string
  /** Headers that assign a request to this test, for requests by the test itself or by the app's server. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * Assigns the requests of another browser context's pages to this test. A context of `browser.newContext()` joins by
   * itself; another browser's or a persistent context doesn't.
   */
  join(context: BrowserContext): Promise<void>
}

/** A worker's running test. */
interface RunningTest {
  /** Its mock, which new browser contexts join. */
  mock: TestMock | undefined
  /** The flags that the worker's tests have listed for the reporter. */
  readonly listed: Set<string>
  /** The requests of the test's pages to Unleash's paths, at any address. */
  readonly sent: Set<string>
}

export interface PlaywrightFixtures {
  /**
   * The mock of this test. It receives every request of the test's pages: sent directly, through the app's development
   * proxy, or through an app server that forwards the cookie `mock-session`.
   */
  mock: TestMock
}

export interface MockWorkerFixtures {
  /** Options for each worker's mock. Set them with `test.use({ mockOptions: … })` or in the configuration. */
  mockOptions: MockOptions
  /**
   * The port of each worker's server. Default: 0, a free port. Then the mock itself handles the pages' requests to
   * Unleash's paths at `baseURL`. With a port, the app's server must forward these requests.
   */
  mockPort: number
  /** This worker's server. Start anything that needs its URL in your own worker fixture. */
  mockServer: RunningServer
}

/**
 * Playwright's `test` with the fixture `mock`. The error of a failing test ends with its requests.
 *
 * @example
 * test('shows an error when a permission is missing', async ({ mock, page }) => {
 *   mock.useScenario('missing-permission')
 *   await page.goto('/flags')
 *   await page.getByRole('button', { name: 'Clone' }).click()
 *   await expect(page.getByRole('alert')).toContainText('CREATE_FEATURE')
 *   expect(mock.requests.count({ operation: 'cloneFeature', status: 403 })).toBe(1)
 * })
 */
export const test = base.extend<PlaywrightFixtures, MockWorkerFixtures & { runningTest: RunningTest }>({
  mockOptions: [{}, { scope: 'worker', option: true }],
  mockPort: [0, { scope: 'worker', option: true }],
  mockServer: [
    async ({ mockOptions, mockPort }, use, { config: { workers } }) => {
      expectFitting(optionsSchema, mockOptions, 'mockOptions')
      await using server = await startServer(mockOptions, { port: mockPort }).catch((error) => {
        throw workers > 1 && systemCode(error) === 'EADDRINUSE' ? portInUse(mockPort, workers) : error
      })
      await use(server)
    },
    { scope: 'worker' },
  ],
  runningTest: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from the braces
    async ({}, use) => {
      await use({ mock: undefined, listed: new Set(), sent: new Set() })
    },
    { scope: 'worker' },
  ],
  browser: [
    async ({ browser, runningTest }, use) => {
      const { newContext } = browser
      browser.newContext = async (options) => {
        const context = await newContext.call(browser, options)
        await runningTest.mock?.join(context)
        return context
      }
      await use(browser)
      browser.newContext = newContext
    },
    { scope: 'worker' },
  ],
  mock: async ({ mockServer, mockPort, baseURL, runningTest }, use, testInfo) => {
    const name = `${testInfo.testId}-${testInfo.retry}`
    const { sent } = runningTest
    sent.clear()
    const mock = testMock(mockServer, name, { baseURL, isRedirected: mockPort === 0, sent })
    runningTest.mock = mock
    const since = mockServer.mock.requests.all().at(-1)?.id ?? 0
    await use(mock)
    if (testInfo.status !== testInfo.expectedStatus) {
      const requests = mock.requests.all()
      const failure = testInfo.errors.at(-1)
      const places =
        mockPort === 0 && baseURL !== undefined ? `${mock.url} and, for the test's pages, ${baseURL}` : mock.url
      const list = requests.length === 0 ? `No requests reached the mock at ${places}.` : listRequests(requests)
      const others = [
        ...(requests.length === 0 && sent.size > 0 ? [elsewhere([...sent])] : []),
        ...withoutSession(mockServer.mock.requests.find({ since })),
      ]
      if (failure !== undefined) endWith([list, ...others, ...noticesOf(mock)].join('\n'), failure)
      const body = JSON.stringify(requests, null, 2)
      await testInfo.attach('requests to the mock', { body, contentType: 'application/json' })
    }
    if (isCoverageWanted()) {
      const report = mockServer.mock[CORE].coverage.reportOf(name, sessionOf(mock).world(), runningTest.listed)
      const body = JSON.stringify(ofOneTest(report))
      await testInfo.attach(COVERAGE_ATTACHMENT, { body, contentType: 'application/json' })
    }
    runningTest.mock = undefined
    try {
      if (testInfo.status === 'passed') expectNoUnmetRules(mock)
    } finally {
      mock.reset()
    }
  },
  context: async ({ context, mock }, use) => {
    await mock.join(context)
    await use(context)
    if (isCoverageWanted()) await awaitReports(mock)
  },
})

/** The maximum requests in a sentence. */
const REQUESTS_NAMED = 5

/** A sentence about the requests of pages that the mock didn't get. */
function elsewhere(sent: readonly string[]): string {
  const shown = sent.slice(0, REQUESTS_NAMED).join(', ')
  return `Pages sent requests that it didn't get: ${shown}. Do they have another address, or does a route of the test respond?`
}

/** Lines about requests to a worker's server that name no test, such as those of the fixture `request`. */
function withoutSession(entries: readonly JournalEntry[]): string[] {
  if (entries.length === 0) return []
  const list = listRequests(entries.slice(-REQUESTS_NAMED)).replace(/^.*:/, 'Requests without the session of the test:')
  return [list, 'Send mock.headers with these requests.']
}

/** The maximum time to wait for the reports of a test's pages, in milliseconds. */
const REPORT_TIMEOUT = 300

/** Waits for the last report of each page with an SDK, while the pages are still open. */
async function awaitReports(mock: TestMock): Promise<void> {
  const elapsed = startStopwatch()
  const { coverage } = mock[CORE]
  if (coverage.forSession(mock.name).pages.all === 0) return
  do {
    const timeout = Math.max(1, REPORT_TIMEOUT - elapsed())
    await mock.requests.waitFor({ operation: 'registerFrontendMetrics' }, { timeout }).catch(() => undefined)
    const { all, known } = coverage.forSession(mock.name).pages
    if (all === known) return
  } while (elapsed() < REPORT_TIMEOUT)
}

/** The address of the app, and whether the mock handles the requests of its pages there to Unleash's paths. */
interface AppAddress {
  baseURL?: string | undefined
  isRedirected: boolean
  /** The requests of its pages to Unleash's paths. */
  sent: Set<string>
}

function testMock(server: RunningServer, name: string, { baseURL, isRedirected, sent }: AppAddress): TestMock {
  const { mock, url } = server
  const headers = { [SESSION_HEADER]: name }
  const joined = new WeakSet<BrowserContext>()
  const join = async (context: BrowserContext) => {
    expectContext(context)
    if (joined.has(context)) return
    joined.add(context)
    context.on('request', (request) => {
      const asked = {
        url: request.url(),
        method: request.method(),
        headers: new Headers(sdkHeaders(request.headers())),
      }
      if (isServiceRequest(asked)) sent.add(`${asked.method} ${asked.url.split('?')[0]}`)
    })
    await joinSession(context, { name, url, headers }, baseURL)
    if (isRedirected && baseURL !== undefined) await redirectToMock(context, server, headers, baseURL)
  }
  return Object.assign(Object.create(mock.session(name)) as MockSession, { url, headers, join })
}

function expectContext(given: unknown): void {
  if (isObject(given) && 'addCookies' in given) return
  throw invalidArgument('mock.join', 'a browser context (of a page: page.context())', given)
}

/** The header by which a request of an SDK is known. */
function sdkHeaders({ 'unleash-sdk': sdk }: Record<string, string>): Record<string, string> {
  return sdk === undefined ? {} : { 'unleash-sdk': sdk }
}

/** Assigns a context's requests to the session: by a cookie through the app's server, by a header if sent directly. */
async function joinSession(
  context: BrowserContext,
  { name, url, headers }: Pick<TestMock, 'name' | 'url' | 'headers'>,
  baseURL: string | undefined,
) {
  const hosts = ['http://localhost', 'http://127.0.0.1', url, ...(baseURL === undefined ? [] : [baseURL])]
  const origins = new Set(hosts.map((host) => `${new URL(host).protocol}//${new URL(host).hostname}`))
  await context.addCookies([...origins].map((origin) => ({ name: SESSION_COOKIE, value: name, url: origin })))
  await context.route(`${url}/**`, (route, request) =>
    route.fallback({ headers: { ...request.headers(), ...headers } }),
  )
}

/** The address of the control panel. */
const PANEL = /\/__mock\/?(?:[?#]|$)/

/** Sends the pages' requests to Unleash's paths at the app's address to the mock, by the rules of the dev server plugin. */
async function redirectToMock(
  context: BrowserContext,
  { mock, url: mockUrl }: RunningServer,
  headers: TestMock['headers'],
  baseURL: string,
) {
  const { origin } = new URL(baseURL)
  const { host } = new URL(mockUrl)
  const isFor = (method: string, url: string) => isClaimed(mock[CORE].service.locate({ method, url }))
  await context.route(
    ({ href }) => href.startsWith(`${origin}/`) && ['GET', 'POST'].some((method) => isFor(method, href)),
    (route, request) => {
      const url = request.url()
      const there = Object.assign(new URL(url), { host }).href
      // The panel works only at the mock's own address. Playwright can't respond with a redirect.
      if (request.isNavigationRequest() && PANEL.test(url)) {
        const body = `<script>location.replace(${JSON.stringify(there)})</script>`
        return route.fulfill({ contentType: 'text/html', body })
      }
      // A redirected navigation would end at the mock's own address.
      if (request.isNavigationRequest() || !isFor(request.method(), url)) return route.fallback()
      return route.fallback({ url: there, headers: { ...request.headers(), ...headers } })
    },
  )
}

function portInUse(port: number, workers: number): MockError {
  return new MockError(
    'INVALID_OPTION',
    `Port ${port} is already in use. Each of the ${workers} Playwright workers starts its own server.`,
    "Leave out `mockPort`, so that each mock takes a free port and responds to its pages' requests itself; or set `workers: 1`.",
  )
}
