import { expect } from 'vitest'
import { createMock, type Mock, type MockOptions } from '../../src/mock/mock.js'
import { CORE, sessionOf } from '../../src/mock/session.js'
import type { Door } from './doors.js'
import { startWorker, type TestWorker } from './workers.js'

/** One worker for all suites with the same options: its sessions share nothing. */
const workers = new Map<string, Promise<TestWorker>>()
let sessions = 0

/**
 * A session of a worker in workerd, and beside it a mock in this process that is treated alike: what tests do to the mock
 * is done to the session by the control API, before its next request. Whatever the worker answers must equal what the
 * mock does, byte for byte, and in the end so must the data.
 */
export async function openWorkerDoor(options: MockOptions): Promise<Door> {
  const key = JSON.stringify(options)
  const starting =
    workers.get(key) ?? startWorker({ options: { ...JSON.parse(key), limits: { requestsPerSecond: 1e6 } } })
  workers.set(key, starting)
  const worker = await starting
  const session = `test-${++sessions}`
  const twin = createMock({ ...options, baseUrl: worker.url })
  const waiting: (() => Promise<void>)[] = []
  const control = (method: string, path: string, body?: unknown) =>
    waiting.push(async () => {
      const init = { method, ...(body !== undefined && { body: JSON.stringify(body) }) }
      const response = await worker.fetch(session, path, init)
      expect(response.ok, `${method} ${path}: ${await response.text()}`).toBe(true)
    })
  const settled = async () => {
    for (const next of waiting.splice(0)) await next()
  }
  const both = async (path: string, init: RequestInit = {}) => {
    await settled()
    const response = await worker.fetch(session, path, init)
    expect(await seen(response.clone())).toEqual(await seen(await twin.fetch(new Request(worker.url + path, init))))
    return response
  }
  let last: Promise<unknown> = Promise.resolve()
  const fetch: Door['fetch'] = (path, init) => {
    const next = last.then(() => both(path, init))
    last = next.catch(() => undefined)
    return next
  }
  const close = async () => {
    await settled()
    const response = await worker.fetch(session, '/__mock/state')
    expect(await response.json()).toEqual(JSON.parse(JSON.stringify(twin.state())))
  }
  return { mock: mirrored(twin, control), origin: worker.url, fetch, close }
}

async function seen(response: Response) {
  const { headers } = response
  const named = ['content-type', 'x-mock-error', 'x-mock-scenario', 'x-mock-forced', 'etag', 'location', 'set-cookie']
  return { status: response.status, headers: named.map((name) => headers.get(name)), body: await response.text() }
}

/** A mock that reports what is done to it. */
function mirrored(twin: Mock, control: (method: string, path: string, body?: unknown) => void): Mock {
  const { clock } = twin
  return Object.create(twin, {
    add: {
      value(...[state]: Parameters<Mock['add']>) {
        twin.add(state)
        control('PATCH', '/__mock/state', state)
      },
    },
    restore: {
      value(...[state]: Parameters<Mock['restore']>) {
        twin.restore(state)
        control('PUT', '/__mock/state', state)
      },
    },
    reset: {
      value() {
        twin.reset()
        control('POST', '/__mock/reset')
      },
    },
    useScenario: {
      value(...names: string[]) {
        twin.useScenario(...names)
        control('PUT', '/__mock/scenario', { names })
      },
    },
    force: {
      value(...[rule]: Parameters<Mock['force']>) {
        const undo = twin.force(rule)
        control('POST', '/__mock/forced', rule)
        const id = sessionOf(twin).world().rules.all().at(-1)?.id
        return () => {
          undo()
          control('DELETE', `/__mock/forced/${id}`)
        }
      },
    },
    clock: {
      value: Object.create(clock, {
        set: {
          value(...[date, { frozen = true } = {}]: Parameters<Mock['clock']['set']>) {
            clock.set(date, { frozen })
            control('PUT', '/__mock/clock', { now: new Date(date).toISOString(), frozen })
          },
        },
        advance: {
          value(...[duration]: Parameters<Mock['clock']['advance']>) {
            clock.advance(duration)
            control('POST', '/__mock/clock/advance', typeof duration === 'number' ? { ms: duration } : duration)
          },
        },
        release: {
          value() {
            clock.release()
            control('DELETE', '/__mock/clock')
          },
        },
      }),
    },
    [CORE]: { value: twin[CORE] },
  }) as Mock
}
