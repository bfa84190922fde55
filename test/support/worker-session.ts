import type { MockOptions } from '../../src/engine/mock/mock.js'
import type { Remote } from './runtimes.js'
import { startWorker, type TestWorker } from './workers.js'

/** One worker for all suites of a file with the same options: its sessions share nothing. */
const workers = new Map<string, Promise<TestWorker>>()
let sessions = 0

/** The control calls for a mock's members. */
const calls: Readonly<Record<string, (...args: never[]) => [method: string, path: string, body?: unknown]>> = {
  state: () => ['GET', '/state'],
  add: (state: object) => ['PATCH', '/state', state],
  restore: (state: object) => ['PUT', '/state', state],
  reset: () => ['POST', '/reset'],
  useScenario: (...names: string[]) => ['PUT', '/scenario', { names }],
  'clock.set': (date: string, options = {}) => ['PUT', '/clock', { now: date, ...options }],
  'clock.advance': (time: number | object) => [
    'POST',
    '/clock/advance',
    typeof time === 'number' ? { ms: time } : time,
  ],
  'clock.release': () => ['DELETE', '/clock'],
}

/** Stops all workers. */
export async function stopWorkers(): Promise<void> {
  const started = [...workers.values()]
  workers.clear()
  for (const worker of started) await (await worker)[Symbol.asyncDispose]()
}

/** A new session of a worker in workerd. */
export async function openWorkerSession(options: MockOptions): Promise<Remote> {
  const key = JSON.stringify(options)
  const starting = workers.get(key) ?? startWorker({ options: JSON.parse(key) })
  workers.set(key, starting)
  const worker = await starting
  const session = `test-${++sessions}`
  return {
    origin: worker.url,
    baseUrl: worker.url,
    fetch: (path, init) => worker.fetch(session, path, init),
    async call(name, args) {
      const request: ((...args: never[]) => [string, string, unknown?]) | undefined = calls[name]
      if (request === undefined) return undefined
      const [method, path, body] = Reflect.apply(request, undefined, args)
      const init = { method, ...(body !== undefined && { body: JSON.stringify(body) }) }
      const response = await worker.fetch(session, `/__mock${path}`, init)
      const text = await response.text()
      if (!response.ok) throw new Error(`${name} failed: ${text}`)
      return text === '' ? undefined : JSON.parse(text)
    },
  }
}
