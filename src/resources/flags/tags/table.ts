import * as z from 'zod'
import { defineTable } from '../../shared/table.js'
import { tagKey } from './rules.js'
import { tagSchema } from './schema.js'

/** Tags that were created by themselves. Features may have others. */
export const tagTable = defineTable({
  record: tagSchema,
  keyName: 'a tag',
  key: tagKey,
  indexes: {},
  fixture: z.strictObject({
    /** The type of the tag, such as `simple`. */
    type: z.string().min(1),
    /** The value of the tag. */
    value: z.string().min(1),
  }),
  complete: ({ type, value }) => ({ type, value }),
  *references({ type }) {
    yield { at: 'type', to: 'tagTypes', key: type }
  },
})
