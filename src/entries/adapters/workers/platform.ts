/* The parts of Cloudflare's runtime that are used here. Its own types are a package of several megabytes. */

type SqlValue = string | number | null

/** The storage of a Durable Object. Its class must be declared in `new_sqlite_classes`. */
export interface ObjectStorage {
  sql: { exec(query: string, ...bindings: SqlValue[]): Iterable<Record<string, SqlValue>> }
  transactionSync<Result>(run: () => Result): Result
  setAlarm(time: number): Promise<void>
  deleteAlarm(): Promise<void>
  deleteAll(): Promise<void>
}

/** What the runtime gives a Durable Object. */
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

/** A variable. An empty one counts as not set. */
export function variable(env: Env, name: string): string | undefined {
  const value = env[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The binding to the sessions, whatever it is called. */
export function namespaceIn(env: Env): ObjectNamespace | undefined {
  return Object.values(env).find(isNamespace)
}

function isNamespace(value: unknown): value is ObjectNamespace {
  return typeof value === 'object' && value !== null && 'idFromName' in value
}
