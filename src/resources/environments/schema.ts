import * as z from 'zod'

/** An environment of the service. */
export const environmentRecordSchema = z.object({
  name: z.string().min(1),
  type: z.string(),
  sortOrder: z.int(),
  enabled: z.boolean(),
})

export type EnvironmentRecord = z.infer<typeof environmentRecordSchema>
