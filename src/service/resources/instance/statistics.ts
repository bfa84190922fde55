import * as z from 'zod'
import { DAY } from '../../../support/calendar.js'
import { sha256Hex } from '../../../support/hash.js'
import { isObject } from '../../../support/json.js'
import { SERVICE_VERSION } from '../../contract/profile.js'
import type { OperationContext, Tables } from '../shared/context.js'
import { object } from '../shared/object.js'
import { get, ok, operations, PROMETHEUS } from '../shared/rows.js'
import { instantSchema, named, toInstant } from '../shared/schema.js'

const countSchema = z.int().min(0)
const recentSchema = object(() => ({ last30: countSchema, last60: countSchema, last90: countSchema }))

const instanceAdminStatsSchema = named('instanceAdminStatsSchema', () => ({
  timestamp: instantSchema,
  instanceId: z.uuid(),
  versionOSS: z.string(),
  versionEnterprise: z.string(),
  users: countSchema,
  serviceAccounts: countSchema,
  apiTokens: z
    .object({ admin: countSchema, frontend: countSchema, client: countSchema, backend: countSchema })
    .partial(),
  activeUsers: recentSchema.extend({ last7: countSchema }),
  licensedUsers: countSchema,
  featureToggles: countSchema,
  archivedFeatureToggles: countSchema,
  projects: countSchema,
  contextFields: countSchema,
  roles: countSchema,
  customRootRoles: countSchema,
  customRootRolesInUse: countSchema,
  groups: countSchema,
  environments: countSchema,
  segments: countSchema,
  strategies: countSchema,
  SAMLenabled: z.boolean(),
  OIDCenabled: z.boolean(),
  passwordAuthEnabled: z.boolean(),
  SCIMenabled: z.boolean(),
  clientApps: z.array(z.object({ range: z.enum(['allTime', '30d', '7d']), count: countSchema })),
  featureExports: countSchema,
  featureImports: countSchema,
  productionChanges: recentSchema,
  previousDayMetricsBucketsCount: z.object({ enabledCount: countSchema, variantCount: countSchema }),
  maxEnvironmentStrategies: countSchema,
  maxConstraintValues: countSchema,
  maxConstraints: countSchema,
  releaseTemplates: countSchema,
  releasePlans: countSchema,
  edgeInstanceUsage: z.record(z.string(), countSchema),
  readOnlyUsers: countSchema,
  sum: z.string(),
}))

type InstanceAdminStats = z.infer<typeof instanceAdminStatsSchema>

export const INSTANCE_ID = '00000000-0000-4000-8000-000000000000'

/** The current statistics, with a checksum of the identity and the size of the instance. */
function presentStats({ tables, now }: OperationContext): InstanceAdminStats {
  const users = tables.users.list()
  const apps = tables.clientInstances.list()
  const within = (instant: string | null, days: number) =>
    instant !== null && Date.parse(instant) >= now.getTime() - days * DAY
  const recent = (instants: readonly (string | null)[]) => (days: number) =>
    instants.filter((instant) => within(instant, days)).length
  const active = recent(users.map(({ seenAt }) => seenAt))
  const changes = recent(productionEvents(tables).map(({ createdAt }) => createdAt))
  const appsSince = (days: number) =>
    new Set(apps.filter((app) => within(app.lastSeenAt, days)).map(({ appName }) => appName)).size
  const archived = tables.features.list().filter((feature) => feature.archived).length
  const stats = {
    timestamp: toInstant(now),
    instanceId: INSTANCE_ID,
    versionOSS: SERVICE_VERSION,
    versionEnterprise: '',
    users: users.length,
    serviceAccounts: 0,
    apiTokens: countTokens(tables),
    activeUsers: { last7: active(7), last30: active(30), last60: active(60), last90: active(90) },
    licensedUsers: countLicensed(tables, (instant) => within(instant, 30)),
    featureToggles: tables.features.size - archived,
    archivedFeatureToggles: archived,
    projects: tables.projects.list().filter(({ archivedAt }) => archivedAt === null).length,
    contextFields: tables.contextFields.list().length,
    roles: tables.roles.list().length,
    customRootRoles: 0,
    customRootRolesInUse: 0,
    groups: 0,
    environments: tables.environments.list().length,
    segments: tables.segments.list().length,
    strategies: tables.strategyTypes.list().length,
    SAMLenabled: false,
    OIDCenabled: false,
    passwordAuthEnabled: true,
    SCIMenabled: false,
    clientApps: [
      { range: '7d' as const, count: appsSince(7) },
      { range: '30d' as const, count: appsSince(30) },
      { range: 'allTime' as const, count: appsSince(Number.POSITIVE_INFINITY) },
    ],
    featureExports: eventsOf(tables, 'features-exported'),
    featureImports: eventsOf(tables, 'features-imported'),
    productionChanges: { last30: changes(30), last60: changes(60), last90: changes(90) },
    previousDayMetricsBucketsCount: bucketsOfYesterday(tables, now),
    ...tables.features.cache.answer('largest numbers', [], () => largestNumbers(tables)),
    // Unleash comes with one template.
    releaseTemplates: 1,
    releasePlans: 0,
    edgeInstanceUsage: Object.fromEntries(lastMonths(now).map((month) => [month, 0])),
    readOnlyUsers: 0,
  }
  const { users: people, featureToggles, projects, roles, groups, environments, segments } = stats
  const counted = [people, featureToggles, projects, roles, groups, environments, segments]
  return { ...stats, sum: sha256Hex(INSTANCE_ID + counted.join('')) }
}

