import type { Operation } from '../../contract/operation.js'
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
>(row: Operation<OperationContext, Id, Path, Body, Query>): Operation<OperationContext, Id, Path, Body, Query> {
  return row
}
