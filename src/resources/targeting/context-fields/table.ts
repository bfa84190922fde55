import * as z from 'zod'
import { listOf } from '../../shared/given-list.js'
import { fixtureInstant, fixtureInstantSchema } from '../../shared/schema.js'
import { defineTable } from '../../shared/table.js'
import { createContextFieldRecord } from './rules.js'
import { contextFieldName, contextFieldRecordSchema, legalValueSchema } from './schema.js'

export const contextFieldTable = defineTable({
  record: contextFieldRecordSchema,
  keyName: 'a context field',
  key: ({ name }) => name,
  indexes: {},
  fixture: z.strictObject({
    ...contextFieldRecordSchema.partial().shape,
    /** Its name, which constraints name. */
    name: contextFieldName.schema,
    /** The values that it can have. Default: any. */
    legalValues: listOf(legalValueSchema, { by: 'value' }).optional(),
    /** The number of projects with features that use it. It must agree with them. */
    usedInProjects: z.int().optional(),
    /** The number of features that use it. It must agree with them. */
    usedInFeatures: z.int().optional(),
    /** When it was created. Default: the start of the world. */
    createdAt: fixtureInstantSchema.optional(),
  }),
  complete: (given, context) => createContextFieldRecord(given, fixtureInstant(given.createdAt ?? 'now', context.now)),
  *references({ project }) {
    if (project !== null) yield { at: 'project', to: 'projects', key: project }
  },
})
