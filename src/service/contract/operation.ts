import type { ZodType } from 'zod'
import type { ErrorKind } from './errors.js'
import type { Permission } from './permissions.js'
import type { Profile, ProfileName } from './profile.js'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The names of a path's parameters: `'/a/:b/c/:d'` → `'b' | 'd'`. */
type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** The kind of API token that a caller needs. `admin`: an admin's or a user's. `client`, `frontend`: an SDK's. `public`: none. */
export type Access = 'admin' | 'client' | 'frontend' | 'public'

/** The outcome of an operation that succeeded. */
export interface Reply<Subject = unknown> {
  /** Default: the status of the row. */
  status?: number
  headers?: Readonly<Record<string, string>>
  /** The subject of the row's view or, without a view, the JSON body itself. Without it, the body is empty. */
  body?: Subject
}

/** One profile's response: the shape of the JSON body, and the function that makes the body from the subject. */
export interface Presentation<Subject, Context> {
  /** Default: the status of the row. */
  status?: number
  schema: ZodType
  present(subject: Subject, context: Context): unknown
}

export type View<Subject, Context> = Readonly<Record<ProfileName, Presentation<Subject, Context>>>

/** The input of an operation: the checked parts of the request, and the context. */
export interface Input<Context, Names extends string, Body, Query> {
  params: Readonly<Record<Names, string>>
  query: Query
  body: Body
  /** The request's headers. Few operations use them. */
  headers: Headers
  context: Context
  /** The tables of the context, because nearly every operation uses them. */
  tables: TablesIn<Context>
  profile: Profile
}

type TablesIn<Context> = Context extends { tables: infer Tables } ? Tables : never

/**
 * One row of the table of operations. It gives the route, the msw handler, the checks, the entry in the OpenAPI document,
 * and the name in the journal and in rules.
 */
export interface Operation<
  Context,
  Id extends string = string,
  Path extends string = string,
  Body = unknown,
  Query = unknown,
  Subject = unknown,
> {
  /** The operation's ID in Unleash's OpenAPI document. */
  id: Id
  method: Method
  path: Path
  /** One line for readers. */
  summary: string
  /** More details, for the OpenAPI document. */
  description?(profile: Profile): string
  /** The resource that the operation belongs to. */
  tag: string
  access: Access
  /** The parts of Unleash's operation that are not modelled, for the fidelity page. */
  leavesOut?: string
  /** The permission that the caller needs. Any permission of a list is enough. Default: none, for reading. */
  permission?: Permission | readonly Permission[]
  /** Whether the operation writes although its method is GET. */
  writes?: true
  /** The operation adds no history entry: no user changed a flag, so undo ignores it. */
  isStep?: false
  /** Whether the operation can write in maintenance mode. Reads always work. */
  worksInMaintenance?: true
  /** The shape of the request's JSON body. Without it, a body is ignored, but Unleash rejects any other than an object. */
  body?: ZodType<Body>
  /** Whether Unleash ignores any body. */
  ignoresBody?: true
  /** The maximum body size in bytes, after decompression. Default: `BODY_LIMIT`. */
  bodyLimit?: number
  /** The shape of the body where it depends on stored records. The OpenAPI document shows `body`. */
  bodyFor?(tables: TablesIn<Context>): ZodType<Body>
  /** Whether Unleash describes the body as a choice between alternatives, even if there is only one. */
  bodyHasAlternatives?: true
  query?: ZodType<Query>
  /** The path parameters that must be integers. */
  integers?: readonly ParamNames<Path>[]
  /** Path parameters that hold a secret. The schemas mark secrets in bodies and queries. */
  secretParams?: readonly string[]
  success: {
    status: number
    description: string
    /** The shape of the JSON body, if it is the same in every profile. Without `schema` and `view`, the body is empty. */
    schema?: ZodType
    /** The media type of a text body; the operation returns the body as a string. */
    text?: string
    /** The response of each profile, if they differ. */
    view?: View<Subject, Context>
    headers?: Readonly<Record<string, string>>
  }
  /** The operation's own error statuses, for the OpenAPI document. */
  errors: readonly number[]
  /** The rejections for which a profile sends no body. */
  bodiless?: readonly ErrorKind[]
  /** Without a reply, the body is empty. `reject` throws a `Rejection`. */
  run(input: Input<Context, ParamNames<Path>, Body, Query>): Reply<Subject> | undefined
}

/** Any row, for code that handles all rows alike. */
export type AnyOperation<Context> = Omit<Operation<Context>, 'integers'> & { integers?: readonly string[] }

type RowHead = Omit<AnyOperation<never>, 'run'>

/** The maximum size of most request bodies in bytes, after decompression. */
export const BODY_LIMIT = 102_400

/** The shape of a row's JSON response body under a profile; undefined if the body is empty. */
export function successSchema({ success }: Pick<RowHead, 'success'>, profile: Profile): ZodType | undefined {
  return success.view === undefined ? success.schema : success.view[profile.name].schema
}

/** The status of a row's success response under a profile. */
export function successStatus({ success: { status, view } }: Pick<RowHead, 'success'>, profile: Profile): number {
  return view?.[profile.name].status ?? status
}

/** Whether maintenance mode stops a request. */
export function stopsInMaintenance(to: { method: string; access?: unknown; worksInMaintenance?: true | undefined }) {
  const mayWrite = ['POST', 'PUT', 'DELETE'].includes(to.method)
  return mayWrite && to.access === 'admin' && to.worksInMaintenance === undefined
}

export function paramNames(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
}

/** Every error status of a row under a profile: the statuses of the checks, then the row's own. */
export function errorStatusesOf(row: RowHead, profile: Profile): number[] {
  const { access, permission, body, query, path, method, errors } = row
  const { wrongTokenKind, unreadableBody, payloadTooLarge, unsupportedEncoding, maintenance } = profile.errors.table
  const canBeMalformed = body !== undefined || query !== undefined || paramNames(path).length > 0
  const readsAnyBody = profile.body.alwaysRead && method !== 'GET'
  const ofProfile = [wrongTokenKind, ...(readsAnyBody ? [unreadableBody, payloadTooLarge, unsupportedEncoding] : [])]
  const ofChecks = [
    ...(canBeMalformed ? [400] : []),
    ...(access === 'public' ? [] : [401]),
    ...(permission === undefined ? [] : [403]),
    ...(body === undefined ? [] : [413, 415]),
    ...(stopsInMaintenance(row) ? [maintenance.status] : []),
    ...ofProfile.map(({ status }) => status),
  ]
  return [...new Set([...ofChecks, ...errors])].toSorted((one, other) => one - other)
}
