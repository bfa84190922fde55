import * as z from 'zod'
import { instantSchema } from '../../shared/schema.js'

const countSchema = z.int().min(0)
const recentSchema = z.object({ last30: countSchema, last60: countSchema, last90: countSchema })

/** Statistics about the instance. */
export const instanceAdminStatsSchema = z.lazy(() =>
  z
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
      apiTokens: z.object({ admin: countSchema, client: countSchema, backend: countSchema, frontend: countSchema }),
      serviceAccounts: countSchema,
      archivedFeatureToggles: countSchema,
      customRootRoles: countSchema,
      customRootRolesInUse: countSchema,
      passwordAuthEnabled: z.boolean(),
      SCIMenabled: z.boolean(),
      featureExports: countSchema,
      featureImports: countSchema,
      previousDayMetricsBucketsCount: z.object({ enabledCount: countSchema, variantCount: countSchema }),
      maxEnvironmentStrategies: countSchema,
      maxConstraintValues: countSchema,
      maxConstraints: countSchema,
      releaseTemplates: countSchema,
      releasePlans: countSchema,
      edgeInstanceUsage: z.record(z.string(), countSchema),
      readOnlyUsers: countSchema,
      sum: z.string(),
    })
    .meta({ id: 'instanceAdminStatsSchema' }),
)

export type InstanceAdminStats = z.infer<typeof instanceAdminStatsSchema>
