import type { ZodType } from 'zod'
import type { Result } from '../support/result.js'
import type { Failure } from './errors.js'
import type { Permission } from './permissions.js'
import type { Profile, Shapes } from './profile.js'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The names of a path's parameters: `'/a/:b/c/:d'` → `'b' | 'd'`. */
export type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/**
 * The kind of key that is needed. `admin`: that of an admin or a user. `client`, `frontend`: a token of that type, as SDKs
 * have. `public`: none.
 */
export type Access = 'admin' | 'client' | 'frontend' | 'public'

/** What an operation answers when it succeeds. Without a status, that of its row. */
export interface Reply {
  status?: number
  headers?: Readonly<Record<string, string>>
  /** The JSON body; left out, the answer is empty. */
  body?: unknown
}

/** What an operation is given: the request's parts, already checked, and the context it acts in. */
export interface Input<Context, Names extends string, Body, Query> {
  params: Readonly<Record<Names, string>>
  query: Query
  body: Body
  /** The request's headers, for the few operations that heed one. */
  headers: Headers
  context: Context
  profile: Profile
}

/**
 * One row of the table of operations. From it come the route, the msw handler, the checks, the entry in the
 * OpenAPI document, the name in the journal and the name that force rules use.
 */
export interface Operation<
  Context,
  Id extends string = string,
  Path extends string = string,
  Body = unknown,
  Query = unknown,
> {
  /** The operation's id in the service's own OpenAPI document. */
  id: Id
  method: Method
  path: Path
  /** One line for people. */
  summary: string
  /** The resource it belongs to. */
  tag: string
  access: Access
  /** What of the service's operation is not modelled, for the coverage page. */
  leavesOut?: string
  /** What the caller must be allowed to do, beyond reading; of several, one is enough. */
  permission?: Permission | readonly Permission[]
  /** Whether it changes things although it is a GET. */
  writes?: true
  /** Whether it changes things in maintenance mode too; reading always works. */
  worksInMaintenance?: true
  /** The shape of the request's JSON body; left out, a body is not looked at. */
  body?: ZodType<Body>
  /** Whether the service describes the body as one of several things, if only of one. */
  bodyHasAlternatives?: true
  query?: ZodType<Query>
  success: {
    status: number | ((profile: Profile) => number)
    description: string
    /** The shape of the answer's JSON body, or both where the service's differs; left out, it is empty. */
    schema?: ZodType | Readonly<Record<Shapes, ZodType>>
    headers?: Readonly<Record<string, string>>
  }
  /** Error statuses that the operation itself can answer, for the OpenAPI document. */
  errors: readonly number[]
  run(input: Input<Context, ParamNames<Path>, Body, Query>): Result<Reply, Failure>
}

/** Any row, as those see it that handle all rows alike. */
export type AnyOperation<Context> = Omit<Operation<Context>, 'run'> & {
  run(input: Input<Context, string, never, never>): Result<Reply, Failure>
}

/** The shape of a row's answer under a profile. */
export function successSchema(
  { success: { schema } }: Pick<AnyOperation<never>, 'success'>,
  profile: Profile,
): ZodType | undefined {
  return schema !== undefined && 'document' in schema ? schema[profile.shapes] : schema
}

/** The status of a row's success under a profile. */
export function successStatus(operation: Pick<AnyOperation<never>, 'success'>, profile: Profile): number {
  const { status } = operation.success
  return typeof status === 'function' ? status(profile) : status
}
