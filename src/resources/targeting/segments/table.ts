import * as z from 'zod'
import { listOf } from '../../shared/given-list.js'
import { fixtureInstant, fixtureInstantSchema } from '../../shared/schema.js'
import { defineTable } from '../../shared/table.js'
import { constraintSchema } from '../constraints/schema.js'
import { createSegmentRecord } from './rules.js'
import { segmentRecordSchema } from './schema.js'

export const segmentTable = defineTable({
  record: segmentRecordSchema,
  keyName: 'the id of a segment',
  key: ({ id }) => id,
  indexes: { name: ({ name }) => [name] },
  unique: { name: 'the name' },
  fixture: z.strictObject({
    ...segmentRecordSchema.partial().shape,
    /** Its id. */
    id: z.int().min(0),
    /** The conditions that all have to hold. */
    constraints: listOf(constraintSchema, { by: 'contextName' }).optional(),
    /** The number of projects with features that use it. It must agree with them. */
    usedInProjects: z.int().optional(),
    /** The number of features that use it. It must agree with them. */
    usedInFeatures: z.int().optional(),
    /** When it was created. Default: the start of the world. */
    createdAt: fixtureInstantSchema.optional(),
  }),
  complete(given, context) {
    const { id, name = `segment-${id}`, constraints = [], createdBy = 'admin' } = given
    const createdAt = fixtureInstant(given.createdAt ?? 'now', context.now)
    return createSegmentRecord({ ...given, name, constraints }, { id, createdBy, createdAt })
  },
  *references({ project }) {
    if (project !== null) yield { at: 'project', to: 'projects', key: project }
  },
})
