import type { Frozen } from '../../../support/freeze.js'
import type { Tables } from '../../shared/context.js'
import { usageOf } from '../usage/lookup.js'
import type { ContextFieldRecord } from './schema.js'

type Stored = Frozen<ContextFieldRecord>

/** A field of the context as it is answered; its project only where it has one. */
export function presentContextField({ project, ...field }: Stored) {
  return project === null ? field : { ...field, project }
}

/** Fields as a list shows them: by name, each with how much it is used. */
export function presentContextFields(fields: readonly Stored[], tables: Tables) {
  return fields
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map((field) => ({ ...presentContextField(field), ...usageOf(tables, 'contextField', field.name) }))
}
