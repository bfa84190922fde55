import * as z from 'zod'
import { defineTable } from '../../shared/table.js'
import { settingRecordSchema } from './schema.js'

/** A setting as a fixture gives it. */
export const settingFixtureSchema = z.strictObject(settingRecordSchema.shape)

export const settingTable = defineTable({
  record: settingRecordSchema,
  keyName: 'a setting',
  key: ({ name }) => name,
  indexes: {},
  fixture: settingFixtureSchema,
  complete: (given) => given,
})
