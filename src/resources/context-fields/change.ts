import type { Failure } from '../../contract/errors.js'
import type { Reply } from '../../contract/operation.js'
import type { Frozen } from '../../support/freeze.js'
import { ok, type Result } from '../../support/result.js'
import { logEvent } from '../events/rules.js'
import { findRecord } from '../lookup.js'
import type { World } from '../world.js'
import { presentContextField } from './present.js'
import type { ContextFieldRecord } from './schema.js'

/** Puts a changed field in the place of what it was. */
export function changeContextField(
  world: World,
  name: string,
  changed: (field: Frozen<ContextFieldRecord>) => Frozen<ContextFieldRecord>,
): Result<Reply, Failure> {
  const found = findRecord(world.tables.contextFields, name, 'context field')
  if (!found.ok) return found
  const field = changed(found.value)
  world.tables.contextFields.replace(field)
  const [data, preData] = [presentContextField(field), presentContextField(found.value)]
  logEvent(world, { type: 'context-field-updated', project: field.project, data, preData })
  return ok({})
}
