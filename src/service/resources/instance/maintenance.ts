import * as z from 'zod'
import type { Failure } from '../../contract/errors.js'
import { field } from '../shared/fields.js'
import { object } from '../shared/object.js'
import { defineTable } from '../shared/table.js'

const settingRecordSchema = object(() => ({
  name: field(
    z.enum(['maintenance', 'frontend']),
    '`maintenance`: whether the instance is read-only. `frontend`: the settings of the frontend API.',
  ),
  enabled: field(z.boolean().optional(), 'Whether maintenance mode is on. Default: false.'),
  frontendApiOrigins: field(
    z.array(z.string()).optional(),
    `The origins whose pages can use the frontend API, in Unleash's form. Default: \`["*"]\`.`,
  ),
}))

export type SettingRecord = z.infer<typeof settingRecordSchema>

export const maintenanceFailure: Failure = {
  kind: 'maintenance',
  message: 'The service is in maintenance mode and accepts no changes right now.',
}

export const settingTable = defineTable({
  meaning: 'Settings of the instance: maintenance mode.',
  record: settingRecordSchema,
  keyName: 'a setting',
  key: ({ name }) => name,
})
