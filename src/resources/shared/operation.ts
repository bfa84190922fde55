import type { Operation, View } from '../../contract/operation.js'
import type { OperationContext } from './context.js'

/**
 * Writes a row of the table. The types of `params`, `body` and `query` come from the row itself, so a parameter
 * that the path does not have does not compile.
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
>(
  row: Operation<OperationContext, Id, Path, Body, Query, Subject>,
): Operation<OperationContext, Id, Path, Body, Query, Subject> {
  return row
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
