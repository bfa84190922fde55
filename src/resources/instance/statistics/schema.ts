import * as z from 'zod'
import { instantSchema } from '../../shared/schema.js'

const countSchema = z.int().min(0)
const recentSchema = z.object({ last30: countSchema, last60: countSchema, last90: countSchema })

/** Statistics about the instance. */
export const instanceAdminStatsSchema = z
  .object({
    instanceId: z.uuid(),
    timestamp: instantSchema,
    versionOSS: z.string(),
    versionEnterprise: z.string(),
    users: countSchema,
    activeUsers: recentSchema.extend({ last7: countSchema }),
    licensedUsers: countSchema,
    productionChanges: recentSchema,
    featureToggles: countSchema,
    projects: countSchema,
    contextFields: countSchema,
    roles: countSchema,
    groups: countSchema,
    environments: countSchema,
    segments: countSchema,
    strategies: countSchema,
    SAMLenabled: z.boolean(),
    OIDCenabled: z.boolean(),
    clientApps: z.array(z.object({ range: z.enum(['allTime', '30d', '7d']), count: countSchema })),
    apiTokens: z.object({ admin: countSchema, client: countSchema, frontend: countSchema }),
  })
  .meta({ id: 'instanceAdminStatsSchema' })

export type InstanceAdminStats = z.infer<typeof instanceAdminStatsSchema>
