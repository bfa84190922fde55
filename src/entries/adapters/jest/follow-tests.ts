import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Mock, mockListeners } from '../../../engine/mock/mock.js'
import { CORE, sessionOf } from '../../../engine/mock/session.js'
import type { ForceRule } from '../../../engine/scenarios/force-rule.js'
import { ofTests } from '../../../engine/sessions/flag-coverage.js'
import type { CoveredSession } from '../../../engine/sessions/sdk-directory.js'
import { COVERAGE_FILE, COVERAGE_FOLDER, observeSdks, SendingSdks } from '../runners/coverage.js'
import { toHaveReceived } from '../runners/matchers.js'
import { endWith, expectNoUnmetRules, hintOn, noticesOf, RecentRequests } from '../runners/requests.js'

/** Jest's event about a test. */
interface TestEvent {
  name: string
  error?: unknown
  test?: { errors: unknown[] }
}

/** Jest's `expect`. */
interface Expect {
  extend(matchers: object): void
}

/** With `injectGlobals: false`, tests import `expect`. Jest itself provides the module. */
const GLOBALS = '@jest/globals'

/**
 * Follows the tests of a file: the error of a failing test ends with its requests, as in Vitest. Takes the functions that Jest
 * 30 and newer calls with its events, and Jest's `expect`, if it is global.
 */
export function followTests(handlers: unknown, expect: Expect | undefined): void {
  const requests = new RecentRequests()
  const sdks = new SendingSdks()
  /** Whether a test runs. After the tests of a file, Jest loads no modules. */
  let isRunning = false
  /** The folder for the flag coverage, if a reporter wants it. */
  const folder = process.env[COVERAGE_FOLDER]
  /** The mocks of this file. */
  const mocks = new Set<Mock>()
  /** The mocks that the running test created or asked. */
  const used = new Set<Mock>()

  /** The rules from before the running test: another test can need them. */
  let earlier: ReadonlySet<unknown> = new Set()

  mockListeners.add((mock) => {
    mocks.add(mock)
    used.add(mock)
    mock.onRequest((entry) => {
      requests.add(entry)
      used.add(mock)
      if (isRunning) void sdks.observe(entry.requestHeaders)
    })
  })

  function lastUsed(): CoveredSession | undefined {
    const mock = [...used].at(-1)
    return mock && { coverage: mock[CORE].coverage, session: mock.name }
  }

  /** Facts about the mocks of the running test or, if it used none, of the file. */
  function notices(): string[] {
    const all = [...(used.size === 0 ? mocks : used)]
    return all.flatMap((mock) => {
      const isOther = all.length > 1 && mock.requests.count() === 0
      return noticesOf(mock, earlier).map((notice) => (isOther ? `A mock without requests: ${notice}` : notice))
    })
  }

  const extend = (found: Expect) => found.extend({ toHaveReceived })
  const whenExtended =
    expect === undefined ? import(/* @vite-ignore */ GLOBALS).then((jest) => extend(jest.expect)) : extend(expect)

  if (!Array.isArray(handlers)) return
  handlers.push(({ name, error, test }: TestEvent) => {
    // Jest waits for a promise.
    if (name === 'run_start') return Promise.all([whenExtended, observeSdks(lastUsed)])
    if (name === 'test_start') {
      isRunning = true
      requests.clear()
      used.clear()
      earlier = new Set([...mocks].flatMap(rulesAtStart))
    }
    // Before afterEach, where files reset their mock.
    if (name === 'test_fn_success') test?.errors.push(...unmetRuleErrors(mocks, earlier))
    if (name === 'test_done') isRunning = false
    if (name === 'run_finish' && folder !== undefined) leaveCoverage(folder, mocks)
    if (name !== 'test_fn_failure' || mocks.size === 0) return undefined
    const list = requests.list()
    // Jest reports a failed assertion at once: unawaited requests come later.
    const whole = (failure: object) => [list + hintOn(list, failure, mocks), ...notices()].join('\n')
    if (error instanceof Error) endWith(whole(error), error)
    const [last] = test?.errors.slice(-1) ?? []
    // For a timeout, Jest has a text and the place of the test.
    if (typeof error === 'string' && Array.isArray(last) && last[0] === error) last[0] = `${error}\n\n${whole({})}`
    return undefined
  })
}

/** Leaves the flag coverage of this file for the reporter. A mock's reset begins another test. */
function leaveCoverage(folder: string, mocks: ReadonlySet<Mock>): void {
  if (mocks.size === 0) return
  const listed = new Set<string>()
  const reports = [...mocks].map((mock) => {
    const { coverage, sessions } = mock[CORE]
    return ofTests(coverage.report(sessions.unnamed.world(), listed))
  })
  writeFileSync(join(mkdtempSync(join(folder, 'file-')), COVERAGE_FILE), JSON.stringify(reports))
}

/** The rules of a mock at the start of a test, which forgets what earlier tests did. */
function rulesAtStart(mock: Mock): ForceRule[] {
  const session = sessionOf(mock)
  const { asked } = mock[CORE].coverage.forSession(mock.name)
  for (const ofEarlier of [session.addedRules, session.discarded, session.clients, asked]) ofEarlier.clear()
  return session
    .world()
    .rules.all()
    .map(({ rule }) => rule)
}

/** An error for each mock with a rule of the running test that matched no request. */
function unmetRuleErrors(mocks: ReadonlySet<Mock>, earlier: ReadonlySet<unknown>): unknown[] {
  return [...mocks].flatMap((mock) => {
    try {
      expectNoUnmetRules(mock, earlier)
      return []
    } catch (error) {
      return [error]
    }
  })
}
