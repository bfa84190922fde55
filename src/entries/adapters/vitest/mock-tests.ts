import * as vitest from 'vitest'
import { afterAll, beforeAll, beforeEach, expect, type TestAPI, type TestContext, test as vitestTest } from 'vitest'
import { atCallSite } from '../../../engine/errors/arguments.js'
import { MockError } from '../../../engine/errors/mock-errors.js'
import { noticesAbout, printNotices } from '../../../engine/mock/core.js'
import { Mock } from '../../../engine/mock/mock.js'
import { expectFitting } from '../../../engine/mock/options.js'
import { didYouMean } from '../../../support/nearest.js'
import { toHaveReceived } from '../runners/matchers.js'
import type { TestNetwork } from './network.js'
import { type TestMockOptions, TestRun, testOptionsSchema } from './run.js'

export interface MockFixtures {
  /** The mock of this test, fresh, with no data shared with any other test. */
  mock: Mock
  /** The options of the mock. Set them with `test.override({ mockOptions: … })` or `test.extend`. */
  mockOptions: Omit<TestMockOptions, 'server'>
}

/** Runs around a test and its other hooks. Vitest has it since 4.1. */
const aroundEach: typeof vitest.aroundEach | undefined = vitest.aroundEach

/** The original function behind a wrapped test function. Vitest's own functions call each other by `this`. */
const unwrapped = new WeakMap<object, object>()

expect.extend({ toHaveReceived })

export interface MockTests {
  useMock(options?: TestMockOptions): Mock
  test: TestAPI<MockFixtures>
}

/** The functions of Vitest that tell which test runs. */
export type Runner = Pick<typeof vitest.TestRunner, 'getCurrentSuite' | 'getCurrentTest'>

/** The functions for the tests of a worker, or of a page. */
export function mockTests(network: TestNetwork, runner: Runner): MockTests {
  const useMock = (options: TestMockOptions = {}) => {
    atCallSite(useMock, () => {
      if (runner.getCurrentTest() !== undefined) throw misplaced()
      checkOptions(options)
      printNotices(noticesAbout(options))
    })
    answerTests(network, options)
    return mockOfThisTest(network)
  }
  return { useMock, test: createTest(network, runner) }
}

function createTest(network: TestNetwork, { getCurrentSuite }: Runner): TestAPI<MockFixtures> {
  // By suite, the prepared file: files in the same worker share the object of the outermost suite, but not its hooks.
  const prepared = new WeakMap<object, string | undefined>()
  const prepare = () => {
    const suite = getCurrentSuite()
    const { testPath } = expect.getState()
    if (prepared.has(suite) && prepared.get(suite) === testPath) return
    prepared.set(suite, testPath)
    answerTests(network)
    // The same file can run again in the same worker.
    afterAll(() => {
      prepared.delete(suite)
    })
  }
  const withMock = vitestTest.extend<MockFixtures>({
    mockOptions: {},
    // Vitest reads a fixture's dependencies from the braces.
    mock: async ({ mockOptions, task, onTestFinished }, use) => {
      await use((network.runOf(task) ?? begin(network, mockOptions, { task, onTestFinished })).mock)
    },
  })
  return preparing(withMock, { prepare, fixtures: ['mock', 'mockOptions'] })
}

/** A function of Vitest that is called with a name, such as `override`, and the fixtures of its test. */
interface Leading {
  prepare: () => void
  fixtures: readonly string[]
  name?: PropertyKey
}

/** The same function, including its members such as `test.concurrent` and `test.each`: each call prepares first. */
function preparing<Called extends object>(called: Called, { prepare, fixtures, name }: Leading): Called {
  const lead = (result: unknown, more: Partial<Leading> = {}) =>
    typeof result === 'function' ? preparing(result, { prepare, fixtures, ...more }) : result
  const proxy: Called = new Proxy(called, {
    get: (target, key) => lead(Reflect.get(target, key), { name: key }),
    apply(target, self, args) {
      prepare()
      const given = typeof args[0] === 'string' ? [args[0]] : Object.keys(args[0] ?? {})
      if (name === 'override' || name === 'scoped') expectFixtures(given, fixtures)
      const more = name === 'extend' ? { fixtures: [...fixtures, ...given] } : {}
      return lead(Reflect.apply(target as () => unknown, unwrapped.get(self) ?? self, args), more)
    },
  })
  unwrapped.set(proxy, called)
  return proxy
}

