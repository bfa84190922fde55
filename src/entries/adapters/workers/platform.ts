import { expectOptions } from '../../../engine/errors/arguments.js'
import type { MockOptions } from '../../../engine/mock/options.js'

/* The used parts of Cloudflare's runtime. Its own types are a package of several megabytes. */

type SqlValue = string | number | null

/** The storage of a Durable Object. Its class must be declared in `new_sqlite_classes`. */
export interface ObjectStorage {
  sql: { exec(query: string, ...bindings: SqlValue[]): Iterable<Record<string, SqlValue>> }
  transactionSync<Result>(run: () => Result): Result
  setAlarm(time: number): Promise<void>
  deleteAlarm(): Promise<void>
  deleteAll(): Promise<void>
}

/** The runtime's argument for a Durable Object. */
export interface ObjectState {
  storage: ObjectStorage
}

/** A binding to a class of Durable Objects. */
interface ObjectNamespace {
  idFromName(name: string): unknown
  get(id: unknown): { fetch(request: Request): Promise<Response> }
}

/** The worker's variables, secrets and bindings, by name. */
export type Env = Readonly<Record<string, unknown>>

/** A variable. An empty variable counts as not set. */
export function variable(env: Env, name: string): string | undefined {
  const value = env[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The binding to the sessions, under any name. */
export function namespaceIn(env: Env): ObjectNamespace | undefined {
  const isNamespace = (value: unknown): value is ObjectNamespace =>
    typeof value === 'object' && value !== null && 'idFromName' in value
  return Object.values(env).find(isNamespace)
}

const NAMES = ['scenario', 'scenarios', 'fixtures', 'seed', 'now', 'profile', 'latency', 'allowOrigins'] as const

/** The options of `createWorker`. Variables of the environment take precedence; `FLAGDOUBLE_ALLOW_ORIGIN` adds to `allowOrigins`. */
export type WorkerOptions = Pick<MockOptions, (typeof NAMES)[number]>

/** Throws `INVALID_OPTION` for invalid options of `createWorker`. */
export function expectWorkerOptions(options: WorkerOptions): void {
  expectOptions(options, 'createWorker', [...NAMES])
}

/** The options of each session's mock, which checks them. */
export function mockOptions(options: WorkerOptions, env: Env): MockOptions {
  const set = (['scenario', 'profile', 'seed', 'now'] as const).flatMap((name) => {
    const value = variable(env, `FLAGDOUBLE_${name.toUpperCase()}`)
    return value === undefined ? [] : [[name, value]]
  })
  const origins = variable(env, 'FLAGDOUBLE_ALLOW_ORIGIN')?.split(',') ?? []
  const allowOrigins = [...(options.allowOrigins ?? []), ...origins.map((origin) => origin.trim())]
  return { ...options, ...Object.fromEntries(set), allowOrigins }
}
