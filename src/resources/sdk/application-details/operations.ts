import { notFound } from '../../../contract/errors.js'
import { fail, ok } from '../../../support/result.js'
import { defineOperation } from '../../shared/operation.js'
import { toInstant } from '../../shared/schema.js'
import { instancesWithMetrics } from '../client-instances/lookup.js'
import { clientInstanceKey } from '../client-instances/schema.js'
import {
  instancesOf,
  isKnown,
  presentApplicationOverview,
  presentDetails,
  presentInstance,
  presentOutdated,
  recentInstances,
} from './present.js'
import { withUsage } from './rules.js'
import {
  applicationDetailsSchema,
  applicationOverviewSchema,
  createApplicationSchema,
  instancesSchema,
  outdatedSdksSchema,
} from './schema.js'

const tag = 'Metrics'

const unknown = (appName: string) => fail(notFound(`There is no application "${appName}".`))

const path = '/api/admin/metrics/applications/:appName'

const getApplication = defineOperation({
  id: 'getApplication',
  method: 'GET',
  path,
  summary: 'An application, its SDKs and the features that it has reported',
  tag,
  success: { status: 200, description: 'The application', schema: applicationDetailsSchema },
  errors: [404],
  run: ({ params: { appName }, context }) => {
    const body = presentDetails(context, appName)
    return body === undefined ? unknown(appName) : ok({ body })
  },
})

const createApplication = defineOperation({
  id: 'createApplication',
  method: 'POST',
  path,
  summary: 'Note something about an application; omitted fields stay as they are',
  tag,
  permission: 'UPDATE_APPLICATION',
  body: createApplicationSchema,
  success: { status: 202, description: 'It is noted' },
  run: ({ params: { appName }, body, context: { tables, now } }) => {
    const none = { description: null, url: null, color: null, icon: null, strategies: [], usage: [] }
    const known = tables.applications.get(appName) ?? { appName, ...none, createdAt: toInstant(now) }
    const { appName: _, projects, environment, ...sent } = body
    const given = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined))
    tables.applications.replace({ ...known, ...given, usage: withUsage(known.usage, { projects, environment }) })
    return ok({})
  },
})

const deleteApplication = defineOperation({
  id: 'deleteApplication',
  method: 'DELETE',
  path,
  summary: 'Forget an application and its SDKs',
  tag,
  permission: 'UPDATE_APPLICATION',
  success: { status: 200, description: 'Nothing is known of it' },
  run: ({ params: { appName }, context: { tables } }) => {
    tables.applications.remove(appName)
    for (const instance of instancesOf(tables, appName)) tables.clientInstances.remove(clientInstanceKey(instance))
    return ok({})
  },
})

const getApplicationOverview = defineOperation({
  id: 'getApplicationOverview',
  method: 'GET',
  path: `${path}/overview`,
  summary: 'An application by environment, and what is wrong with it',
  tag,
  success: { status: 200, description: 'The overview', schema: applicationOverviewSchema },
  errors: [404],
  run: ({ params: { appName }, context }) =>
    isKnown(context.tables, appName) ? ok({ body: presentApplicationOverview(context, appName) }) : unknown(appName),
})

const getApplicationEnvironmentInstances = defineOperation({
  id: 'getApplicationEnvironmentInstances',
  method: 'GET',
  path: '/api/admin/metrics/instances/:appName/environment/:environment',
  summary: 'The SDKs of an application that were seen in an environment in the last 24 hours, the last one first',
  tag,
  success: { status: 200, description: 'The SDKs', schema: instancesSchema },
  run: ({ params, context }) => {
    const own = recentInstances(context, params.appName).filter((one) => one.environment === params.environment)
    return ok({ body: { instances: own.map(presentInstance) } })
  },
})

const getOutdatedSdks = defineOperation({
  id: 'getOutdatedSdks',
  method: 'GET',
  path: '/api/admin/metrics/sdks/outdated',
  summary: 'The outdated SDKs, and the applications that use them',
  tag,
  success: { status: 200, description: 'The SDKs', schema: outdatedSdksSchema },
  run: ({ context }) => ok({ body: presentOutdated(context.tables.clientInstances.list()) }),
})

const getOutdatedProjectSdks = defineOperation({
  id: 'getOutdatedProjectSdks',
  method: 'GET',
  path: '/api/admin/projects/:projectId/sdks/outdated',
  summary: 'The outdated SDKs of a project, and the applications that use them',
  tag: 'Projects',
  success: { status: 200, description: 'The SDKs', schema: outdatedSdksSchema },
  run: ({ params, context }) => ok({ body: presentOutdated(instancesWithMetrics(context.tables, params.projectId)) }),
})

export const applicationDetailOperations = [
  getApplication,
  createApplication,
  deleteApplication,
  getApplicationOverview,
  getApplicationEnvironmentInstances,
  getOutdatedSdks,
  getOutdatedProjectSdks,
] as const
