import type { Failure } from '../../../contract/errors.js'
import type { Reply } from '../../../contract/operation.js'
import { fail, ok, type Result } from '../../../support/result.js'
import { logEvent } from '../../instance/events/actions.js'
import type { OperationContext } from '../../shared/context.js'
import { toInstant } from '../../shared/schema.js'
import { strategiesUsing } from '../usage/lookup.js'
import { checkFieldContent, checkNewField } from './checks.js'
import { findContextField } from './lookup.js'
import { presentContextField } from './present.js'
import {
  type ContextFieldInput,
  createContextFieldRecord,
  type LegalValues,
  sentFieldOf,
  updatedField,
} from './rules.js'
import type { ContextFieldUpdate } from './schema.js'

/** Creates a context field, for one project or for all. */
export function createField(
  context: OperationContext,
  sent: ContextFieldInput,
): Result<{ headers: { location: string }; body: ReturnType<typeof presentContextField> }, Failure> {
  const failure = checkNewField(context.tables, sent)
  if (failure) return fail(failure)
  const field = createContextFieldRecord(sent, toInstant(context.now))
  context.tables.contextFields.insert(field)
  logEvent(context, { type: 'context-field-created', data: sentFieldOf(sent) })
  return ok({ headers: { location: `context/${field.name}` }, body: presentContextField(field) })
}

/** Updates a context field as a PUT does. Given a project, the field must be its own. */
export function updateField(
  context: OperationContext,
  name: string,
  sent: ContextFieldUpdate,
  project?: string,
): Result<Reply, Failure> {
  const found = findContextField(context.tables, name, project)
  if (!found.ok) return found
  const failure = checkFieldContent(sent)
  if (failure) return fail(failure)
  context.tables.contextFields.replace(updatedField(found.value, sent))
  const { createdAt: _createdAt, sortOrder: _sortOrder, ...preData } = presentContextField(found.value)
  logEvent(context, { type: 'context-field-updated', data: sentFieldOf({ ...sent, name }), preData })
  return ok({})
}

/** Changes the legal values of a context field. Given a project, the field must be its own. */
export function changeLegalValues(
  context: OperationContext,
  name: string,
  change: (values: LegalValues) => LegalValues,
  project?: string,
): Result<Reply, Failure> {
  const found = findContextField(context.tables, name, project)
  if (!found.ok) return found
  const field = { ...found.value, legalValues: change(found.value.legalValues) }
  const failure = checkFieldContent({ legalValues: field.legalValues })
  if (failure) return fail(failure)
  context.tables.contextFields.replace(field)
  const [data, preData] = [presentContextField(field), presentContextField(found.value)]
  logEvent(context, { type: 'context-field-updated', data, preData })
  return ok({})
}

/** Deletes a context field that no active feature uses. Given a project, the field must be its own. */
export function deleteField(context: OperationContext, name: string, project?: string): Result<Reply, Failure> {
  const { tables } = context
  const found = findContextField(tables, name, project)
  if (!found.ok) return found
  if (strategiesUsing(tables, 'contextField', name).length > 0) {
    return fail({ kind: 'conflict', message: `The context field "${name}" is used by strategies.` })
  }
  tables.contextFields.remove(name)
  logEvent(context, { type: 'context-field-deleted', data: null, preData: presentContextField(found.value) })
  return ok({})
}
