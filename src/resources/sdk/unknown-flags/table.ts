import { defineTable } from '../../shared/table.js'
import { unknownFlagSchema } from './schema.js'

export const unknownFlagTable = defineTable({
  record: unknownFlagSchema,
  keyName: 'the name of an unknown flag',
  key: ({ name }) => name,
  indexes: {},
  fixture: unknownFlagSchema,
  complete: (given) => given,
})
