/**
 * The service for tests with Playwright: a running server for each worker, and a session of it for each test.
 *
 * @module
 */
import { type BrowserContext, test as base } from '@playwright/test'
import { SESSION_COOKIE, SESSION_HEADER } from '../http/select.js'
import type { MockOptions } from '../mock/mock.js'
import type { MockSession } from '../mock/session.js'
import { type RunningServer, startServer } from './node.js'

export { expect } from '@playwright/test'

/** The session of one test: data, scenario, clock and journal of its own. */
export interface TestMock extends MockSession {
  /** Where the service is. */
  readonly url: string
  /** Headers that make a request one of this test: for what the test, or a server of the app, asks by itself. */
  readonly headers: Readonly<Record<string, string>>
}

export interface MockFixtures {
  /**
   * The service as this test sees it. All that the test's pages ask of it comes here: directly, by a proxy of the app's
   * development server, and by a server of the app that hands on the cookie `mock-session`.
   */
  mock: TestMock
}

export interface MockWorkerFixtures {
  /** How the mock of a worker is made. Set it by `test.use({ mockOptions: … })` or in the configuration. */
  mockOptions: MockOptions
  /** The port of a worker's server. Default: 0, a free one. */
  mockPort: number
  /** The running server of this worker. Start what needs its URL in a worker fixture of your own. */
  mockServer: RunningServer
}

/**
 * Playwright's `test` with the fixture `mock`.
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
export const test = base.extend<MockFixtures, MockWorkerFixtures>({
  mockOptions: [{}, { scope: 'worker', option: true }],
  mockPort: [0, { scope: 'worker', option: true }],
  mockServer: [
    async ({ mockOptions, mockPort }, use) => {
      await using server = await startServer(mockOptions, { port: mockPort })
      await use(server)
    },
    { scope: 'worker' },
  ],
  mock: async ({ mockServer }, use, testInfo) => {
    const name = `${testInfo.testId}-${testInfo.retry}`
    const mock = testMock(mockServer, name)
    await use(mock)
    if (testInfo.status !== testInfo.expectedStatus) {
      const body = JSON.stringify(mock.requests.all(), null, 2)
      await testInfo.attach('requests to the mock', { body, contentType: 'application/json' })
    }
    mock.reset()
  },
  context: async ({ context, mock, baseURL }, use) => {
    await joinSession(context, mock, baseURL)
    await use(context)
  },
})

function testMock({ mock, url }: RunningServer, name: string): TestMock {
  const own = { url, headers: { [SESSION_HEADER]: name } }
  return Object.create(mock.session(name), Object.getOwnPropertyDescriptors(own)) as TestMock
}

/** Marks what the pages of a context ask: by a cookie on the way through a server of the app, directly by a header. */
async function joinSession(context: BrowserContext, { name, url, headers }: TestMock, baseURL: string | undefined) {
  const hosts = ['http://localhost', 'http://127.0.0.1', url, ...(baseURL === undefined ? [] : [baseURL])]
  const origins = new Set(hosts.map((host) => `${new URL(host).protocol}//${new URL(host).hostname}`))
  await context.addCookies([...origins].map((origin) => ({ name: SESSION_COOKIE, value: name, url: origin })))
  await context.route(`${url}/**`, (route, request) =>
    route.fallback({ headers: { ...request.headers(), ...headers } }),
  )
}
