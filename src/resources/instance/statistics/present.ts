import { DAY } from '../../../support/duration.js'
import type { OperationContext } from '../../shared/context.js'
import type { InstanceAdminStats } from './schema.js'

/** The version of the service that the mock imitates. */
export const SERVICE_VERSION = '8.2.0'

export const INSTANCE_ID = '00000000-0000-4000-8000-000000000000'

/** The current statistics of the instance. */
export function presentStats({ tables, now }: Pick<OperationContext, 'tables' | 'now'>): InstanceAdminStats {
  const users = tables.users.list()
  const apps = tables.clientInstances.list()
  const tokens = tables.apiTokens.list()
  const within = (instant: string | null, days: number) =>
    instant !== null && Date.parse(instant) >= now.getTime() - days * DAY
  const recent = (instants: readonly (string | null)[]) => (days: number) =>
    instants.filter((instant) => within(instant, days)).length
  const active = recent(users.map(({ seenAt }) => seenAt))
  const changes = recent(productionEvents(tables).map(({ createdAt }) => createdAt))
  const appsSince = (days: number) =>
    new Set(apps.filter((app) => within(app.lastSeenAt, days)).map(({ appName }) => appName)).size
  const tokensOf = (...types: string[]) => tokens.filter(({ type }) => types.includes(type)).length
  return {
    instanceId: INSTANCE_ID,
    timestamp: now.toISOString(),
    versionOSS: SERVICE_VERSION,
    versionEnterprise: '',
    users: users.length,
    activeUsers: { last7: active(7), last30: active(30), last60: active(60), last90: active(90) },
    licensedUsers: users.length,
    productionChanges: { last30: changes(30), last60: changes(60), last90: changes(90) },
    featureToggles: tables.features.list().filter(({ archived }) => !archived).length,
    projects: tables.projects.list().filter(({ archivedAt }) => archivedAt === null).length,
    contextFields: tables.contextFields.list().length,
    roles: tables.roles.list().length,
    groups: 0,
    environments: tables.environments.list().length,
    segments: tables.segments.list().length,
    strategies: tables.strategyTypes.list().length,
    SAMLenabled: false,
    OIDCenabled: false,
    clientApps: [
      { range: 'allTime', count: appsSince(Number.POSITIVE_INFINITY) },
      { range: '30d', count: appsSince(30) },
      { range: '7d', count: appsSince(7) },
    ],
    apiTokens: { admin: tokensOf('admin'), client: tokensOf('client', 'backend'), frontend: tokensOf('frontend') },
  }
}

/** The events in production environments. */
function productionEvents({ events, environments }: OperationContext['tables']) {
  return [...events.newestFirst()].filter(
    ({ environment }) => environment != null && environments.get(environment)?.type === 'production',
  )
}
