import * as z from 'zod'

/** A setting of the instance, as it is stored. */
export const settingRecordSchema = z.object({
  name: z.enum(['maintenance', 'frontend']),
  /** For `maintenance`: whether it is on. */
  enabled: z.boolean().optional(),
  /** For `frontend`: the origins whose pages may use the frontend API. */
  frontendApiOrigins: z.array(z.string()).optional(),
})

export type SettingRecord = z.infer<typeof settingRecordSchema>

export const maintenanceSchema = z.object({ enabled: z.boolean() }).meta({ id: 'maintenanceSchema' })

export const toggleMaintenanceSchema = z.object({ enabled: z.boolean() }).meta({ id: 'toggleMaintenanceSchema' })