/** The number of e-mail addresses of users, including recently deleted users. */
function countLicensed({ users, events }: Tables, isRecent: (instant: string) => boolean): number {
  const deleted = [...events.newestFirst()].filter(
    ({ type, createdAt }) => type === 'user-deleted' && isRecent(createdAt),
  )
  const former = deleted.map(({ preData }) => (isObject(preData) ? preData.email : undefined))
  const emails = [...users.list().map(({ email }) => email), ...former]
  return new Set(emails.filter((email) => typeof email === 'string')).size
}

/** The last twelve months, the latest first, such as `2026-11`. */
function lastMonths(now: Date): string[] {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  return Array.from({ length: 12 }, (_, back) => new Date(Date.UTC(year, month - back)).toISOString().slice(0, 7))
}

/** The number of API tokens of each existing type, in Unleash's order. Personal tokens don't count. */
function countTokens({ apiTokens }: Tables): InstanceAdminStats['apiTokens'] {
  const counts: Record<string, number> = {}
  for (const { type, userId } of apiTokens.list()) if (userId === null) counts[type] = (counts[type] ?? 0) + 1
  const { admin, frontend, ...others } = counts
  return { ...(admin && { admin }), ...(frontend && { frontend }), ...others }
}

function eventsOf({ events }: Tables, wanted: string): number {
  return [...events.newestFirst()].filter(({ type }) => type === wanted).length
}

function bucketsOfYesterday({ clientMetrics }: Tables, now: Date) {
  const day = new Date(now.getTime() - DAY).toISOString().slice(0, 10)
  const records = clientMetrics.list().filter(({ timestamp }) => timestamp.startsWith(day))
  return {
    enabledCount: records.length,
    variantCount: records.reduce((sum, { variants }) => sum + Object.keys(variants).length, 0),
  }
}

/** The largest numbers of strategies per environment, of constraints per strategy and of values per constraint. */
function largestNumbers({ features }: Tables) {
  const largest = { maxEnvironmentStrategies: 0, maxConstraintValues: 0, maxConstraints: 0 }
  const note = (name: keyof typeof largest, { length }: readonly unknown[]) => {
    largest[name] = Math.max(largest[name], length)
  }
  for (const { environments } of features.list().filter(({ archived }) => !archived)) {
    for (const { strategies } of environments) {
      note('maxEnvironmentStrategies', strategies)
      for (const { constraints } of strategies) {
        note('maxConstraints', constraints)
        for (const { values = [] } of constraints) note('maxConstraintValues', values)
      }
    }
  }
  return largest
}

