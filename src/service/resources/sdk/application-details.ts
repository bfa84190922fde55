import * as z from 'zod'
import type { Frozen } from '../../../support/freeze.js'
import { compareVersions } from '../../evaluation/constraints.js'
import { featureSummarySchema } from '../flags/features.js'
import { ascending } from '../shared/checks.js'
import { field, instant, optional } from '../shared/fields.js'
import { object } from '../shared/object.js'
import { instantSchema, named } from '../shared/schema.js'
import { defineTable } from '../shared/table.js'
import { strategyTypeSchema } from '../targeting/strategy-types.js'
import { isRegistered, type StoredInstance } from './client-instances.js'

export const usageSchema = object(() => ({
  project: field(z.string(), 'The ID of a project, or `*`.'),
  environments: field(z.array(z.string()), 'The names of environments, or `*`.'),
}))

export type Usage = z.infer<typeof usageSchema>

/** The address of every client. */
export const CLIENT_IP = '127.0.0.1'

/** The usage of an application without a declared usage. */
export const EVERYWHERE: Usage = { project: '*', environments: ['*'] }

/** The users' notes about an application. */
export const applicationRecordSchema = object(() => ({
  appName: field(z.string().min(1), 'The name.'),
  description: optional(z.string().nullable(), null, 'The description.'),
  url: optional(z.string().nullable(), null, 'The URL of its page.'),
  color: optional(z.string().nullable(), null, 'The colour, such as `#FF0000`.'),
  icon: optional(z.string().nullable(), null, 'The icon.'),
  strategies: field(
    z.array(z.string()).optional(),
    'The supported strategy types. Default: those that its first SDK reports.',
  ),
  usage: optional(z.array(usageSchema), [EVERYWHERE], "Its declared usage, in addition to its SDKs' reports."),
  createdAt: instant('now', 'The time of the first report.'),
}))

export type ApplicationRecord = z.infer<typeof applicationRecordSchema>

export const instanceSchema = object(() => ({
  instanceId: z.string(),
  sdkVersion: z.string().nullable(),
  clientIp: z.string().nullable(),
  lastSeen: instantSchema,
}))

const notFoundSchema = object(() => ({ name: z.string(), notFound: z.literal(true) }))

export const applicationDetailsSchema = named(
  'applicationDetailsSchema',
  () =>
    applicationRecordSchema.omit({ usage: true }).extend({
      strategies: z.array(z.union([strategyTypeSchema, notFoundSchema])),
      instances: z.array(
        instanceSchema.extend({
          appName: z.string(),
          sdkType: z.enum(['frontend', 'backend']).nullable(),
          createdAt: instantSchema,
          environment: z.string(),
        }),
      ),
      seenToggles: z.array(z.union([featureSummarySchema, notFoundSchema])),
      links: z.object({ self: z.string() }),
    }).shape,
)

const textsSchema = z.array(z.string())

export const applicationOverviewSchema = named('applicationOverviewSchema', () => ({
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
}))

export const outdatedSdksSchema = named('outdatedSdksSchema', () => ({
  sdks: z.array(z.object({ sdkVersion: z.string(), applications: textsSchema })),
}))

/** Strategy types that SDKs still support and Unleash has removed. */
export const DEPRECATED = ['gradualRolloutRandom', 'gradualRolloutSessionId', 'gradualRolloutUserId', 'userWithId']

/** An application by its reports and notes: it keeps the creator and the strategies of the first report or note. */
export function firstReported(noted: Frozen<ApplicationRecord> | undefined, instances: readonly StoredInstance[]) {
  const reported = instances.toSorted((one, other) => ascending(one.createdAt, other.createdAt))
  const [first] = reported
  const isFromNotes = noted !== undefined && (first === undefined || noted.createdAt <= first.createdAt)
  const declared = noted?.usage.flatMap(({ project, environments }) =>
    environments.map((environment) => ({ projects: [project], environment })),
  )
  const reportedFirst = isFromNotes ? [] : (first?.strategies ?? [])
  return {
    createdAt: (isFromNotes ? noted : first)?.createdAt,
    isRegistered: !isFromNotes && first !== undefined && !first.onlyCounted && isRegistered(first),
    strategies: noted?.strategies ?? reportedFirst,
    usage: withUsage([], isFromNotes ? [...(declared ?? []), ...reported] : [...reported, ...(declared ?? [])]),
  }
}

/** The usage of an application, with reported projects in an environment. Missing values mean all. */
export function withUsage(
  known: readonly Frozen<Usage>[],
  reports: readonly { projects?: readonly string[] | undefined; environment?: string | undefined }[],
): Usage[] {
  const usage = new Map(known.map((one) => [one.project, new Set(one.environments)]))
  for (const { projects = [], environment = '' } of reports) {
    for (const project of projects.length === 0 ? ['*'] : projects) {
      const environments = usage.get(project) ?? new Set()
      usage.set(project, environments.add(environment || '*'))
    }
  }
  return [...usage].map(([project, environments]) => ({ project, environments: [...environments] }))
}

/** The oldest version of each SDK that Unleash doesn't call outdated. */
const oldestCurrent: Readonly<Record<string, string>> = {
  'unleash-client-dotnet': '4.1.3',
  'unleash-client-go': '4.1.0',
  'unleash-client-java': '9.2.0',
  'unleash-client-nextjs': '1.6.2',
  'unleash-client-node': '5.3.2',
  'unleash-client-php': '2.3.0',
  'unleash-client-python': '5.11.0',
  'unleash-client-ruby': '5.0.0',
  'unleash-dotnet-sdk': '5.3.0',
  'unleash-go-sdk': '5.0.3',
  'unleash-java-sdk': '11.0.2',
  'unleash-nextjs-sdk': '1.6.2',
  'unleash-node-sdk': '6.6.0',
  'unleash-php-sdk': '2.9.1',
  'unleash-python-sdk': '6.3.0',
  'unleash-ruby-sdk': '6.3.1',
}

/** Whether an SDK such as `unleash-client-node:3.0.0` is outdated. */
export function isOutdated(sdk: string): boolean {
  const [name = '', version = ''] = sdk.split(':')
  const oldest = Object.hasOwn(oldestCurrent, name) ? oldestCurrent[name] : undefined
  return oldest !== undefined && (compareVersions(version, oldest) ?? 0) < 0
}

export const applicationTable = defineTable({
  meaning: 'Data about applications. Only `appName` is needed.',
  isReported: true,
  record: applicationRecordSchema,
  keyName: 'the name of an application',
  key: ({ appName }) => appName,
})
