import type { Operation, View } from '../../contract/operation.js'
import type { OperationContext } from './context.js'

/** A row as it is written: without a word about it, a path needs an admin's key, and adds no statuses of its own. */
type Row<Id extends string, Path extends string, Body, Query, Subject> = Omit<
  Operation<OperationContext, Id, Path, Body, Query, Subject>,
  'access' | 'errors'
> &
  Partial<Pick<Operation<OperationContext>, 'access' | 'errors'>>

/**
 * Declares a row of the table. Defaults: `access: 'admin'`, `errors: []`. The types of `params`, `body` and `query` come
 * from the row itself, so using a parameter that the path doesn't have is a type error.
 *
 * @example
 * defineOperation({ id: 'getThing', method: 'GET', path: '/things/:thing', …, run: ({ params }) => ok({ body: params.thing }) })
 */
export function defineOperation<
  const Id extends string,
  const Path extends string,
  Body = undefined,
  Query = undefined,
  Subject = unknown,
>(row: Row<Id, Path, Body, Query, Subject>): Operation<OperationContext, Id, Path, Body, Query, Subject> {
  return { access: 'admin', errors: [], ...row }
}

/**
 * Types how each profile answers: `{ documented: { schema, present }, 'unleash-8': { schema, present } }`. A row names
 * it as its `success.view`; its operation then returns the subject as `body`, and the app has it presented.
 */
export function view<Subject, Context = OperationContext>(
  presentations: View<Subject, Context>,
): View<Subject, Context> {
  return presentations
}
