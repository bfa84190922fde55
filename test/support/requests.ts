import { type OperationRow, operations } from '../../src/service/api/operations.js'

/** Every row of the table. */
export const rows = operations as readonly OperationRow[]

/** A request for an operation, with some value for each parameter. */
export function anyRequestFor({ method, path, body }: OperationRow): [method: string, path: string, body?: unknown] {
  const filled = path.replaceAll(/:\w+/g, 'anything')
  return body === undefined ? [method, filled] : [method, filled, {}]
}

/** The row of an operation. */
export function rowOf(id: string): OperationRow {
  const row = rows.find((candidate) => candidate.id === id)
  if (row === undefined) throw new Error(`There is no operation "${id}".`)
  return row
}
