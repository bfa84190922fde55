import type { Frozen } from '../../../support/freeze.js'
import type { ContextFieldRecord } from './schema.js'

/** What can be set on a context field. Only the name is required. */
export interface ContextFieldInput {
  name: string
  description?: string | undefined
  stickiness?: boolean | undefined
  sortOrder?: number | undefined
  legalValues?: Frozen<ContextFieldRecord['legalValues']> | undefined
  project?: string | null | undefined
}

/** A context field, with defaults for omitted fields. */
export function createContextFieldRecord(input: ContextFieldInput, createdAt: string): Frozen<ContextFieldRecord> {
  return {
    name: input.name,
    description: input.description ?? '',
    stickiness: input.stickiness ?? false,
    sortOrder: input.sortOrder ?? 10,
    legalValues: input.legalValues ?? [],
    createdAt,
    project: input.project ?? null,
  }
}
