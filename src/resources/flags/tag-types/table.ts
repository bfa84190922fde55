import * as z from 'zod'
import { defineTable } from '../../shared/table.js'
import { createTagTypeRecord } from './rules.js'
import { tagTypeSchema } from './schema.js'

export const tagTypeTable = defineTable({
  record: tagTypeSchema,
  keyName: 'a type of tags',
  key: ({ name }) => name,
  indexes: {},
  fixture: z.strictObject({
    ...tagTypeSchema.partial().shape,
    /** Its name. */
    name: z.string().min(1),
  }),
  complete: createTagTypeRecord,
})
