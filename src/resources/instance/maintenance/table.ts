import * as z from 'zod'
import { defineTable } from '../../shared/table.js'
import { settingRecordSchema } from './schema.js'

export const settingTable = defineTable({
  record: settingRecordSchema,
  keyName: 'a setting',
  key: ({ name }) => name,
  indexes: {},
  fixture: z.strictObject(settingRecordSchema.shape),
  complete: (given) => given,
})
