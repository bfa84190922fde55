import { type Failure, reject } from '../../contract/errors.js'
import type { Input, Operation, ParamNames, Reply } from '../../contract/operation.js'
import type { Result } from '../../support/result.js'
import type { OperationContext } from './context.js'

export { view } from './rows.js'

/** A row as it is written: without a word about it, a path needs an admin's key, and adds no statuses of its own. */
type Row<Id extends string, Path extends string, Body, Query, Subject> = Omit<
  Operation<OperationContext, Id, Path, Body, Query, Subject>,
  'access' | 'errors' | 'run'
> &
  Partial<Pick<Operation<OperationContext>, 'access' | 'errors'>> & {
    run(input: Input<OperationContext, ParamNames<Path>, Body, Query>): Result<Reply<Subject>, Failure>
  }

/** Declares a row whose operation returns a result, as all did before `rows.ts`. */
export function defineOperation<
  const Id extends string,
  const Path extends string,
  Body = undefined,
  Query = undefined,
  Subject = unknown,
>({ run, ...row }: Row<Id, Path, Body, Query, Subject>): Operation<OperationContext, Id, Path, Body, Query, Subject> {
  return {
    access: 'admin',
    errors: [],
    ...row,
    run: (input) => {
      const result = run(input)
      return result.ok ? result.value : reject(result.failure)
    },
  }
}
