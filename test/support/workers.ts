import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { onTestFinished } from 'vitest'
import type { WorkerOptions } from '../../src/entries/adapters/workers.js'
import { panelAssets } from '../../tools/panel-assets.js'
import { ADMIN } from './adapters.js'
import { withOwnConnection } from './connection.js'
import type { Place } from './homes.js'

const root = join(import.meta.dirname, '../..')

/** The access key of the tests' workers. */
export const KEY = 'a-key-that-only-tests-know'

export interface StartOptions {
  /** The options of `createWorker`, as JSON. */
  options?: WorkerOptions
  /** The worker's variables, besides the access key. */
  env?: Record<string, string>
  /** The folder of the objects' storage. Default: memory. */
  storage?: string
  /** Whether the class is listed in `new_sqlite_classes`. Default: true. */
  useSQLite?: boolean
  /** Pretends to be another version of flagdouble. */
  version?: string
}

export interface TestWorker extends AsyncDisposable {
  url: string
  /** Sends a request with the access key, to a session. */
  fetch(session: string, path: string, init?: RequestInit): Promise<Response>
}

/** A Durable Object's storage, which outlives its worker. */
export async function openStorage(): Promise<Place> {
  const storage = mkdtempSync(join(tmpdir(), 'flagdouble-workers-'))
  let worker: TestWorker | undefined
  onTestFinished(async () => {
    await worker?.[Symbol.asyncDispose]()
    rmSync(storage, { recursive: true })
  })
  return {
    async start(options) {
      await worker?.[Symbol.asyncDispose]()
      worker = await startWorker({ storage, options: options as WorkerOptions })
    },
    async fetch(path, init) {
      if (worker === undefined) throw new Error('It has not started.')
      return worker.fetch('', path, init)
    },
    messages: () => undefined,
  }
}

/** The response to a client's request. */
export interface ClientAnswer {
  status: number
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  body: any
}

/** Sends JSON to a session as the admin. */
export interface WorkerClient {
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ClientAnswer>
}

export function clientOf(worker: TestWorker, session: string): WorkerClient {
  return {
    async send(method, path, body, headers = {}) {
      const response = await worker.fetch(session, path, {
        method,
        headers: { authorization: ADMIN, 'content-type': 'application/json', ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
      return { status: response.status, text, body: isJson && text !== '' ? parsed(text) : undefined }
    },
  }
}

/** A cut body isn't JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Starts the worker in workerd, Cloudflare's runtime. */
export async function startWorker({
  options = {},
  env = {},
  storage,
  useSQLite = true,
  version,
}: StartOptions = {}): Promise<TestWorker> {
  const miniflare = await start({
    modulesRoot: '/',
    modules: [
      { type: 'ESModule', path: '/main.js', contents: mainOf(options) },
      { type: 'ESModule', path: '/flagdouble.js', contents: await bundle(version) },
    ],
    compatibilityDate: '2026-01-01',
    durableObjects: { SESSIONS: { className: 'FlagdoubleSession', useSQLite } },
    bindings: { FLAGDOUBLE_ACCESS: KEY, ...env },
    ...(storage !== undefined && { durableObjectsPersist: storage }),
  })
  let stopping: Promise<void> | undefined
  const url = String(await miniflare.ready).replace(/\/$/, '')
  return {
    url,
    fetch(session, path, init = {}) {
      const headers = withOwnConnection(init.headers)
      headers.set('x-flagdouble-access', KEY)
      if (session !== '') headers.set('x-mock-session', session)
      // The runtime learns another host only by this header: no resolver knows it.
      const send = path.startsWith('http') ? miniflare.dispatchFetch.bind(miniflare) : fetch
      return send(path.startsWith('http') ? path : url + path, { redirect: 'manual', ...init, headers })
    },
    [Symbol.asyncDispose]: () => (stopping ??= miniflare.dispose()),
  }
}

/** The used part of miniflare, which is installed only for these tests. */
interface Miniflare {
  dispatchFetch: typeof fetch
  ready: Promise<URL>
  dispose(): Promise<void>
}

async function start(options: object): Promise<Miniflare> {
  const folder = process.env.FLAGDOUBLE_MINIFLARE
  if (folder === undefined) throw new Error('Set FLAGDOUBLE_MINIFLARE to the folder of the npm package miniflare.')
  const { Miniflare } = (await import(pathToFileURL(join(folder, 'dist/src/index.js')).href)) as {
    Miniflare: new (options: object) => Miniflare
  }
  return new Miniflare(options)
}

/** A user's module, with actions on an object that otherwise only the runtime takes. */
function mainOf(options: WorkerOptions): string {
  return `import { createWorker } from './flagdouble.js'
const worker = createWorker(${JSON.stringify(options)})
export class FlagdoubleSession extends worker.FlagdoubleSession {
  constructor(state, env) {
    super(state, env)
    this.storage = state.storage
    this.underWay = 0
  }
  async fetch(request) {
    const { pathname } = new URL(request.url)
    if (pathname === '/test/alarm') return new Response(await this.alarm())
    if (pathname === '/test/stored') {
      const rows = [...this.storage.sql.exec("SELECT * FROM sqlite_master WHERE name = 'kept'")]
      const kept = rows.length === 0 ? [] : [...this.storage.sql.exec('SELECT * FROM kept')]
      return Response.json({ alarm: await this.storage.getAlarm(), now: Date.now(), kept })
    }
    if (pathname === '/test/sql') return Response.json([...this.storage.sql.exec(await request.json())])
    if (pathname === '/test/under-way') return Response.json(this.underWay)
    this.underWay++
    try {
      return await super.fetch(request)
    } finally {
      this.underWay--
    }
  }
}
export default worker.default
`
}

const bundles = new Map<string | undefined, Promise<string>>()

/** The worker with all its dependencies, as bundled by wrangler. */
function bundle(version: string | undefined): Promise<string> {
  const known = bundles.get(version) ?? bundled(version)
  bundles.set(version, known)
  return known
}

async function bundled(version: string | undefined): Promise<string> {
  const pretend: Plugin = {
    name: 'version',
    setup: ({ onLoad }) =>
      onLoad({ filter: /src\/version\.ts$/ }, () => ({
        contents: `export const version = ${JSON.stringify(version)}`,
      })),
  }
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['src/entries/adapters/workers.ts'],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    conditions: ['workerd', 'worker', 'browser'],
    mainFields: ['browser', 'module', 'main'],
    plugins: version === undefined ? [panelAssets] : [panelAssets, pretend],
  })
  return outputFiles[0]?.text ?? ''
}
