import * as z from 'zod'
import { pageOf, pagingShape } from '../../../support/filters.js'
import type { Frozen } from '../../../support/freeze.js'
import { grouped } from '../../../support/lists.js'
import { mentionsOf } from '../../../support/text.js'
import { ascending, compareTexts, distinct } from '../shared/checks.js'
import { object } from '../shared/object.js'
import { get, ok, operations } from '../shared/rows.js'
import { instantSchema, named, searchSchema } from '../shared/schema.js'
import { type ApplicationRecord, firstReported, usageSchema } from './application-details.js'
import type { StoredInstance } from './client-instances.js'
import { type Reporter, reportersOf } from './client-instances.operations.js'

/** The parameters of application lists, which are always sorted by name; `sortBy` is ignored. */
const applicationsQuerySchema = object(() => ({
  ...pagingShape,
  query: searchSchema.optional(),
  sortBy: z.string().optional(),
  sortOrder: z.string().optional(),
}))

const applicationSchema = named('applicationSchema', () => ({
  appName: z.string(),
  createdAt: instantSchema,
  updatedAt: instantSchema,
  description: z.string().nullable(),
  strategies: z.array(z.string()),
  createdBy: z.string().nullable(),
  url: z.string().nullable(),
  color: z.string().nullable(),
  icon: z.string().nullable(),
  project: z.string(),
  environment: z.string(),
  usage: z.array(usageSchema),
}))

const applicationsSchema = named('applicationsSchema', () => ({
  applications: z.array(applicationSchema),
  total: z.int(),
}))

const projectApplicationSchema = named('projectApplicationSchema', () => ({
  name: z.string(),
  environments: z.array(z.string()),
  instances: z.array(z.string().nullable()),
  sdks: z.array(z.object({ name: z.string(), versions: z.array(z.string()) })),
}))

const projectApplicationsSchema = named('projectApplicationsSchema', () => ({
  applications: z.array(projectApplicationSchema),
  total: z.int(),
}))

/**
 * The applications with their SDKs, sorted by name; a `noted` application can have none. With a query, only the SDKs with
 * a text of the query in one of the places.
 */
function applicationsOf<Instance extends { appName: string }>(
  instances: readonly Instance[],
  { query = '', sortOrder }: z.infer<typeof applicationsQuerySchema>,
  placesOf: (instance: Instance) => readonly (string | null)[],
  noted: readonly string[] = [],
): [appName: string, instances: Instance[]][] {
  const mentions = mentionsOf(query)
  const found = instances.filter((instance) => mentions(placesOf(instance)))
  const direction = sortOrder === 'desc' ? -1 : 1
  const byName = new Map(noted.filter((name) => mentions([name])).map((name): [string, Instance[]] => [name, []]))
  for (const [name, own] of grouped(found, ({ appName }) => appName)) byName.set(name, own)
  return [...byName].toSorted(([one], [other]) => compareTexts(one, other) * direction)
}

/** An application. An application with notes counts as used everywhere. */
function presentApplication(
  appName: string,
  instances: readonly StoredInstance[],
  noted: Frozen<ApplicationRecord> | undefined,
  systemUser: string,
): z.infer<typeof applicationSchema> {
  const newest = instances.toSorted((one, other) => ascending(other.lastSeenAt, one.lastSeenAt))[0]
  const { createdAt = '', isRegistered, strategies, usage } = firstReported(noted, instances)
  const { description = null, url = null, color = null, icon = null } = noted ?? {}
  const { project = '*', environments: [environment = '*'] = [] } = usage[0] ?? {}
  return {
    ...{ appName, createdAt, updatedAt: newest?.lastSeenAt ?? createdAt, description },
    strategies: [...strategies],
    createdBy: isRegistered ? systemUser : null,
    ...{ url, color, icon, project, environment, usage },
  }
}

function presentProjectApplication(
  name: string,
  instances: readonly Reporter[],
): z.infer<typeof projectApplicationSchema> {
  const sdks = instances.flatMap(({ sdkVersion }) => (sdkVersion ? [sdkOf(sdkVersion)] : []))
  return {
    name,
    environments: distinct(instances.map(({ environment }) => environment)),
    instances: [...new Set(instances.map(({ instanceId }) => instanceId))].toSorted(),
    sdks: [...grouped(sdks, (sdk) => sdk.name)]
      .map(([sdk, own]) => ({ name: sdk, versions: distinct(own.flatMap(({ version }) => version || [])) }))
      .toSorted((one, other) => ascending(one.name, other.name)),
  }
}

/** `unleash-client-node:6.12.1` → its name and its version, which can be empty. */
function sdkOf(text: string): { name: string; version: string } {
  const [name = '', version = ''] = text.split(':')
  return { name, version }
}

export const applicationOperations = operations('Metrics', {
  // A page beyond the end counts none. Apps with pages meet it when the last page becomes empty.
  getApplications: get('/api/admin/metrics/applications', {
    query: applicationsQuerySchema,
    summary: 'List the applications with registered SDKs or with notes, in pages',
    success: ok('A page of applications, and the number of all', applicationsSchema),
    run: ({ query, tables, profile }) => {
      const { clientInstances, applications } = tables
      const noted = applications.list().map(({ appName }) => appName)
      const found = applicationsOf(clientInstances.list(), query, ({ appName }) => [appName], noted)
      const page = pageOf(found, query, { usual: 1000, most: 1000 }).map(([appName, instances]) =>
        presentApplication(appName, instances, applications.get(appName), profile.systemUser),
      )
      return { body: { applications: page, total: page.length > 0 ? found.length : 0 } }
    },
  }),

  getProjectApplications: get('/api/admin/projects/:projectId/applications', {
    query: applicationsQuerySchema,
    summary: 'List the applications that have reported metrics of flags in a project, in pages',
    success: ok('A page of applications, and the number of all', projectApplicationsSchema),
    errors: [],
    run: ({ params, query, tables }) => {
      const reporters = reportersOf(tables, params.projectId)
      const found = applicationsOf(reporters, query, (it) => [it.appName, it.environment, it.instanceId, it.sdkVersion])
      const page = pageOf(found, query, { usual: 50, most: 100 })
      return {
        body: {
          applications: page.map((it) => presentProjectApplication(...it)),
          total: page.length > 0 ? found.length : 0,
        },
      }
    },
  }),
})
