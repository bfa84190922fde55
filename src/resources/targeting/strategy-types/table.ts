import * as z from 'zod'
import { defineTable } from '../../shared/table.js'
import { createStrategyTypeRecord } from './rules.js'
import { sentParameterSchema, strategyTypeSchema } from './schema.js'

/** A type of strategies as a fixture may give it: only its name is needed. */
export const strategyTypeFixtureSchema = z.strictObject({
  ...strategyTypeSchema.partial().shape,
  name: z.string().min(1),
  parameters: z.array(sentParameterSchema).optional(),
})

export const strategyTypeTable = defineTable({
  record: strategyTypeSchema,
  keyName: 'a type of strategies',
  key: ({ name }) => name,
  indexes: {},
  fixture: strategyTypeFixtureSchema,
  complete: createStrategyTypeRecord,
})
