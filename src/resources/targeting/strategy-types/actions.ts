import type { Failure } from '../../../contract/errors.js'
import { logEvent } from '../../instance/events/actions.js'
import type { OperationContext } from '../../shared/context.js'
import { checkDeprecatable } from './checks.js'
import { findStrategyType } from './lookup.js'

export function setDeprecated(context: OperationContext, name: string, deprecated: boolean): Failure | undefined {
  const found = findStrategyType(context.tables, name)
  if (!found.ok) return found.failure
  const failure = checkDeprecatable(name)
  if (failure) return failure
  context.tables.strategyTypes.replace({ ...found.value, deprecated })
  logEvent(context, { type: deprecated ? 'strategy-deprecated' : 'strategy-reactivated', data: { name } })
  return undefined
}