/** The statistics as a table with one row; lists and objects are JSON. */
function statsAsCsv(stats: InstanceAdminStats): string {
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`
  const cell = (value: unknown) =>
    typeof value === 'object' ? quote(JSON.stringify(value)) : typeof value === 'string' ? quote(value) : String(value)
  const lines = [Object.keys(stats).map(quote), Object.values(stats).map(cell)]
  return lines.map((cells) => cells.join(',')).join('\n')
}

function productionEvents({ events, environments }: Tables) {
  return [...events.newestFirst()].filter(
    ({ environment }) => environment != null && environments.get(environment)?.type === 'production',
  )
}

export const instanceOperations = operations('Instance Admin', {
  getInstanceAdminStats: get('/api/admin/instance-admin/statistics', {
    summary: 'Get statistics about the instance',
    success: ok('The numbers', instanceAdminStatsSchema),
    run: ({ context }) => ({ body: presentStats(context) }),
  }),

  getInstanceAdminStatsCsv: get('/api/admin/instance-admin/statistics/csv', {
    summary: 'Get statistics about the instance, as a table',
    success: { status: 200, description: 'The names and the numbers', text: 'text/csv' },
    run: ({ context }) => ({
      headers: {
        'content-disposition': `attachment; filename="unleash-${INSTANCE_ID}-${context.now.getTime()}.csv"`,
      },
      body: statsAsCsv(presentStats(context)),
    }),
  }),
})

/** The process-independent numbers in the Prometheus format. */
function statsForPrometheus({ apiTokens, clientApps, ...stats }: InstanceAdminStats): string {
  const metric = (name: string, help: string, samples: object) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} gauge`,
    ...Object.entries(samples).map(([labels, value]) => `${name}${labels} ${value}`),
    '',
  ]
  const byLabel = (label: string, counts: readonly [string, number | undefined][]) =>
    Object.fromEntries(counts.map(([value, count]) => [`{${label}="${value}"}`, count]))
  return [
    ...metric('feature_toggles_total', 'Active features', { [`{version="${SERVICE_VERSION}"}`]: stats.featureToggles }),
    ...metric('feature_toggles_archived_total', 'Archived features', { '': stats.archivedFeatureToggles }),
    ...metric('users_total', 'Users', { '': stats.users }),
    ...metric('api_tokens_total', 'API tokens', byLabel('type', Object.entries(apiTokens))),
    ...metric('projects_total', 'Projects', { '{mode="open"}': stats.projects }),
    ...metric('environments_total', 'Environments', { '': stats.environments }),
    ...metric('groups_total', 'Groups', { '': stats.groups }),
    ...metric('roles_total', 'Roles', { '': stats.roles }),
    ...metric('segments_total', 'Segments', { '': stats.segments }),
    ...metric('context_total', 'Context fields', { '': stats.contextFields }),
    ...metric('strategies_total', 'Strategy types', { '': stats.strategies }),
    ...metric(
      'client_apps_total',
      'Applications that were seen',
      byLabel(
        'range',
        clientApps.map(({ range, count }) => [range, count]),
      ),
    ),
  ].join('\n')
}

const healthCheckSchema = named('healthCheckSchema', () => ({ health: z.enum(['GOOD', 'BAD']) }))

const telemetrySettingsSchema = named('telemetrySettingsSchema', () => ({
  versionInfoCollectionEnabled: z.boolean(),
  featureInfoCollectionEnabled: z.boolean(),
}))

const isGood = { access: 'public', run: () => ({ body: { health: 'GOOD' } }) } as const

export const healthOperations = [
  ...operations('Operational', {
    getHealth: get('/health', {
      ...isGood,
      summary: 'Check whether the instance is up',
      success: ok('The instance is up', healthCheckSchema),
    }),
    getReady: get('/ready', {
      ...isGood,
      summary: 'Check whether the instance can respond to requests',
      success: ok('The instance is ready', healthCheckSchema),
    }),
    getPrometheusMetrics: get('/internal-backstage/prometheus', {
      access: 'public',
      ignoresBody: true,
      summary: 'Get numbers of the instance, for Prometheus',
      success: { status: 200, description: 'The metrics', text: PROMETHEUS },
      run: ({ context }) => ({ body: statsForPrometheus(presentStats(context)) }),
    }),
  }),
  ...operations('Telemetry', {
    getTelemetrySettings: get('/api/admin/telemetry/settings', {
      summary: 'Get the telemetry settings; flagdouble reports nothing',
      success: ok('The settings', telemetrySettingsSchema),
      run: () => ({ body: { versionInfoCollectionEnabled: false, featureInfoCollectionEnabled: false } }),
    }),
  }),
]
