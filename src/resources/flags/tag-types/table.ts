import * as z from 'zod'
import { defineTable } from '../../shared/table.js'
import { createTagTypeRecord } from './rules.js'
import { tagTypeSchema } from './schema.js'

/** A type of tags as a fixture may give it: only its name is needed. */
export const tagTypeFixtureSchema = z.strictObject({
  ...tagTypeSchema.partial().shape,
  /** Its name. */
  name: z.string().min(1),
})

export const tagTypeTable = defineTable({
  record: tagTypeSchema,
  keyName: 'a type of tags',
  key: ({ name }) => name,
  indexes: {},
  fixture: tagTypeFixtureSchema,
  complete: createTagTypeRecord,
})
