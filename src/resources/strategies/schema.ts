import * as z from 'zod'
import { constraintSchema } from '../constraints/schema.js'
import { strategyVariantSchema } from '../environment-variants/schema.js'

/** A strategy as it is stored in an environment of a feature. */
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
