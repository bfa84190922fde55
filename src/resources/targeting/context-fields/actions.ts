import type { Failure } from '../../../contract/errors.js'
import type { Reply } from '../../../contract/operation.js'
import type { Frozen } from '../../../support/freeze.js'
import { fail, ok, type Result } from '../../../support/result.js'
import { logEvent } from '../../instance/events/actions.js'
import type { OperationContext } from '../../shared/context.js'
import { checkNewField } from './checks.js'
import { findContextField } from './lookup.js'
import { presentContextField } from './present.js'
import { type ContextFieldInput, createContextFieldRecord } from './rules.js'
import type { ContextFieldRecord } from './schema.js'

/** Replaces a context field with what `change` makes of it. Given a project, the field must be its own. */
export function changeContextField(
  context: OperationContext,
  name: string,
  change: (field: Frozen<ContextFieldRecord>) => Frozen<ContextFieldRecord>,
  project?: string,
): Result<Reply, Failure> {
  const found = findContextField(context.tables, name, project)
  if (!found.ok) return found
  const field = change(found.value)
  context.tables.contextFields.replace(field)
  const [data, preData] = [presentContextField(field), presentContextField(found.value)]
  logEvent(context, { type: 'context-field-updated', project: field.project, data, preData })
  return ok({})
}

/** Creates a context field, for one project or for all. */
export function createField(
  context: OperationContext,
  sent: ContextFieldInput,
): Result<{ headers: { location: string }; body: ReturnType<typeof presentContextField> }, Failure> {
  const failure = checkNewField(context.tables, sent)
  if (failure) return fail(failure)
  const field = createContextFieldRecord(sent, context.now.toISOString())
  context.tables.contextFields.insert(field)
  logEvent(context, { type: 'context-field-created', project: field.project, data: presentContextField(field) })
  return ok({ headers: { location: `context/${field.name}` }, body: presentContextField(field) })
}

/** Deletes a context field. Given a project, the field must be its own. */
export function deleteField(context: OperationContext, name: string, project?: string): Result<Reply, Failure> {
  const found = findContextField(context.tables, name, project)
  if (!found.ok) return found
  context.tables.contextFields.remove(name)
  logEvent(context, { type: 'context-field-deleted', data: null, preData: presentContextField(found.value) })
  return ok({})
}
