/**
 * The service for tests with Vitest: answered by msw, with a mock of its own for each test.
 *
 * @module
 */
import type { RequestHandler } from 'msw'
import { aroundEach, beforeAll, type TestAPI, type TestContext, TestRunner, test as vitestTest } from 'vitest'
import { createMock, type Mock, type MockOptions } from '../../engine/mock/mock.js'
import { atCallSite, invalidArgument } from '../../service/contract/arguments.js'
import { MockError } from '../../service/contract/mock-errors.js'
import { isObject } from '../../support/json.js'
import { expectHandling } from './msw/unhandled.js'
import { registerMatchers } from './vitest/matchers.js'
import { TestNetwork, TestRun, type Unhandled } from './vitest/network.js'

export type { AskedFor } from './vitest/matchers.js'
export type { Unhandled }

export interface TestMockOptions extends MockOptions {
  /** Handlers of your own, asked before the mock: for other services, or to let requests through. */
  handlers?: readonly RequestHandler[] | undefined
  /**
   * What to do with a request that no handler answers. `error`: it fails and, if it looks like one to the service, so does
   * the test, even if the code under test catches the error. `warn` and `bypass` send it to the network, with or without
   * a warning. Default: `error`.
   */
  unhandled?: Unhandled | undefined
}

export interface MockFixtures {
  /** The mock of this test, fresh, with no data shared with any other test. */
  mock: Mock
  /** How it is made. Set it by `test.override({ mockOptions: … })` or `test.extend`. */
  mockOptions: TestMockOptions
}

// The one thing at module level: msw patches what is global in a worker, so a worker has one network.
const network = new TestNetwork()

registerMatchers()

/**
 * Answers all that the tests of this file, or of this `describe`, ask of the service. Each test has a fresh mock, tests
 * that run concurrently too; what is returned stands for the mock of the test that uses it. A test that fails lists its
 * requests. A request that the service does not know is an error, unless `unhandled` says otherwise.
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
  atCallSite(useMock, () => checkOptions(options))
  beforeAll(() => network.open())
  // Vitest wants to see by the braces what a hook uses.
  aroundEach((runTest, { task }) => runWithMock(options, runTest, { task }))
  return mockOfThisTest()
}

/**
 * Vitest's `test` with the fixture `mock`. Nothing else needs to be set up; `test.concurrent` is fine.
 *
 * @example
 * test('clones', async ({ mock }) => {
 *   await clone('checkout-redesign', 'copy')
 *   expect(mock.features.get('copy')).toMatchObject({ project: 'default' })
 * })
 */
export const test: TestAPI<MockFixtures> = createTest()

function createTest(): TestAPI<MockFixtures> {
  // By suite, the file for which it is prepared: files that share a worker share the object of the outermost suite, but
  // not its hooks.
  const prepared = new WeakMap<object, object | undefined>()
  const withMock = TestRunner.createTaskCollector(function (this: object, ...args: unknown[]) {
    const suite = TestRunner.getCurrentSuite()
    if (!prepared.has(suite) || prepared.get(suite) !== suite.file) {
      prepared.set(suite, suite.file)
      answerTestsOfSuite()
    }
    return implementationOf(vitestTest).apply(this, args)
  })
  return withMock.extend<MockFixtures>({
    mockOptions: {},
    // Vitest wants to see by the braces what a fixture builds on.
    mock: async ({ mockOptions: _ }, use) => use(currentMock()),
  })
}

/** The same as `useMock`, for tests that have the fixture, unless `useMock` or an outer suite does it already. */
function answerTestsOfSuite(): void {
  beforeAll(() => network.open())
  aroundEach<Partial<MockFixtures>>(async (runTest, { mockOptions, task }) => {
    if (mockOptions === undefined || network.current !== undefined) await runTest()
    else await runWithMock(mockOptions, runTest, { task })
  })
}

async function runWithMock(
  options: TestMockOptions,
  runTest: () => Promise<void>,
  context: Pick<TestContext, 'task'>,
): Promise<void> {
  checkOptions(options)
  const { handlers = [], unhandled = 'error', ...mockOptions } = options
  const run = new TestRun(createMock(mockOptions), unhandled)
  await network.run(run, handlers, runTest)
  run.finish(context)
}

/** Checks the options that are not those of `createMock`. */
function checkOptions(options: TestMockOptions): void {
  if (!isObject(options)) throw invalidArgument('useMock', 'an object of options', options)
  expectHandling(options, ['error', 'warn', 'bypass'])
}

function currentMock(): Mock {
  const run = network.current
  if (run !== undefined) return run.mock
  throw new MockError(
    'NOT_READY',
    'There is no mock outside of a test.',
    'Use it in a test, in beforeEach or in afterEach: each test has one of its own.',
  )
}

/** Stands for whichever mock belongs to the test that is running. */
function mockOfThisTest(): Mock {
  return new Proxy({} as Mock, {
    get: (_, key) => Reflect.get(typeof key === 'symbol' ? (network.current?.mock ?? {}) : currentMock(), key),
    has: (_, key) => Reflect.has(network.current?.mock ?? {}, key),
  })
}

/** What a test function of Vitest does when it is called; `this` says which modifiers it was called with. */
function implementationOf(test: unknown): (...args: unknown[]) => unknown {
  return (test as { fn: (...args: unknown[]) => unknown }).fn
}
