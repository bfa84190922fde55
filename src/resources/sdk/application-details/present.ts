import type { Frozen } from '../../../support/freeze.js'
import { summarizeFeature } from '../../flags/features/present.js'
import type { Tables } from '../../shared/context.js'
import { distinct } from '../../shared/rules.js'
import type { ClientInstanceRecord } from '../client-instances/schema.js'
import { isOutdated } from './rules.js'

type Instance = Frozen<ClientInstanceRecord>

/** The address that the service sees of an SDK beside it. */
const CLIENT_IP = '127.0.0.1'

/** The SDKs of an application. */
export function instancesOf({ clientInstances }: Tables, appName: string): Instance[] {
  return clientInstances.list().filter((instance) => instance.appName === appName)
}

export function presentInstance({ instanceId, sdkVersion, lastSeenAt }: Instance) {
  return { instanceId, sdkVersion, clientIp: CLIENT_IP, lastSeen: lastSeenAt }
}

/** An application with its SDKs and the features that it has reported; undefined if nothing is known of it. */
export function presentDetails(tables: Tables, appName: string) {
  const instances = instancesOf(tables, appName)
  const noted = tables.applications.get(appName)
  const createdAt = noted?.createdAt ?? instances[0]?.createdAt
  if (createdAt === undefined) return undefined
  const { description = null, url = null, color = null, icon = null } = noted ?? {}
  return {
    appName,
    createdAt,
    description,
    url,
    color,
    icon,
    strategies: strategiesOf(tables, appName).map(
      (name) => tables.strategyTypes.get(name) ?? { name, notFound: true as const },
    ),
    instances: instances.map((instance) => ({
      ...presentInstance(instance),
      appName,
      sdkType: instance.isFrontend ? ('frontend' as const) : ('backend' as const),
      createdAt: instance.createdAt,
      environment: instance.environment,
    })),
    seenToggles: seenFeatures(tables, appName).map(summarizeFeature),
    links: { self: `/api/applications/${appName}` },
  }
}

function strategiesOf(tables: Tables, appName: string): string[] {
  const ofSdks = instancesOf(tables, appName).flatMap(({ strategies }) => strategies)
  return distinct([...(tables.applications.get(appName)?.strategies ?? []), ...ofSdks])
}

function seenFeatures({ clientMetrics, features }: Tables, appName: string) {
  const reported = clientMetrics.list().filter((entry) => entry.appName === appName)
  return distinct(reported.map(({ featureName }) => featureName)).flatMap((name) => features.get(name) ?? [])
}

/** An application by environment, and what is wrong with it. */
export function presentApplicationOverview(tables: Tables, appName: string) {
  const instances = instancesOf(tables, appName)
  const seen = seenFeatures(tables, appName)
  const missing = tables.unknownFlags.list().filter(({ reports }) => reports.some((one) => one.appName === appName))
  return {
    projects: distinct(seen.map(({ project }) => project)),
    featureCount: seen.length + missing.length,
    environments: distinct(instances.map(({ environment }) => environment)).map((name) => {
      const own = instances.filter(({ environment }) => environment === name)
      return {
        name,
        instanceCount: own.length,
        sdks: versionsOf(own),
        frontendSdks: versionsOf(own.filter(({ isFrontend }) => isFrontend === true)),
        backendSdks: versionsOf(own.filter(({ isFrontend }) => isFrontend !== true)),
        lastSeen:
          own
            .map(({ lastSeenAt }) => lastSeenAt)
            .toSorted()
            .at(-1) ?? null,
        issues: { missingFeatures: missing.map((flag) => flag.name), outdatedSdks: versionsOf(own).filter(isOutdated) },
      }
    }),
    issues: { missingStrategies: strategiesOf(tables, appName).filter((name) => !tables.strategyTypes.has(name)) },
  }
}

/** The outdated SDKs among these, each with its applications. */
export function presentOutdated(instances: readonly Instance[]) {
  const sdks = versionsOf(instances).filter(isOutdated)
  return {
    sdks: sdks.map((sdkVersion) => ({
      sdkVersion,
      applications: distinct(instances.filter((one) => one.sdkVersion === sdkVersion).map(({ appName }) => appName)),
    })),
  }
}

function versionsOf(instances: readonly Instance[]): string[] {
  return distinct(instances.flatMap(({ sdkVersion }) => sdkVersion ?? []))
}
