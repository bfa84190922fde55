import * as z from 'zod'
import { listOf } from '../../shared/given-list.js'
import { defineTable } from '../../shared/table.js'
import { createStrategyTypeRecord } from './rules.js'
import { sentParameterSchema, strategyTypeName, strategyTypeSchema } from './schema.js'

/** A type of strategies as a fixture may give it: only its name is needed. */
export const strategyTypeFixtureSchema = z.strictObject({
  ...strategyTypeSchema.partial().shape,
  /** Its name, which strategies name. */
  name: strategyTypeName.schema,
  /** The parameters that its strategies take. */
  parameters: listOf(sentParameterSchema, { by: 'name' }).optional(),
})

export const strategyTypeTable = defineTable({
  record: strategyTypeSchema,
  keyName: 'a type of strategies',
  key: ({ name }) => name,
  indexes: {},
  fixture: strategyTypeFixtureSchema,
  complete: createStrategyTypeRecord,
})
