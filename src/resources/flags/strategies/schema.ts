import * as z from 'zod'
import { constraintSchema, sentConstraintSchema } from '../../targeting/constraints/schema.js'
import { sentStrategyVariantSchema, strategyVariantSchema } from '../variants/schema.js'

/** A strategy as stored in an environment of a feature. */
export const strategySchema = z.object({
  id: z.string(),
  name: z.string(),
  title: z.string().nullable(),
  disabled: z.boolean(),
  sortOrder: z.int(),
  segments: z.array(z.int()),
  constraints: z.array(constraintSchema),
  variants: z.array(strategyVariantSchema),
  parameters: z.record(z.string(), z.string()),
})

export type Strategy = z.infer<typeof strategySchema>

/** A strategy in the answers of the operations on strategies. */
export const answeredStrategySchema = strategySchema.extend({}).meta({ id: 'featureStrategySchema' })

export const listedStrategiesSchema = z
  .array(strategySchema.extend({ milestoneId: z.null() }))
  .meta({ id: 'featureStrategiesSchema' })

export const updateFeatureStrategySchema = z
  .object({
    name: z.string().optional(),
    title: z.string().nullable().optional(),
    disabled: z.boolean().nullable().optional(),
    sortOrder: z.int().optional(),
    segments: z.array(z.int()).optional(),
    constraints: z.array(sentConstraintSchema).optional(),
    variants: z.array(sentStrategyVariantSchema).optional(),
    parameters: z.record(z.string(), z.string()).optional(),
  })
  .meta({ id: 'updateFeatureStrategySchema' })

export type StrategyUpdate = z.infer<typeof updateFeatureStrategySchema>

export const createFeatureStrategySchema = updateFeatureStrategySchema
  .extend({ name: z.string() })
  .meta({ id: 'createFeatureStrategySchema' })

export const setStrategySortOrderSchema = z
  .array(z.strictObject({ id: z.string(), sortOrder: z.int() }))
  .meta({ id: 'setStrategySortOrderSchema' })

export type SortOrders = z.infer<typeof setStrategySortOrderSchema>
