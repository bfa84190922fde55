import { pageOf } from '../../../support/paging.js'
import { ok } from '../../../support/result.js'
import { findActiveProject } from '../../projects/projects/lookup.js'
import { defineOperation } from '../../shared/operation.js'
import { instancesWithMetrics } from '../client-instances/lookup.js'
import { presentApplication, presentProjectApplication } from './present.js'
import { applicationsOf } from './rules.js'
import { applicationsQuerySchema, applicationsSchema, projectApplicationsSchema } from './schema.js'

const row = { tag: 'Metrics', method: 'GET', access: 'admin', query: applicationsQuerySchema } as const

const getApplications = defineOperation({
  ...row,
  id: 'getApplications',
  path: '/api/admin/metrics/applications',
  summary: 'The applications whose SDKs have registered or that have been noted, page by page',
  success: { status: 200, description: 'A page of applications, and the number of all', schema: applicationsSchema },
  run: ({ query, context: { tables } }) => {
    const { clientInstances, applications } = tables
    const noted = applications.list().map(({ appName }) => appName)
    const found = applicationsOf(clientInstances.list(), query, ({ appName }) => [appName], noted)
    const page = pageOf(found, query, { usual: 1000, most: 1000 }).map(([appName, instances]) =>
      presentApplication(appName, instances, applications.get(appName)),
    )
    return ok({ body: { applications: page, total: found.length } })
  },
})

const getProjectApplications = defineOperation({
  ...row,
  id: 'getProjectApplications',
  path: '/api/admin/projects/:projectId/applications',
  summary: 'The applications that have reported metrics of flags in a project, page by page',
  success: {
    status: 200,
    description: 'A page of applications, and the number of all',
    schema: projectApplicationsSchema,
  },
  errors: [404],
  run: ({ params, query, context: { tables } }) => {
    const project = findActiveProject(tables, params.projectId)
    if (!project.ok) return project
    const instances = instancesWithMetrics(tables, params.projectId)
    const found = applicationsOf(instances, query, (it) => [it.appName, it.environment, it.instanceId, it.sdkVersion])
    const page = pageOf(found, query, { usual: 50, most: 100 })
    return ok({ body: { applications: page.map((it) => presentProjectApplication(...it)), total: found.length } })
  },
})

export const applicationOperations = [getApplications, getProjectApplications] as const
