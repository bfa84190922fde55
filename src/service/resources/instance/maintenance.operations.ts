import * as z from 'zod'
import type { Frozen } from '../../../support/freeze.js'
import type { OperationContext, Tables } from '../shared/context.js'
import { get, ok, operations, post } from '../shared/rows.js'
import { named } from '../shared/schema.js'
import { logEvent } from './events.operations.js'
import type { SettingRecord } from './maintenance.js'

/** Whether the instance is in maintenance mode, in which it accepts no changes. */
export function inMaintenance(tables: Tables): boolean {
  return tables.settings.get('maintenance')?.enabled ?? false
}

/** Stores a setting and logs it under its ID in Unleash. */
export function saveSetting(context: OperationContext, id: string, setting: SettingRecord): undefined {
  const { settings } = context.tables
  const earlier = settings.get(setting.name)
  settings.replace(setting)
  const type = earlier === undefined ? 'setting-created' : 'setting-updated'
  const preData = earlier === undefined ? null : withoutName(earlier)
  logEvent(context, { type, data: { id, ...withoutName(setting) }, preData })
}

function withoutName({ name: _, ...value }: Frozen<SettingRecord>) {
  return value
}

const path = '/api/admin/maintenance'
export const maintenanceOperations = operations('Maintenance', {
  getMaintenance: get(path, {
    summary: 'Check whether the instance is in maintenance mode',
    permission: ['ADMIN', 'UPDATE_MAINTENANCE_MODE'],
    success: ok(
      'The mode',
      named('maintenanceSchema', () => ({ enabled: z.boolean() })),
    ),
    run: ({ context }) => ({ body: { enabled: inMaintenance(context.tables) } }),
  }),

  toggleMaintenance: post(path, {
    summary: 'Switch maintenance mode on or off',
    permission: ['ADMIN', 'UPDATE_MAINTENANCE_MODE'],
    worksInMaintenance: true,
    body: named('toggleMaintenanceSchema', () => ({ enabled: z.boolean() })),
    success: { status: 204, description: 'Done' },
    run: ({ body: { enabled }, context }) => saveSetting(context, 'maintenance.mode', { name: 'maintenance', enabled }),
  }),
})
