import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'vitest'
import { createMock, type Mock, type MockOptions } from '../../src/engine/mock/mock.js'
import type { Adapter } from './adapters.js'
import { withOwnConnection } from './connection.js'
import { openWorkerSession } from './worker-session.js'

const programs = join(import.meta.dirname, '../runtimes')

/** The start of each other runtime, by the variable with its path. Resolves to its URL. */
const runtimes: Record<string, { name: string; start(path: string): Promise<string> }> = {
  FLAGDOUBLE_BUN: { name: 'Bun.serve', start: (bun) => startProgram(bun, [join(programs, 'bun.js')]) },
  FLAGDOUBLE_DENO: {
    name: 'Deno.serve',
    start: (deno) =>
      startProgram(deno, ['run', '--allow-net', '--allow-read', '--allow-env', join(programs, 'deno.js')]),
  },
  FLAGDOUBLE_MINIFLARE: {
    name: 'workerd',
    start: (miniflare) => startProgram(process.execPath, [join(programs, 'workerd.js'), miniflare]),
  },
}

/** The adapters of the available runtimes. Each runtime starts once, for all tests of a worker. */
export const runtimeAdapters: Record<string, (options: MockOptions) => Promise<Adapter>> = Object.fromEntries(
  Object.entries(runtimes).flatMap(([variable, { name, start }]) => {
    const path = process.env[variable]
    if (path === undefined) return []
    let started: Promise<string> | undefined
    const open = async (options: MockOptions) => {
      started ??= start(path)
      return openTwins(remoteAt(await started), options)
    }
    return [[name, open]]
  }),
)
if (process.env.FLAGDOUBLE_MINIFLARE !== undefined) {
  runtimeAdapters['a Cloudflare worker'] = async (options) => openTwins(await openWorkerSession(options), options)
}

/** A mock in another process. */
export interface Remote {
  origin: string
  /** The start of links in its responses, if it isn't the default. */
  baseUrl?: string
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** Calls a member of the mock by its name, or `createMock`. */
  call(path: string, args: unknown[]): Promise<unknown>
}

/**
 * A mock in a runtime, and its twin here. The twin gets every call and every request, and provides the data that tests
 * read from `mock`. Both must send the same bytes, and end with the same state.
 */
async function openTwins(remote: Remote, options: MockOptions): Promise<Adapter> {
  const { origin, baseUrl } = remote
  const twin = createMock(baseUrl === undefined ? options : { baseUrl, ...options })
  let queue: Promise<unknown> = remote.call('createMock', [options])
  /** One after the other: requests in another order would get other IDs. */
  const enqueue = <Result>(task: () => Promise<Result>): Promise<Result> => {
    const next = queue.then(task)
    queue = next.catch(() => undefined)
    return next
  }
  const call = (path: string, args: unknown[]) => void enqueue(() => remote.call(path, args))
  const agree = options.seed !== undefined && options.now !== undefined
  return {
    mock: forwarding(twin, call),
    origin,
    fetch: (path, init) =>
      enqueue(async () => {
        const [here, there] = await Promise.all([
          twin.fetch(new Request(origin + path, init)),
          remote.fetch(path, init),
        ])
        if (agree && twin.clock.frozen && !path.startsWith('/__mock')) await expectSameAnswer(there.clone(), here)
        return there
      }),
    close: () =>
      enqueue(async () => {
        if (!agree || !twin.clock.frozen) return
        expect(await remote.call('state', [])).toEqual(JSON.parse(JSON.stringify(twin.state())))
      }),
  }
}

/** Members of a mock that change it. */
const CHANGES = ['add', 'restore', 'reset', 'useScenario', 'clock.set', 'clock.advance', 'clock.release']

/** The mock, which reports its changes with their arguments. */
function forwarding(mock: Mock, call: (path: string, args: unknown[]) => void): Mock {
  const wrap = <Target extends object>(target: Target, prefix: string): Target =>
    new Proxy(target, {
      get(_, name) {
        const value: unknown = Reflect.get(target, name, target)
        const path = `${prefix}${String(name)}`
        if (path === 'clock') return wrap(mock.clock, 'clock.')
        if (typeof value !== 'function') return value
        if (!CHANGES.includes(path)) return value.bind(target)
        return (...args: unknown[]) => {
          const result: unknown = Reflect.apply(value, target, args)
          call(path, args)
          return result
        }
      },
    })
  return wrap(mock, '')
}

function send(url: string, init: RequestInit = {}): Promise<Response> {
  return fetch(url, { ...init, headers: withOwnConnection(init.headers) })
}

function remoteAt(origin: string): Remote {
  return {
    origin,
    fetch: (path, init) => send(origin + path, { redirect: 'manual', ...init }),
    call: (path, args) => callRemote(origin, path, args),
  }
}

async function callRemote(origin: string, path: string, args: unknown[]): Promise<unknown> {
  const response = await send(`${origin}/__driver`, { method: 'POST', body: JSON.stringify({ path, args }) })
  if (!response.ok) throw new Error(`${path} failed: ${await response.text()}`)
  return response.status === 204 ? undefined : ((await response.json()) as { result: unknown }).result
}

async function expectSameAnswer(there: Response, here: Response): Promise<void> {
  const names = [...here.headers.keys()]
  const ours = ({ headers }: Response) => names.map((name) => `${name}: ${headers.get(name)}`)
  expect({ status: there.status, headers: ours(there), body: await there.text() }).toEqual({
    status: here.status,
    headers: ours(here),
    body: await here.text(),
  })
}

/** The program stops when its standard input ends, which it does with this worker. */
function startProgram(command: string, args: string[]): Promise<string> {
  const child = spawn(command, args, { stdio: 'pipe' })
  return new Promise((resolve, reject) => {
    let output = ''
    const read = (chunk: Buffer) => {
      output += chunk
      const [, url] = /ready at (\S+)\/\n/.exec(output) ?? []
      if (url !== undefined) resolve(url)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`${command} ended with ${code}: ${output}`)))
  })
}
