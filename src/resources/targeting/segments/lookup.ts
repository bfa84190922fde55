import { type Failure, notFound } from '../../../contract/errors.js'
import type { Frozen } from '../../../support/freeze.js'
import { fail, ok, type Result } from '../../../support/result.js'
import type { Tables } from '../../shared/context.js'
import type { SegmentRecord } from './schema.js'

export function findSegment(tables: Tables, id: string): Result<Frozen<SegmentRecord>, Failure> {
  const segment = tables.segments.get(Number(id))
  return segment === undefined ? fail(notFound(`There is no segment "${id}".`)) : ok(segment)
}
