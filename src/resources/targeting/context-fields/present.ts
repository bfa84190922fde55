import type { Frozen } from '../../../support/freeze.js'
import type { Tables } from '../../shared/context.js'
import { usageOf } from '../usage/lookup.js'
import type { ContextFieldRecord } from './schema.js'

type Stored = Frozen<ContextFieldRecord>

/** A context field, with its project only if it has one. */
export function presentContextField({ project, ...field }: Stored) {
  return project === null ? field : { ...field, project }
}

/** A list of context fields by name, each with its usage. */
export function presentContextFields(fields: readonly Stored[], tables: Tables) {
  return fields
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map((field) => ({ ...presentContextField(field), ...usageOf(tables, 'contextField', field.name) }))
}
