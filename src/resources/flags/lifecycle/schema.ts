import * as z from 'zod'
import { fixtureInstantSchema, instantSchema } from '../../shared/schema.js'

const lifecycleStages = ['initial', 'pre-live', 'live', 'completed', 'archived'] as const

/** A lifecycle stage of a feature, and when it was entered. */
export const lifecycleSchema = z
  .object({
    /** The stage. */
    stage: z.enum(lifecycleStages),
    /** How a completed feature ended, such as `kept` or `discarded`. */
    status: z.string().nullable().optional(),
    enteredStageAt: instantSchema,
  })
  .meta({ id: 'lifecycleSchema' })

export const lifecycleFixtureSchema = z.strictObject({
  ...lifecycleSchema.shape,
  /** When the stage began. Default: when the feature was created or archived. */
  enteredStageAt: fixtureInstantSchema.optional(),
})

export type Lifecycle = z.infer<typeof lifecycleSchema>

export const featureLifecycleSchema = z.array(lifecycleSchema).meta({ id: 'featureLifecycleSchema' })

export const featureLifecycleCompletedSchema = z
  .strictObject({ status: z.enum(['kept', 'discarded']), statusValue: z.string().optional() })
  .meta({ id: 'featureLifecycleCompletedSchema' })

export const featureLifecycleCountSchema = z
  .object({ initial: z.int(), preLive: z.int(), live: z.int(), completed: z.int(), archived: z.int() })
  .meta({ id: 'featureLifecycleCountSchema' })

export type StageCounts = z.infer<typeof featureLifecycleCountSchema>
