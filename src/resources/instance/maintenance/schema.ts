import * as z from 'zod'

/** A setting of the instance, as it is stored. */
export const settingRecordSchema = z.object({ name: z.enum(['maintenance']), enabled: z.boolean() })

export const maintenanceSchema = z.object({ enabled: z.boolean() }).meta({ id: 'maintenanceSchema' })

export const toggleMaintenanceSchema = z.object({ enabled: z.boolean() }).meta({ id: 'toggleMaintenanceSchema' })
