import type { ZodType } from 'zod'
import type { Method, Operation, View } from '../../contract/operation.js'
import type { OperationContext } from './context.js'

/** A row as written in code. By default, its path needs an admin token and can return 404. */
type Row<Path extends string, Body, Query, Subject> = Omit<
  Unnamed<Path, Body, Query, Subject>,
  'method' | 'path' | 'access' | 'errors'
> &
  Partial<Pick<Operation<OperationContext>, 'access' | 'errors'>>

type Unnamed<Path extends string, Body, Query, Subject> = Omit<
  Operation<OperationContext, string, Path, Body, Query, Subject>,
  'id' | 'tag'
>

function row(method: Method) {
  return <const Path extends string, Body = undefined, Query = undefined, Subject = unknown>(
    path: Path,
    fields: Row<Path, Body, Query, Subject>,
  ): Unnamed<Path, Body, Query, Subject> => ({
    access: 'admin',
    errors: path.includes(':') ? [404] : [],
    ...fields,
    method,
    path,
  })
}

/**
 * Each function declares a row of the table: the path and the operation. Defaults: `access: 'admin'` and, for a
 * path with parameters, `errors: [404]`. The types of `params`, `body` and `query` come from the row itself, so using a
 * parameter that the path doesn't have is a type error.
 *
 * @example
 * operations('Things', { getThing: get('/things/:thing', { …, run: ({ params }) => ({ body: params.thing }) }) })
 */
export const get = row('GET')
export const post = row('POST')
export const put = row('PUT')
export const patch = row('PATCH')
export const del = row('DELETE')

/** The content type of the Prometheus text format. */
export const PROMETHEUS = 'text/plain; version=0.0.4'

/** A success with a JSON body. */
export function ok(description: string, schema: ZodType) {
  return { status: 200, description, schema }
}

/** The success of creating a record with its own path. */
export function created(description: string, schema: ZodType, location = 'Its path') {
  return { status: 201, description, schema, headers: { location } }
}

/** Sets each row's ID, which is its key, and the tag of all. */
export function operations<Rows extends object>(tag: string, rows: Rows) {
  return Object.entries(rows).map(([id, fields]) => ({ id, tag, ...fields })) as NamedRows<Rows>
}

/** The rows with a suffix to each ID: for operations that exist at two paths. */
export function withSuffix<Rows extends object, const Suffix extends string>(suffix: Suffix, rows: Rows) {
  const renamed = Object.entries(rows).map(([id, row]) => [`${id}${suffix}`, row])
  return Object.fromEntries(renamed) as { [Id in keyof Rows & string as `${Id}${Suffix}`]: Rows[Id] }
}

type NamedRows<Rows> = readonly { [Id in keyof Rows & string]: Rows[Id] & { id: Id; tag: string } }[keyof Rows &
  string][]

/**
 * Types the response of each profile: `{ documented: { schema, present }, 'unleash-8': { schema, present } }`. A row
 * names it as its `success.view`; its operation then returns the subject as `body`, and the app presents it.
 */
export function view<Subject, Context = OperationContext>(
  presentations: View<Subject, Context>,
): View<Subject, Context> {
  return presentations
}
