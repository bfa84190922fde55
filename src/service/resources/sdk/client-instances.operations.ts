import * as z from 'zod'
import { intoCalendar } from '../../../support/calendar.js'
import { grouped } from '../../../support/lists.js'
import { ascending } from '../shared/checks.js'
import type { OperationContext, Tables } from '../shared/context.js'
import { operations, post } from '../shared/rows.js'
import { toInstant } from '../shared/schema.js'
import { environmentOf } from './client-features.js'
import { sdkScope } from './client-features.operations.js'
import {
  type ClientInstanceRecord,
  clientApplicationSchema,
  clientInstanceKey,
  INSTANCE_KEPT_FOR,
  INSTANCES_KEPT,
  INSTANCES_LEFT,
  type StoredInstance,
} from './client-instances.js'

/** An application in an environment. */
type ReportPlace = Pick<StoredInstance, 'appName' | 'environment'>

const placeKey = ({ appName, environment }: ReportPlace) => JSON.stringify([appName, environment])

/** The applications that have reported metrics of a project's features, each in an environment. */
function placesWithMetrics(tables: Tables, project: string): ReportPlace[] {
  const metrics = tables.features.by('project', project).flatMap(({ name }) => tables.clientMetrics.by('feature', name))
  return [...new Map(metrics.map((one) => [placeKey(one), one])).values()]
}

/** The SDKs of applications that have reported metrics of a project's features, in any environment. */
export function instancesOfReporters(tables: Tables, project: string): StoredInstance[] {
  const names = new Set(placesWithMetrics(tables, project).map(({ appName }) => appName))
  return tables.clientInstances.list().filter(({ appName }) => names.has(appName))
}

/** An SDK in the environment of an application's metrics. If none is known there, all but the place is null. */
export type Reporter = ReportPlace & { instanceId: string | null; sdkVersion: string | null }

/** The SDKs of known applications that have reported metrics of a project's features, in the environment of the metrics. */
export function reportersOf(tables: Tables, project: string): Reporter[] {
  const all = tables.clientInstances.list()
  const instances = grouped(all, placeKey)
  const known = new Set([...tables.applications.list(), ...all].map(({ appName }) => appName))
  return placesWithMetrics(tables, project)
    .filter(({ appName }) => known.has(appName))
    .flatMap(({ appName, environment }): readonly Reporter[] => {
      const none = { appName, environment, instanceId: null, sdkVersion: null }
      return instances.get(placeKey(none)) ?? [none]
    })
}

/** An SDK's report about itself. Missing fields keep their known values. */
interface Registration {
  appName: string
  instanceId?: string | undefined
  environment?: string | undefined
  sdkVersion?: unknown
  strategies?: unknown
  /** The projects that it uses. Without a report, known projects stay, and a new SDK has all. */
  projects?: unknown
  /** Undefined in a report of metrics, which doesn't describe the SDK. */
  isFrontend?: boolean
}

export function recordInstances(context: OperationContext, sent: readonly Registration[]): undefined {
  const { clientInstances } = context.tables
  const seen = sent.slice(-INSTANCES_KEPT).map((registration) => seenInstance(context, registration))
  const added = seen.filter((instance) => !clientInstances.has(clientInstanceKey(instance))).length
  if (added > 0) evictOldest(context, added)
  for (const instance of seen) clientInstances.replace(instance)
}

function seenInstance({ tables, caller, now }: OperationContext, sent: Registration): ClientInstanceRecord {
  const at = toInstant(now)
  const scope = sdkScope(caller)
  const key = {
    appName: sent.appName,
    instanceId: (sent.isFrontend === false ? sent.instanceId || null : sent.instanceId) ?? 'default',
    environment: sent.environment || environmentOf(scope),
  }
  const known = tables.clientInstances.get(clientInstanceKey(key))
  const { isFrontend = known?.isFrontend } = sent
  const first = known ?? firstReport(sent)
  return {
    ...key,
    projects: Array.isArray(sent.projects) ? sent.projects.map(String) : [...(known?.projects ?? ['*'])],
    sdkVersion: typeof sent.sdkVersion === 'string' ? sent.sdkVersion : (known?.sdkVersion ?? null),
    strategies: [...first.strategies],
    ...(first.onlyCounted ? { onlyCounted: true } : {}),
    ...(isFrontend === undefined ? {} : { isFrontend }),
    createdAt: known?.createdAt ?? at,
    lastSeenAt: at,
  }
}

/** What Unleash keeps of an SDK's first report. */
function firstReport({ strategies, isFrontend }: Registration): Pick<StoredInstance, 'strategies' | 'onlyCounted'> {
  if (isFrontend === undefined) return { strategies: [], onlyCounted: true }
  return { strategies: Array.isArray(strategies) ? strategies.map(String) : [] }
}

/**
 * Drops the SDKs not seen for a long time and, if the table is full, many of the least recently seen: finding them takes
 * a pass over all.
 */
function evictOldest({ tables: { clientInstances }, now }: OperationContext, added: number): void {
  const since = toInstant(intoCalendar(now.getTime() - INSTANCE_KEPT_FOR))
  const known = clientInstances.list()
  for (const instance of known) {
    if (instance.lastSeenAt < since) clientInstances.remove(clientInstanceKey(instance))
  }
  if (clientInstances.size + added <= INSTANCES_KEPT) return
  const recent = known.filter(({ lastSeenAt }) => lastSeenAt >= since)
  const longestUnseen = recent.toSorted((one, other) => ascending(one.lastSeenAt, other.lastSeenAt))
  const left = Math.min(INSTANCES_LEFT, INSTANCES_KEPT - added)
  for (const instance of longestUnseen.slice(0, recent.length - left)) {
    clientInstances.remove(clientInstanceKey(instance))
  }
}

export const clientInstanceOperations = [
  ...operations('Client', {
    registerClientApplication: post('/api/client/register', {
      isStep: false,
      summary: 'Register an SDK',
      access: 'client',
      body: clientApplicationSchema,
      success: { status: 202, description: 'The SDK is registered' },
      run: ({ body, context }) =>
        recordInstances(context, [
          { ...body, environment: undefined, projects: sdkScope(context.caller).projects, isFrontend: false },
        ]),
    }),
  }),
  ...operations('Frontend API', {
    registerFrontendClient: post('/api/frontend/client/register', {
      isStep: false,
      summary: 'Register an SDK of a frontend: does nothing, because metrics identify these SDKs',
      access: 'frontend',
      body: clientApplicationSchema.extend({ appName: z.string() }).meta({ id: 'frontendApiClientSchema' }),
      success: { status: 200, description: 'Nothing has happened', text: 'text/plain' },
      run: () => ({ body: 'OK' }),
    }),
  }),
]
