/**
 * The mock for Vitest tests: msw responds, with a separate mock for each test.
 *
 * @module
 */
import { afterAll, beforeAll, beforeEach, expect, type TestAPI, type TestContext, test as vitestTest } from 'vitest'
import { atCallSite, invalidArgument } from '../../engine/errors/arguments.js'
import { MockError } from '../../engine/errors/mock-errors.js'
import { warnOfLeftOut } from '../../engine/mock/core.js'
import type { Mock } from '../../engine/mock/mock.js'
import { expectAdapterOptions } from '../../engine/mock/options.js'
import { isObject } from '../../support/json.js'
import { expectHandling, type Unhandled } from './msw/unhandled.js'
import { toHaveReceived } from './vitest/matchers.js'
import { TestNetwork } from './vitest/network.js'
import { aroundEach, getCurrentSuite, getCurrentTest, wrapTest } from './vitest/peer.js'
import { type TestMockOptions, TestRun } from './vitest/run.js'

export type { AskedFor } from './vitest/matchers.js'
export type { TestMockOptions, Unhandled }

export interface MockFixtures {
  /** The mock of this test, fresh, with no data shared with any other test. */
  mock: Mock
  /** The options of the mock. Set them with `test.override({ mockOptions: … })` or `test.extend`. */
  mockOptions: Omit<TestMockOptions, 'server'>
}

// The only state at module level: msw patches globals of a worker, so a worker has one network.
const network = new TestNetwork()

/** The original function behind a wrapped test function. Vitest's own functions call each other by `this`. */
const unwrapped = new WeakMap<object, object>()

expect.extend({ toHaveReceived })

/**
 * Handles all requests to Unleash by the tests of this file, or of this `describe`. Each test has a fresh mock, even if tests run concurrently; the returned object stands for the current test's mock. A failing test lists its requests. A request that no handler matches is an error by default (`unhandled`).
 *
 * @example
 * const mock = useMock({ scenario: 'empty' })
 *
 * test('asks once', async () => {
 *   await showFlags()
 *   expect(mock.requests.count({ operation: 'getFeatures' })).toBe(1)
 * })
 */
export function useMock(options: TestMockOptions = {}): Mock {
  atCallSite(useMock, () => {
    if (getCurrentTest() !== undefined) throw misplaced()
    checkOptions(options)
    warnOfLeftOut(options)
  })
  answerTests(options)
  return mockOfThisTest()
}

/**
 * Vitest's `test` with the fixture `mock`. It needs no further setup; `test.concurrent` is fine.
 *
 * @example
 * test('clones', async ({ mock }) => {
 *   await clone('checkout-redesign', 'copy')
 *   expect(mock.features.get('copy')).toMatchObject({ project: 'default' })
 * })
 */
export const test: TestAPI<MockFixtures> = createTest()

function createTest(): TestAPI<MockFixtures> {
  // By suite, the prepared file: files in the same worker share the object of the outermost suite, but not its hooks.
  const prepared = new WeakMap<object, string | undefined>()
  const prepare = () => {
    const suite = getCurrentSuite()
    const { testPath } = expect.getState()
    if (prepared.has(suite) && prepared.get(suite) === testPath) return
    prepared.set(suite, testPath)
    answerTests()
    // The same file can run again in the same worker.
    afterAll(() => {
      prepared.delete(suite)
    })
  }
  const withMock = vitestTest.extend<MockFixtures>({
    mockOptions: {},
    // Vitest reads a fixture's dependencies from the braces.
    mock: async ({ mockOptions, task, onTestFinished }, use) => {
      await use((network.runOf(task) ?? begin(mockOptions, { task, onTestFinished })).mock)
    },
  })
  return preparing(withMock, prepare)
}

/** The same function, including its members such as `test.concurrent` and `test.each`: each call prepares first. */
function preparing<Called extends object>(called: Called, prepare: () => void): Called {
  const lead = (result: unknown) => (typeof result === 'function' ? preparing(result, prepare) : result)
  const proxy: Called = new Proxy(called, {
    get: (target, key) => lead(Reflect.get(target, key)),
    apply(target, self, args) {
      prepare()
      return lead(Reflect.apply(target as () => unknown, unwrapped.get(self) ?? self, args))
    },
  })
  unwrapped.set(proxy, called)
  return proxy
}

