import type { Frozen } from '../../../support/freeze.js'
import { normalizeConstraint } from '../constraints/rules.js'
import type { SegmentRecord, UpsertSegment } from './schema.js'

/** A segment from a client's input and the fields that only the service sets. */
export function createSegmentRecord(
  input: Frozen<UpsertSegment>,
  own: Pick<SegmentRecord, 'id' | 'createdBy' | 'createdAt'>,
): Frozen<SegmentRecord> {
  return {
    id: own.id,
    name: input.name,
    description: input.description ?? null,
    project: input.project || null,
    constraints: input.constraints.map(normalizeConstraint),
    createdBy: own.createdBy,
    createdAt: own.createdAt,
  }
}
