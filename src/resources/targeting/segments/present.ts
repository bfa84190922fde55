import type { Frozen } from '../../../support/freeze.js'
import type { SegmentRecord } from './schema.js'

/** A segment, with its project only if it has one. */
export function presentSegment({ project, ...segment }: Frozen<SegmentRecord>) {
  return project === null ? segment : { ...segment, project }
}
