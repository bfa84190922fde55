import { badData, type Failure, notFound } from '../../../contract/errors.js'
import { nameTaken } from '../../shared/checks.js'
import type { Tables } from '../../shared/context.js'
import type { ContextFieldInput } from './rules.js'
import { contextFieldName } from './schema.js'

/** Fails if a name is illegal, or taken by a context field of any project. */
export function checkFieldName(tables: Tables, name: string): Failure | undefined {
  return contextFieldName.check(name) ?? (tables.contextFields.has(name) ? nameTaken('context field', name) : undefined)
}

/** Fails if a description is too long, or if legal values are too long or not distinct. */
export function checkFieldContent({
  description,
  legalValues = [],
}: Pick<ContextFieldInput, 'description' | 'legalValues'>): Failure | undefined {
  if ((description?.length ?? 0) > 250) {
    return badData('A description has at most 250 characters.', '/body/description')
  }
  const values = legalValues.map(({ value }) => value)
  const areLegal = values.every(({ length }) => length <= 100) && new Set(values).size === values.length
  return areLegal
    ? undefined
    : badData('Legal values are distinct and have at most 100 characters.', '/body/legalValues')
}

/** Fails if a context field can't be created. */
export function checkNewField(tables: Tables, sent: ContextFieldInput): Failure | undefined {
  const { name, project } = sent
  const invalid = contextFieldName.check(name)
  if (invalid) return invalid
  if (project != null && !tables.projects.has(project)) return notFound(`There is no project "${project}".`)
  return checkFieldName(tables, name) ?? checkFieldContent(sent)
}
