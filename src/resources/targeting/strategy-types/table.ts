import * as z from 'zod'
import { listOf } from '../../shared/given-list.js'
import { defineTable } from '../../shared/table.js'
import { createStrategyTypeRecord } from './rules.js'
import { sentParameterSchema, strategyTypeName, strategyTypeSchema } from './schema.js'

export const strategyTypeTable = defineTable({
  record: strategyTypeSchema,
  keyName: 'a type of strategies',
  key: ({ name }) => name,
  indexes: {},
  fixture: z.strictObject({
    ...strategyTypeSchema.partial().shape,
    /** Its name, which strategies name. */
    name: strategyTypeName.schema,
    /** The parameters that its strategies take. */
    parameters: listOf(sentParameterSchema, { by: 'name' }).optional(),
  }),
  complete: createStrategyTypeRecord,
})
