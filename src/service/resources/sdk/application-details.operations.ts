import * as z from 'zod'
import { DAY } from '../../../support/calendar.js'
import { grouped } from '../../../support/lists.js'
import { found, reject } from '../../contract/errors.js'
import { summarizeFeature } from '../flags/features.model.js'
import { ascending, checkDepth, compareTexts, distinct } from '../shared/checks.js'
import type { AtATime, Tables } from '../shared/context.js'
import { completed } from '../shared/fields.js'
import { del, get, ok, operations, post } from '../shared/rows.js'
import { named, toInstant } from '../shared/schema.js'
import {
  applicationDetailsSchema,
  applicationOverviewSchema,
  applicationRecordSchema,
  CLIENT_IP,
  DEPRECATED,
  firstReported,
  instanceSchema,
  isOutdated,
  outdatedSdksSchema,
  withUsage,
} from './application-details.js'
import { clientInstanceKey, isRegistered, type StoredInstance } from './client-instances.js'
import { instancesOfReporters } from './client-instances.operations.js'

/** The SDKs of an application, the most recently seen first. */
function instancesOf({ clientInstances }: Tables, appName: string): StoredInstance[] {
  return clientInstances
    .list()
    .filter((instance) => instance.appName === appName)
    .toSorted((one, other) => ascending(other.lastSeenAt, one.lastSeenAt))
}

/** The SDKs seen in the last 24 hours. */
function recentInstances({ tables, now }: AtATime, appName: string): StoredInstance[] {
  const since = toInstant(now.getTime() - DAY)
  return instancesOf(tables, appName).filter(({ lastSeenAt }) => lastSeenAt >= since)
}

function presentInstance({ instanceId, sdkVersion, lastSeenAt }: StoredInstance) {
  return { instanceId, sdkVersion, clientIp: CLIENT_IP, lastSeen: lastSeenAt }
}

/** An application with its SDKs and reported features; undefined for an unknown application. */
function presentDetails(context: AtATime, appName: string) {
  const { tables } = context
  const instances = instancesOf(tables, appName)
  const noted = tables.applications.get(appName)
  const { strategies } = firstReported(noted, instances)
  const [createdAt] = [...instances, ...(noted === undefined ? [] : [noted])].map((one) => one.createdAt).toSorted()
  if (createdAt === undefined) return undefined
  const { description = null, url = null, color = null, icon = null } = noted ?? {}
  return {
    ...{ appName, createdAt, description, url, color, icon },
    strategies: strategies.map((name) => tables.strategyTypes.get(name) ?? { name, notFound: true as const }),
    instances: instances.map((instance) => ({
      ...presentInstance(instance),
      appName,
      sdkType: typeOf(instance),
      createdAt: instance.createdAt,
      environment: instance.environment,
    })),
    seenToggles: seenToggles(context, appName),
    links: { self: `/api/applications/${appName}` },
  }
}

/** Unleash knows the type of a backend's SDK only by its registration. */
function typeOf(instance: StoredInstance): 'frontend' | 'backend' | null {
  if (instance.isFrontend) return 'frontend'
  return isRegistered(instance) ? 'backend' : null
}

function strategiesOf({ clientInstances, applications }: Tables, appName: string): readonly string[] {
  const instances = clientInstances.list().filter((instance) => instance.appName === appName)
  return firstReported(applications.get(appName), instances).strategies
}

/** An application's reports in the last 24 hours: active features, and names without an active feature. */
function seenToggles({ tables, now }: AtATime, appName: string) {
  const since = toInstant(now.getTime() - DAY)
  const reported = tables.clientMetrics.list().filter((one) => one.appName === appName && one.timestamp >= since)
  const names = [...new Set(reported.map(({ featureName }) => featureName))]
  return names
    .toSorted((one, other) => compareTexts(one, other))
    .map((name) => {
      const feature = tables.features.get(name)
      return feature === undefined || feature.archived ? { name, notFound: true as const } : summarizeFeature(feature)
    })
}

/** An application by environment with reported metrics, and its problems; undefined for an unknown application. */
function presentApplicationOverview(context: AtATime, appName: string) {
  const { tables } = context
  const known = [...tables.applications.list(), ...tables.clientInstances.list()]
  if (!known.some((one) => one.appName === appName)) return undefined
  const recent = recentInstances(context, appName)
  // Names that were unknown when they were reported are not among these.
  const reports = tables.clientMetrics.list().filter((one) => one.appName === appName)
  const names = distinct(reports.map(({ featureName }) => featureName))
  const reportsIn = grouped(reports, ({ environment }) => environment)
  const recentIn = grouped(recent, ({ environment }) => environment)
  const environments = [...reportsIn.keys()].toSorted()
  const isMissing = (type: string) => !tables.strategyTypes.has(type) && !DEPRECATED.includes(type)
  return {
    projects: distinct(names.flatMap((name) => tables.features.get(name)?.project ?? [])),
    featureCount: names.length,
    environments: environments.map((environment) => {
      const own = recentIn.get(environment) ?? []
      const reported = distinct((reportsIn.get(environment) ?? []).map(({ featureName }) => featureName))
      return {
        name: environment,
        instanceCount: own.length,
        sdks: versionsOf(own),
        frontendSdks: versionsOf(own.filter(({ isFrontend }) => isFrontend === true)),
        backendSdks: versionsOf(own.filter(({ isFrontend }) => isFrontend !== true)),
        lastSeen: own[0]?.lastSeenAt ?? null,
        issues: {
          missingFeatures: reported.filter((name) => !tables.features.has(name)),
          outdatedSdks: versionsOf(own).filter(isOutdated),
        },
      }
    }),
    issues: { missingStrategies: environments.length === 0 ? [] : strategiesOf(tables, appName).filter(isMissing) },
  }
}

