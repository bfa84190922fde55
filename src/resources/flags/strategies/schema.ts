import * as z from 'zod'
import { constraintSchema, sentConstraintSchema } from '../../targeting/constraints/schema.js'
import { sentStrategyVariantSchema, strategyVariantSchema } from '../variants/schema.js'

/** A strategy as stored in an environment of a feature. */
export const strategySchema = z.object({
  /** Its id. Default: a new one. */
  id: z.string(),
  /** Its type. */
  name: z.string(),
  /** A title. Default: null. */
  title: z.string().nullable(),
  /** Whether it is switched off. Default: false. */
  disabled: z.boolean(),
  /** Its position. Default: that in the list. */
  sortOrder: z.int(),
  /** The ids of the segments that have to apply too. */
  segments: z.array(z.int()),
  /** Conditions that have to hold too. */
  constraints: z.array(constraintSchema),
  /** Its own variants. */
  variants: z.array(strategyVariantSchema),
  /** Its parameters, as text. Default for `flexibleRollout`: everybody, in the group of the feature's name. */
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
    /** A title. */
    title: z.string().nullable().optional(),
    /** Whether it is switched off. */
    disabled: z.boolean().nullable().optional(),
    /** Its position. */
    sortOrder: z.int().optional(),
    /** The ids of the segments that have to apply too. */
    segments: z.array(z.int()).optional(),
    /** Conditions that have to hold too. */
    constraints: z.array(sentConstraintSchema).optional(),
    /** Its own variants. */
    variants: z.array(sentStrategyVariantSchema).optional(),
    /** Its parameters, as text. */
    parameters: z.record(z.string(), z.string()).optional(),
  })
  .meta({ id: 'updateFeatureStrategySchema' })

export type StrategyUpdate = z.infer<typeof updateFeatureStrategySchema>

export const createFeatureStrategySchema = updateFeatureStrategySchema
  .extend({
    /** Its type. */
    name: z.string(),
  })
  .meta({ id: 'createFeatureStrategySchema' })

export const setStrategySortOrderSchema = z
  .array(z.strictObject({ id: z.string(), sortOrder: z.int() }))
  .meta({ id: 'setStrategySortOrderSchema' })

export type SortOrders = z.infer<typeof setStrategySortOrderSchema>
