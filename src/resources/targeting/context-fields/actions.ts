import type { Failure } from '../../../contract/errors.js'
import type { Reply } from '../../../contract/operation.js'
import type { Frozen } from '../../../support/freeze.js'
import { ok, type Result } from '../../../support/result.js'
import { logEvent } from '../../instance/events/actions.js'
import type { OperationContext } from '../../shared/context.js'
import { findRecord } from '../../shared/lookup.js'
import { presentContextField } from './present.js'
import type { ContextFieldRecord } from './schema.js'

/** Replaces a context field with what `change` makes of it. */
export function changeContextField(
  context: OperationContext,
  name: string,
  change: (field: Frozen<ContextFieldRecord>) => Frozen<ContextFieldRecord>,
): Result<Reply, Failure> {
  const found = findRecord(context.tables.contextFields, name, 'context field')
  if (!found.ok) return found
  const field = change(found.value)
  context.tables.contextFields.replace(field)
  const [data, preData] = [presentContextField(field), presentContextField(found.value)]
  logEvent(context, { type: 'context-field-updated', project: field.project, data, preData })
  return ok({})
}
