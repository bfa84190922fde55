import type { Frozen } from '../../../support/freeze.js'
import { normalizeConstraint } from '../constraints/rules.js'
import type { SegmentRecord, UpsertSegment } from './schema.js'

/** A segment as it is asked for, with what only the service knows. */
export function createSegmentRecord(
  asked: Frozen<UpsertSegment>,
  made: Pick<SegmentRecord, 'id' | 'createdBy' | 'createdAt'>,
): Frozen<SegmentRecord> {
  return {
    id: made.id,
    name: asked.name,
    description: asked.description ?? null,
    project: asked.project ?? null,
    constraints: asked.constraints.map(normalizeConstraint),
    createdBy: made.createdBy,
    createdAt: made.createdAt,
  }
}

/** A segment as it is answered; its project only where it has one. */
export function presentSegment({ project, ...segment }: Frozen<SegmentRecord>) {
  return project === null ? segment : { ...segment, project }
}
