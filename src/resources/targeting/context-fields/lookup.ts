import { type Failure, notFound } from '../../../contract/errors.js'
import type { Frozen } from '../../../support/freeze.js'
import { fail, type Result } from '../../../support/result.js'
import type { Tables } from '../../shared/context.js'
import { findRecord } from '../../shared/lookup.js'
import type { ContextFieldRecord } from './schema.js'

/** The context field with this name. Given a project, it must be its own. */
export function findContextField(
  tables: Tables,
  name: string,
  project?: string,
): Result<Frozen<ContextFieldRecord>, Failure> {
  const found = findRecord(tables.contextFields, name, 'context field')
  if (!found.ok || project === undefined || found.value.project === project) return found
  return fail(notFound(`There is no context field "${name}" in the project "${project}".`))
}
