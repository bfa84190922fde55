import { type Mock, mockListeners } from '../../../engine/mock/mock.js'
import { CORE } from '../../../engine/mock/session.js'
import type { CoveredSession } from '../../../engine/sessions/sdk-directory.js'
import { observeSdks } from '../runners/coverage.js'
import { toHaveReceived } from '../runners/matchers.js'
import { adviceOn, endWith, noticesOf, RecentRequests } from '../runners/requests.js'

/** Jest's event about a test. */
interface TestEvent {
  name: string
  error?: unknown
}

const requests = new RecentRequests()
let hasMock = false
/** The mocks that the running test created or asked. */
const used = new Set<Mock>()

mockListeners.add((mock) => {
  hasMock = true
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
  handlers.push(({ name, error }: TestEvent) => {
    // Jest waits for a promise.
    if (name === 'run_start') return Promise.all([whenExtended, observeSdks(lastUsed)])
    if (name === 'test_start') {
      requests.clear()
      used.clear()
    }
    if (name !== 'test_fn_failure' || !hasMock || !(error instanceof Error)) return undefined
    const list = requests.list()
    // Jest reports a failed assertion at once: unawaited requests come later.
    const advice = adviceOn(list, error)
    const notices = [...used].flatMap((mock) => noticesOf(mock))
    endWith([list + advice, ...notices].join('\n'), error)
    return undefined
  })
}
