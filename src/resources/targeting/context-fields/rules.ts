import type { Frozen } from '../../../support/freeze.js'
import type { ContextFieldRecord } from './schema.js'

/** What can be said of a field of the context; all but its name may be left out. */
interface Asked {
  name: string
  description?: string | undefined
  stickiness?: boolean | undefined
  sortOrder?: number | undefined
  legalValues?: Frozen<ContextFieldRecord['legalValues']> | undefined
  project?: string | null | undefined
}

/** A field of the context with what was not said of it filled in. */
export function createContextFieldRecord(asked: Asked, createdAt: string): Frozen<ContextFieldRecord> {
  return {
    name: asked.name,
    description: asked.description ?? '',
    stickiness: asked.stickiness ?? false,
    sortOrder: asked.sortOrder ?? 10,
    legalValues: asked.legalValues ?? [],
    createdAt,
    project: asked.project ?? null,
  }
}
