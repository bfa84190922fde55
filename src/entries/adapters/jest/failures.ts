import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Mock, mockListeners } from '../../../engine/mock/mock.js'
import { CORE, sessionOf } from '../../../engine/mock/session.js'
import { ofTests } from '../../../engine/sessions/flag-coverage.js'
import type { CoveredSession } from '../../../engine/sessions/sdk-directory.js'
import { COVERAGE_FILE, COVERAGE_FOLDER, observeSdks } from '../runners/coverage.js'
import { toHaveReceived } from '../runners/matchers.js'
import { endWith, expectNoUnmetRules, hintOn, noticesOf, RecentRequests } from '../runners/requests.js'

/** Jest's event about a test. */
interface TestEvent {
  name: string
  error?: unknown
  test?: { errors: unknown[] }
}

const requests = new RecentRequests()
/** The folder for the flag coverage, if a reporter wants it. */
const folder = process.env[COVERAGE_FOLDER]
/** The mocks of this file. */
const mocks = new Set<Mock>()
/** The mocks that the running test created or asked. */
const used = new Set<Mock>()

/** The rules from before the running test: another test can need them. */
let earlierRules: ReadonlySet<unknown> = new Set()

mockListeners.add((mock) => {
  mocks.add(mock)
  used.add(mock)
  mock.onRequest((entry) => {
    requests.add(entry)
    used.add(mock)
  })
})

function lastUsed(): CoveredSession | undefined {
  const mock = [...used].at(-1)
  return mock && { coverage: mock[CORE].coverage, session: mock.name }
}

/** Leaves the flag coverage of this file for the reporter. A mock's reset begins another test. */
function leaveCoverage(): void {
  if (folder === undefined || mocks.size === 0) return
  const listed = new Set<string>()
  const reports = [...mocks].map((mock) => {
    const { coverage, sessions } = mock[CORE]
    return ofTests(coverage.report(sessions.unnamed.world(), listed))
  })
  writeFileSync(join(mkdtempSync(join(folder, 'file-')), COVERAGE_FILE), JSON.stringify(reports))
}

/** An error for each mock with a rule of the running test that matched no request. */
function unmetRuleErrors(): unknown[] {
  return [...mocks].flatMap((mock) => {
    try {
      expectNoUnmetRules(mock, earlierRules)
      return []
    } catch (error) {
      return [error]
    }
  })
}

interface Expect {
  extend(matchers: object): void
}

/** With `injectGlobals: false`, tests import `expect`. Jest itself provides the module. */
const GLOBALS = '@jest/globals'

const given: Expect | undefined = Reflect.get(globalThis, 'expect')
const whenExtended =
  given === undefined ? import(/* @vite-ignore */ GLOBALS).then(({ expect }) => extend(expect)) : extend(given)

function extend(expect: Expect): void {
  expect.extend({ toHaveReceived })
}

// Jest 30 and newer call these; then the error of a failing test ends with its requests, as in Vitest.
const handlers: unknown = Reflect.get(globalThis, Symbol.for('EVENT_HANDLERS'))
if (Array.isArray(handlers)) {
  handlers.push(({ name, error, test }: TestEvent) => {
    // Jest waits for a promise.
    if (name === 'run_start') return Promise.all([whenExtended, observeSdks(lastUsed)])
    if (name === 'test_start') {
      requests.clear()
      used.clear()
      earlierRules = new Set([...mocks].flatMap((mock) => sessionOf(mock).world().rules.all()))
    }
    // Before afterEach, where files reset their mock.
    if (name === 'test_fn_success') test?.errors.push(...unmetRuleErrors())
    if (name === 'run_finish') leaveCoverage()
    if (name !== 'test_fn_failure' || mocks.size === 0 || !(error instanceof Error)) return undefined
    const list = requests.list()
    // Jest reports a failed assertion at once: unawaited requests come later.
    const hint = hintOn(list, error)
    const notices = [...used].flatMap((mock) => noticesOf(mock))
    endWith([list + hint, ...notices].join('\n'), error)
    return undefined
  })
}