/** Sets up the tests of a file or a `describe`; without options, only tests with the fixture, once. */
function answerTests(options?: TestMockOptions): void {
  const { server } = options ?? {}
  if (server === undefined) beforeAll(() => network.open())
  const optionsOf = (task: object, ofFixture: TestMockOptions | undefined): TestMockOptions | undefined => {
    if (options !== undefined || network.runOf(task) !== undefined) return options
    // The fixture has started its own server.
    if (ofFixture?.server !== undefined) throw misplacedServer()
    return ofFixture
  }
  // Vitest reads a hook's fixtures from the braces.
  if (aroundEach === undefined) {
    beforeEach<Partial<MockFixtures>>(({ mockOptions, task, onTestFinished }) => {
      const given = optionsOf(task, mockOptions)
      if (given !== undefined) begin(given, { task, onTestFinished })
    })
  } else {
    aroundEach<Partial<MockFixtures>>(async (runTest, { mockOptions, task, onTestFinished }) => {
      const given = optionsOf(task, mockOptions)
      if (given === undefined) await runTest()
      else await network.run(begin(given, { task, onTestFinished }), runTest)
    })
  }
  // Earlier hooks can have reset its handlers.
  if (server !== undefined) beforeEach(() => network.join(server))
}

/** Begins a run of a test, with its own mock. */
function begin(options: TestMockOptions, { task, onTestFinished }: HookContext): TestRun {
  checkOptions(options)
  const run = new TestRun(task, options)
  const end = network.begin(run)
  wrapTest(task, (test) => network.run(run, test))
  onTestFinished(() => {
    end()
    run.finish()
  })
  return run
}

type HookContext = Pick<TestContext, 'task' | 'onTestFinished'>

/** Checks the names of all options, and the values of those that `createMock` doesn't have. */
function checkOptions(options: TestMockOptions): void {
  expectAdapterOptions(options, 'useMock', ['handlers', 'unhandled', 'server'])
  expectHandling(options, ['error', 'warn', 'bypass'])
  const { server, handlers, unhandled } = options
  if (server === undefined) return
  if (!isObject(server) || !('use' in server)) throw invalidArgument('The option server', 'an msw server', server)
  if (handlers === undefined && unhandled === undefined) return
  throw new MockError(
    'INVALID_OPTION',
    `useMock can't take ${handlers === undefined ? 'unhandled' : 'handlers'} together with a server.`,
    'Set the handlers and `onUnhandledRequest` on the server itself.',
  )
}

function currentMock(): Mock {
  const run = network.current
  if (run !== undefined) return run.mock
  if (network.isAmbiguous) {
    throw new MockError(
      'NOT_READY',
      "Tests run concurrently, and before Vitest 4.1 a hook can't tell which test it belongs to.",
      'Use the mock inside the tests, or update Vitest.',
    )
  }
  throw new MockError(
    'NOT_READY',
    'The mock exists only while a test runs.',
    'Use it in a test, in beforeEach or in afterEach, because each test has its own mock.',
  )
}

function misplaced(): MockError {
  return new MockError(
    'NOT_READY',
    'useMock was called inside a test.',
    'Call it at the top of the file or of a `describe`; it returns the mock of the test that runs.',
  )
}

function misplacedServer(): MockError {
  return new MockError(
    'INVALID_OPTION',
    "The fixture can't take the option server.",
    "Call `useMock({ server })`, and use Vitest's own `test`.",
  )
}

/** Stands for the mock of the running test. */
function mockOfThisTest(): Mock {
  return new Proxy({} as Mock, {
    get: (_, key) => Reflect.get(typeof key === 'symbol' ? (network.current?.mock ?? {}) : currentMock(), key),
    has: (_, key) => Reflect.has(network.current?.mock ?? {}, key),
  })
}