/** Throws for the options of a mock in the place of fixtures, and for a misspelt fixture: Vitest ignores both. */
function expectFixtures(given: readonly string[], fixtures: readonly string[]): void {
  for (const name of given) {
    if (fixtures.includes(name)) continue
    const hint = didYouMean(name, fixtures)
    if (hint === '' && !Object.hasOwn(testOptionsSchema.shape, name)) continue
    throw new MockError(
      'INVALID_OPTION',
      `test.override has no fixture "${name}".${hint}`,
      "Options of the mock belong in mockOptions: test.override({ mockOptions: { scenario: 'empty' } }).",
    )
  }
}

/** Sets up the tests of a file or a `describe`; without options, only tests with the fixture, once. */
function answerTests(network: TestNetwork, options?: TestMockOptions): void {
  const { server } = options ?? {}
  beforeAll(() => network.observe())
  if (server === undefined) beforeAll(() => network.open())
  const optionsOf = (task: object, ofFixture: TestMockOptions | undefined): TestMockOptions | undefined => {
    const isOverridden = Object.keys(ofFixture ?? {}).length > 0
    if (options !== undefined && isOverridden) throw ignoredOptions()
    if (options !== undefined || network.runOf(task) !== undefined) return options
    // The fixture has started its own server.
    if (ofFixture?.server !== undefined) throw misplacedServer()
    return ofFixture
  }
  // Vitest reads a hook's fixtures from the braces.
  if (aroundEach === undefined) {
    beforeEach<Partial<MockFixtures>>(({ mockOptions, task, onTestFinished }) => {
      const given = optionsOf(task, mockOptions)
      if (given !== undefined) begin(network, given, { task, onTestFinished })
    })
  } else {
    aroundEach<Partial<MockFixtures>>(async (runTest, { mockOptions, task, onTestFinished }) => {
      const given = optionsOf(task, mockOptions)
      if (given === undefined) await runTest()
      else await network.run(begin(network, given, { task, onTestFinished }), runTest)
    })
  }
  // Earlier hooks can have reset its handlers.
  if (server !== undefined) beforeEach(() => network.join(server))
}

/** Begins a run of a test, with its own mock. */
function begin(network: TestNetwork, options: TestMockOptions, { task, onTestFinished }: HookContext): TestRun {
  checkOptions(options)
  const run = new TestRun(task, options, network.runOf(task))
  const end = network.begin(run)
  onTestFinished(() => {
    end()
    run.finish(network.listedFor(task), () => network.takeStrays())
  })
  return run
}

type HookContext = Pick<TestContext, 'task' | 'onTestFinished'>

function checkOptions(options: TestMockOptions): void {
  if (options instanceof Mock) throw givenMock()
  const { server, handlers, unhandled } = expectFitting(testOptionsSchema, options, 'useMock')
  if (server === undefined) return
  if (handlers === undefined && unhandled === undefined) return
  throw new MockError(
    'INVALID_OPTION',
    `useMock can't take ${handlers === undefined ? 'unhandled' : 'handlers'} together with a server.`,
    'Set the handlers and `onUnhandledRequest` on the server itself.',
  )
}

function currentMock(network: TestNetwork): Mock {
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

function givenMock(): MockError {
  return new MockError(
    'INVALID_OPTION',
    'useMock takes options, not a mock: it creates a mock for each test.',
    'Pass it the options of createMock.',
  )
}

function misplacedServer(): MockError {
  return new MockError(
    'INVALID_OPTION',
    "The fixture can't take the option server.",
    "Call `useMock({ server })`, and use Vitest's own `test`.",
  )
}

function ignoredOptions(): MockError {
  return new MockError(
    'INVALID_OPTION',
    'Below useMock, `mockOptions` of the fixture have no effect.',
    'Pass the options to `useMock`, or call it in another `describe`.',
  )
}

/** Stands for the mock of the running test. */
function mockOfThisTest(network: TestNetwork): Mock {
  return new Proxy({} as Mock, {
    get: (_, key) => Reflect.get(typeof key === 'symbol' ? (network.current?.mock ?? {}) : currentMock(network), key),
    has: (_, key) => Reflect.has(network.current?.mock ?? {}, key),
  })
}
