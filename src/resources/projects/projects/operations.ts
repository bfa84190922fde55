import { pageOf } from '../../../support/paging.js'
import { ok } from '../../../support/result.js'
import { defineOperation } from '../../shared/operation.js'
import { storedRating } from '../reports/lookup.js'
import { findActiveProject, findFlagCreators, listedProjects } from './lookup.js'
import { presentOverview, presentStatus, projectsView } from './present.js'
import { flagCreators } from './rules.js'
import {
  flagCreatorsQuerySchema,
  flagCreatorsSchema,
  projectFlagCreatorsSchema,
  projectOverviewSchema,
  projectStatusSchema,
} from './schema.js'

const row = { tag: 'Projects', method: 'GET', access: 'admin' } as const
const path = '/api/admin/projects'

const getProjects = defineOperation({
  ...row,
  id: 'getProjects',
  path,
  summary: 'The active projects',
  success: { status: 200, description: 'The projects', view: projectsView },
  run: ({ context, profile }) => {
    const listed = listedProjects(context.tables, profile)
    return ok({ body: listed.map((project) => ({ project, rating: storedRating(project, context, profile) })) })
  },
})

const getProjectOverview = defineOperation({
  ...row,
  id: 'getProjectOverview',
  path: `${path}/:projectId/overview`,
  summary: 'One project: its settings, environments and statistics',
  success: { status: 200, description: 'The project', schema: projectOverviewSchema },
  errors: [404],
  run: ({ params, context, profile }) => {
    const project = findActiveProject(context.tables, params.projectId)
    return project.ok ? ok({ body: presentOverview(project.value, context, profile) }) : project
  },
})

const getProjectStatus = defineOperation({
  ...row,
  id: 'getProjectStatus',
  path: `${path}/:projectId/status`,
  summary: 'The state of a project: its resources, its activity, the stages of its flags',
  success: { status: 200, description: 'The status', schema: projectStatusSchema },
  errors: [404],
  run: ({ params, context }) => {
    const project = findActiveProject(context.tables, params.projectId)
    return project.ok ? ok({ body: presentStatus(project.value, context) }) : project
  },
})

const getProjectFlagCreators = defineOperation({
  ...row,
  id: 'getProjectFlagCreators',
  path: `${path}/:projectId/flag-creators`,
  summary: 'The creators of the flags of a project',
  success: { status: 200, description: 'The users', schema: projectFlagCreatorsSchema },
  errors: [404],
  run: ({ params, context: { tables } }) => {
    const project = findActiveProject(tables, params.projectId)
    return project.ok ? ok({ body: flagCreators(tables.features.by('activeInProject', params.projectId)) }) : project
  },
})

const getFlagCreators = defineOperation({
  ...row,
  id: 'getFlagCreators',
  path: '/api/admin/flag-creators',
  summary: 'The users who created flags in any project, filtered by a part of their name, page by page',
  query: flagCreatorsQuerySchema,
  success: { status: 200, description: 'A page of users, and the number of all', schema: flagCreatorsSchema },
  run: ({ query, context: { tables } }) => {
    const creators = findFlagCreators(tables, query.q)
    return ok({ body: { flagCreators: pageOf(creators, query, { usual: 50, most: 10_000 }), total: creators.length } })
  },
})

export const projectOperations = [
  getProjects,
  getProjectOverview,
  getProjectStatus,
  getProjectFlagCreators,
  getFlagCreators,
] as const