/** The outdated SDKs among these, each with its applications. */
function presentOutdated(instances: readonly StoredInstance[]) {
  const byVersion = grouped(instances, ({ sdkVersion }) => sdkVersion ?? '')
  const outdated = [...byVersion.keys()].filter(isOutdated).toSorted()
  return {
    sdks: outdated.map((sdkVersion) => ({
      sdkVersion,
      applications: distinct((byVersion.get(sdkVersion) ?? []).map(({ appName }) => appName)),
    })),
  }
}

function versionsOf(instances: readonly StoredInstance[]): string[] {
  return distinct(instances.flatMap(({ sdkVersion }) => sdkVersion ?? []))
}

const unknown = (appName: string) => () => `There is no application "${appName}".`

const path = '/api/admin/metrics/applications/:appName'
export const applicationDetailOperations = [
  ...operations('Metrics', {
    getApplication: get(path, {
      summary: 'Get an application, its SDKs and the features that it has reported',
      success: ok('The application', applicationDetailsSchema),
      run: ({ params: { appName }, context }) => ({ body: found(presentDetails(context, appName), unknown(appName)) }),
    }),

    createApplication: post(path, {
      summary: 'Save notes about an application; omitted fields stay unchanged',
      permission: 'UPDATE_APPLICATION',
      body: named('createApplicationSchema', () => ({
        // Not in Unleash's document, so Unleash doesn't check it.
        description: z.unknown().optional(),
        strategies: z.array(z.string()).optional(),
        url: z.string().optional(),
        color: z.string().optional(),
        icon: z.string().optional(),
        projects: z.array(z.string()).optional(),
        environment: z.string().optional(),
      })),
      success: { status: 202, description: 'The notes are saved' },
      errors: [],
      run: ({ params: { appName }, body, context, tables }) => {
        const known = tables.applications.get(appName) ?? { appName, usage: [] }
        const { projects, environment, ...notes } = body
        const { description } = notes
        reject(checkDepth('description', description, '/body/description'))
        const isText = typeof description === 'string' || description == null
        const sent = { ...notes, description: isText ? description : JSON.stringify(description) }
        const given = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined))
        const noted = { ...known, ...given, usage: withUsage(known.usage, [{ projects, environment }]) }
        tables.applications.replace(completed(applicationRecordSchema, noted, context))
      },
    }),

    deleteApplication: del(path, {
      summary: 'Delete an application and its SDKs',
      permission: 'UPDATE_APPLICATION',
      success: { status: 200, description: 'The application is unknown' },
      errors: [],
      run: ({ params: { appName }, tables }) => {
        tables.applications.remove(appName)
        for (const instance of instancesOf(tables, appName)) tables.clientInstances.remove(clientInstanceKey(instance))
      },
    }),

    getApplicationOverview: get(`${path}/overview`, {
      summary: 'Get an application by environment, and its problems',
      success: ok('The overview', applicationOverviewSchema),
      run: ({ params: { appName }, context }) => ({
        body: found(presentApplicationOverview(context, appName), unknown(appName)),
      }),
    }),

    getApplicationEnvironmentInstances: get('/api/admin/metrics/instances/:appName/environment/:environment', {
      summary: 'List the SDKs of an application that were seen in an environment in the last 24 hours, newest first',
      success: ok(
        'The SDKs',
        named('applicationEnvironmentInstancesSchema', () => ({ instances: z.array(instanceSchema) })),
      ),
      errors: [],
      run: ({ params, context }) => {
        const own = recentInstances(context, params.appName).filter((one) => one.environment === params.environment)
        return { body: { instances: own.map(presentInstance) } }
      },
    }),

    getOutdatedSdks: get('/api/admin/metrics/sdks/outdated', {
      summary: 'List the outdated SDKs, and the applications that use them',
      success: ok('The SDKs', outdatedSdksSchema),
      run: ({ context }) => ({ body: presentOutdated(context.tables.clientInstances.list()) }),
    }),
  }),
  ...operations('Projects', {
    getOutdatedProjectSdks: get('/api/admin/projects/:projectId/sdks/outdated', {
      summary: 'List the outdated SDKs of a project, and the applications that use them',
      success: ok('The SDKs', outdatedSdksSchema),
      errors: [],
      run: ({ params, context }) => ({ body: presentOutdated(instancesOfReporters(context.tables, params.projectId)) }),
    }),
  }),
]
