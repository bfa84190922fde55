import { type OperationRow, operations } from '../src/contract/operations.js'
import type { Scenario } from '../src/scenarios/scenario.js'

const guarded = (operations as readonly OperationRow[]).filter(
  ({ method, permission }) => method !== 'GET' && permission !== undefined,
)

export const missingPermission: Scenario = {
  name: 'missing-permission',
  title: 'The permission is missing',
  promise: 'Every change that needs a permission is refused with 403 NoAccessError, which names the permission.',
  extends: 'default',
  force: guarded.map(({ id }) => ({ operation: id as (typeof operations)[number]['id'], status: 403 })),
}
