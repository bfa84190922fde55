import * as z from 'zod'
import type { Failure } from '../../contract/errors.js'
import { defineTable } from '../shared/table.js'

const settingRecordSchema = z.object({
  name: z.enum(['maintenance', 'frontend']),
  enabled: z.boolean().optional(),
  frontendApiOrigins: z.array(z.string()).optional(),
})

export type SettingRecord = z.infer<typeof settingRecordSchema>

export const maintenanceFailure: Failure = {
  kind: 'maintenance',
  message: 'The service is in maintenance mode and accepts no changes right now.',
}

export const settingTable = defineTable({
  record: settingRecordSchema,
  keyName: 'a setting',
  key: ({ name }) => name,
})
