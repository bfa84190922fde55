import * as z from 'zod'
import { featureSummarySchema } from '../../flags/features/schema.js'
import { instantSchema } from '../../shared/schema.js'
import { strategyTypeSchema } from '../../targeting/strategy-types/schema.js'

const usageSchema = z.object({
  /** The id of a project, or `*`. */
  project: z.string(),
  /** The names of environments, or `*`. */
  environments: z.array(z.string()),
})

export type Usage = z.infer<typeof usageSchema>

/** What people have noted about an application. */
export const applicationRecordSchema = z.object({
  appName: z.string().min(1),
  /** What it is. Default: null. */
  description: z.string().nullable(),
  /** Its page. Default: null. */
  url: z.string().nullable(),
  /** A colour such as `#FF0000`. Default: null. */
  color: z.string().nullable(),
  /** An icon. Default: null. */
  icon: z.string().nullable(),
  /** The types of strategies that it knows. */
  strategies: z.array(z.string()),
  /** Where it is said to be used. Where its SDKs say so themselves comes on top. */
  usage: z.array(usageSchema),
  createdAt: instantSchema,
})

export type ApplicationRecord = z.infer<typeof applicationRecordSchema>

export const createApplicationSchema = z
  .object({
    appName: z.string().optional(),
    description: z.string().optional(),
    strategies: z.array(z.string()).optional(),
    url: z.string().optional(),
    color: z.string().optional(),
    icon: z.string().optional(),
    projects: z.array(z.string()).optional(),
    environment: z.string().optional(),
  })
  .meta({ id: 'createApplicationSchema' })

const instanceSchema = z.object({
  instanceId: z.string(),
  sdkVersion: z.string().nullable(),
  clientIp: z.string().nullable(),
  lastSeen: instantSchema,
})

export const instancesSchema = z
  .object({ instances: z.array(instanceSchema) })
  .meta({ id: 'applicationEnvironmentInstancesSchema' })

const notFoundSchema = z.object({ name: z.string(), notFound: z.literal(true) })

export const applicationDetailsSchema = z.lazy(() =>
  applicationRecordSchema
    .omit({ usage: true })
    .extend({
      strategies: z.array(z.union([strategyTypeSchema, notFoundSchema])),
      instances: z.array(
        instanceSchema.extend({
          appName: z.string(),
          sdkType: z.enum(['frontend', 'backend']),
          createdAt: instantSchema,
          environment: z.string(),
        }),
      ),
      seenToggles: z.array(z.union([featureSummarySchema, notFoundSchema])),
      links: z.object({ self: z.string() }),
    })
    .meta({ id: 'applicationDetailsSchema' }),
)

const textsSchema = z.array(z.string())

export const applicationOverviewSchema = z.lazy(() =>
  z
    .object({
      projects: textsSchema,
      featureCount: z.int(),
      environments: z.array(
        z.object({
          name: z.string(),
          instanceCount: z.int(),
          sdks: textsSchema,
          frontendSdks: textsSchema,
          backendSdks: textsSchema,
          lastSeen: instantSchema.nullable(),
          issues: z.object({ missingFeatures: textsSchema, outdatedSdks: textsSchema }),
        }),
      ),
      issues: z.object({ missingStrategies: textsSchema }),
    })
    .meta({ id: 'applicationOverviewSchema' }),
)

export const outdatedSdksSchema = z
  .object({ sdks: z.array(z.object({ sdkVersion: z.string(), applications: textsSchema })) })
  .meta({ id: 'outdatedSdksSchema' })
