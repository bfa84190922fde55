import { ok } from '../../../support/result.js'
import { defineOperation } from '../../shared/operation.js'
import { saveSetting } from './actions.js'
import { inMaintenance } from './lookup.js'
import { maintenanceSchema, toggleMaintenanceSchema } from './schema.js'

const tag = 'Maintenance'
const path = '/api/admin/maintenance'

const getMaintenance = defineOperation({
  id: 'getMaintenance',
  method: 'GET',
  path,
  summary: 'Whether the service is in maintenance mode',
  tag,
  permission: ['ADMIN', 'UPDATE_MAINTENANCE_MODE'],
  success: { status: 200, description: 'The mode', schema: maintenanceSchema },
  run: ({ context }) => ok({ body: { enabled: inMaintenance(context.tables) } }),
})

const toggleMaintenance = defineOperation({
  id: 'toggleMaintenance',
  method: 'POST',
  path,
  summary: 'Switch maintenance mode on or off',
  tag,
  permission: ['ADMIN', 'UPDATE_MAINTENANCE_MODE'],
  worksInMaintenance: true,
  body: toggleMaintenanceSchema,
  success: { status: 204, description: 'Done' },
  run: ({ body: { enabled }, context }) => {
    saveSetting(context, 'maintenance.mode', { name: 'maintenance', enabled })
    return ok({})
  },
})

export const maintenanceOperations = [getMaintenance, toggleMaintenance] as const
