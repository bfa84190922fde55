import { mockListeners } from '../../../engine/mock/mock.js'
import { endWith, RecentRequests } from '../vitest/requests.js'

/** What Jest tells of a test. */
interface TestEvent {
  name: string
  error?: unknown
}

const ADVICE = ' Is an `await` missing, or does the client use another base URL?'

const requests = new RecentRequests()
let hasMock = false

mockListeners.add((mock) => {
  hasMock = true
  mock.onRequest((entry) => requests.add(entry))
})

// Jest 30 and newer call these; a test that fails then ends its error with its requests, as in Vitest.
const handlers: unknown = Reflect.get(globalThis, Symbol.for('EVENT_HANDLERS'))
if (Array.isArray(handlers)) {
  handlers.push(({ name, error }: TestEvent) => {
    if (name === 'test_start') requests.clear()
    if (name !== 'test_fn_failure' || !hasMock || !(error instanceof Error)) return
    const list = requests.list()
    // When an assertion fails, Jest tells it at once: requests that nobody awaits come later.
    const advice = list.startsWith('No ') && error.name !== 'MockError' ? ADVICE : ''
    endWith(list + advice, error)
  })
}
