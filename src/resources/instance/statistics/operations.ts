import { ok } from '../../../support/result.js'
import { defineOperation } from '../../shared/operation.js'
import { presentStats } from './present.js'
import { instanceAdminStatsSchema } from './schema.js'

const getInstanceAdminStats = defineOperation({
  id: 'getInstanceAdminStats',
  method: 'GET',
  path: '/api/admin/instance-admin/statistics',
  summary: 'Statistics about the instance',
  tag: 'Instance Admin',
  leavesOut: 'exports, imports, release plans, metrics buckets, limits in use and the checksum',
  success: { status: 200, description: 'The numbers', schema: instanceAdminStatsSchema },
  run: ({ context }) => ok({ body: presentStats(context) }),
})

export const instanceOperations = [getInstanceAdminStats] as const
