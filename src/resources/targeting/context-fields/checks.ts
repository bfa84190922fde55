import { type Failure, notFound } from '../../../contract/errors.js'
import { nameTaken } from '../../shared/checks.js'
import type { Tables } from '../../shared/context.js'
import { contextFieldName } from './schema.js'

/** Fails if a name is illegal, or taken by a context field of any project. */
export function checkFieldName(tables: Tables, name: string): Failure | undefined {
  return contextFieldName.check(name) ?? (tables.contextFields.has(name) ? nameTaken('context field', name) : undefined)
}

/** Fails if a context field can't be created. */
export function checkNewField(
  tables: Tables,
  { name, project }: { name: string; project?: string | null | undefined },
): Failure | undefined {
  const invalid = contextFieldName.check(name)
  if (invalid) return invalid
  if (project != null && !tables.projects.has(project)) return notFound(`There is no project "${project}".`)
  return checkFieldName(tables, name)
}
