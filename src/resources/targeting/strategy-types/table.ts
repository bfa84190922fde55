import * as z from 'zod'
import { createStrategyTypeRecord } from './rules.js'
import { type StrategyType, sentParameterSchema, strategyTypeSchema } from './schema.js'

/** A type of strategies as a fixture may give it: only its name is needed. */
export const strategyTypeFixtureSchema = z.strictObject({
  ...strategyTypeSchema.partial().shape,
  name: z.string().min(1),
  parameters: z.array(sentParameterSchema).optional(),
})

/** The record that a fixture means. */
export function completeStrategyType(given: z.infer<typeof strategyTypeFixtureSchema>): StrategyType {
  return createStrategyTypeRecord(given)
}
