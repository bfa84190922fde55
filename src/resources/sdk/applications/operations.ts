import type { Frozen } from '../../../support/freeze.js'
import { pageOf } from '../../../support/paging.js'
import { ok } from '../../../support/result.js'
import { mentions } from '../../../support/text-query.js'
import { findActiveProject } from '../../projects/projects/lookup.js'
import { defineOperation } from '../../shared/operation.js'
import type { ClientInstanceRecord } from '../client-instances/schema.js'
import { presentApplication, presentProjectApplication } from './present.js'
import {
  type ApplicationsQuery,
  applicationsQuerySchema,
  applicationsSchema,
  projectApplicationsSchema,
} from './schema.js'

type Instance = Frozen<ClientInstanceRecord>

const row = { tag: 'Metrics', method: 'GET', access: 'admin', query: applicationsQuerySchema } as const

const getApplications = defineOperation({
  ...row,
  id: 'getApplications',
  path: '/api/admin/metrics/applications',
  summary: 'The applications whose SDKs have said who they are, page by page',
  success: { status: 200, description: 'A page of applications, and how many there are', schema: applicationsSchema },
  errors: [],
  run: ({ query, context: { tables } }) => {
    const found = applicationsOf(tables.clientInstances.list(), query, ({ appName }) => [appName])
    const page = pageOf(found, query, { usual: 1000, most: 1000 })
    return ok({ body: { applications: page.map((it) => presentApplication(...it)), total: found.length } })
  },
})

const getProjectApplications = defineOperation({
  ...row,
  id: 'getProjectApplications',
  path: '/api/admin/projects/:projectId/applications',
  summary: 'The applications that have counted flags of a project, page by page',
  success: {
    status: 200,
    description: 'A page of applications, and how many there are',
    schema: projectApplicationsSchema,
  },
  errors: [404],
  run: ({ params, query, context: { tables } }) => {
    const project = findActiveProject(tables, params.projectId)
    if (!project.ok) return project
    const counts = tables.features
      .by('project', params.projectId)
      .flatMap(({ name }) => tables.clientMetrics.by('feature', name))
    const counted = ({ appName, environment }: Instance) =>
      counts.some((count) => count.appName === appName && count.environment === environment)
    const instances = tables.clientInstances.list().filter(counted)
    const found = applicationsOf(instances, query, (it) => [it.appName, it.environment, it.instanceId, it.sdkVersion])
    const page = pageOf(found, query, { usual: 50, most: 100 })
    return ok({ body: { applications: page.map((it) => presentProjectApplication(...it)), total: found.length } })
  },
})

export const applicationOperations = [getApplications, getProjectApplications] as const

/** The applications with an SDK that has one of the texts in one of the places, with these SDKs, by name. */
function applicationsOf(
  instances: readonly Instance[],
  { query = '', sortOrder }: ApplicationsQuery,
  placesOf: (instance: Instance) => readonly (string | null)[],
): [appName: string, instances: Instance[]][] {
  const found = instances.filter((instance) => mentions(query, placesOf(instance)))
  const direction = sortOrder === 'desc' ? -1 : 1
  const byName = new Map<string, Instance[]>()
  for (const instance of found) byName.set(instance.appName, [...(byName.get(instance.appName) ?? []), instance])
  return [...byName].toSorted(([one], [other]) => one.localeCompare(other) * direction)
}
