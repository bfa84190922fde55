import { ok } from '../../../support/result.js'
import { defineOperation } from '../../shared/operation.js'
import { presentStats, statsAsCsv, withSum } from './present.js'
import { instanceAdminStatsSchema } from './schema.js'

const getInstanceAdminStats = defineOperation({
  id: 'getInstanceAdminStats',
  method: 'GET',
  path: '/api/admin/instance-admin/statistics',
  summary: 'Statistics about the instance',
  tag: 'Instance Admin',
  success: { status: 200, description: 'The numbers', schema: instanceAdminStatsSchema },
  run: ({ context }) => ok({ body: withSum(presentStats(context)) }),
})

const getInstanceAdminStatsCsv = defineOperation({
  id: 'getInstanceAdminStatsCsv',
  method: 'GET',
  path: '/api/admin/instance-admin/statistics/csv',
  summary: 'Statistics about the instance, as a table',
  tag: 'Instance Admin',
  success: { status: 200, description: 'The names and the numbers', text: 'text/csv' },
  run: ({ context }) => ok({ body: statsAsCsv(withSum(presentStats(context))) }),
})

export const instanceOperations = [getInstanceAdminStats, getInstanceAdminStatsCsv] as const
