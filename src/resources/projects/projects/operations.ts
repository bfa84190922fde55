import { pageOf } from '../../../support/paging.js'
import { ok } from '../../../support/result.js'
import { isFavorite } from '../../flags/favorites/lookup.js'
import { environmentNames } from '../../flags/features/lookup.js'
import { defineOperation } from '../../shared/operation.js'
import { noStats, statsOf, typeCounts } from '../activity/lookup.js'
import { flagMakers } from '../flag-creators/lookup.js'
import { onboardingStatus } from '../onboarding/lookup.js'
import { presentStatus } from '../status/present.js'
import { findActiveProject, listedProjects } from './lookup.js'
import { memberCount, presentListed, RATING } from './present.js'
import {
  flagCreatorsQuerySchema,
  flagCreatorsSchema,
  projectFlagCreatorsSchema,
  projectOverviewSchema,
  projectStatusSchema,
  projectsSchema,
  serviceProjectsSchema,
} from './schema.js'

const row = { tag: 'Projects', method: 'GET', access: 'admin' } as const
const path = '/api/admin/projects'

const getProjects = defineOperation({
  ...row,
  id: 'getProjects',
  path,
  summary: 'The active projects',
  success: {
    status: 200,
    description: 'The projects',
    schema: { document: projectsSchema, service: serviceProjectsSchema },
  },
  errors: [],
  run: ({ context, profile }) => {
    const { tables, caller } = context
    const present = presentListed[profile.shapes]
    const projects = listedProjects(tables, profile).map((project) => present(project, tables, caller.user?.id))
    return ok({ body: { version: 1, projects } })
  },
})

const getProjectOverview = defineOperation({
  ...row,
  id: 'getProjectOverview',
  path: `${path}/:projectId/overview`,
  summary: 'One project: its settings, environments and numbers',
  success: { status: 200, description: 'The project', schema: projectOverviewSchema },
  errors: [404],
  run: ({ params, context, profile }) => {
    const { tables } = context
    const found = findActiveProject(tables, params.projectId)
    if (!found.ok) return found
    const project = found.value
    return ok({
      body: {
        stats: profile.projects.countsLater ? noStats : statsOf(project, context),
        name: project.name,
        description: project.description,
        mode: project.mode,
        featureLimit: project.featureLimit,
        featureNaming: project.featureNaming,
        linkTemplates: project.linkTemplates,
        defaultStickiness: 'default',
        ...RATING,
        favorite: isFavorite(tables, context.caller.user?.id, 'project', project.id),
        updatedAt: project.updatedAt,
        createdAt: project.createdAt,
        onboardingStatus: onboardingStatus(project, tables),
        environments: environmentNames(tables, project.id).map((environment) => ({ environment })),
        featureTypeCounts: typeCounts(tables.features.by('activeInProject', project.id)),
        members: memberCount(project),
        version: 1,
      },
    })
  },
})

const getProjectStatus = defineOperation({
  ...row,
  id: 'getProjectStatus',
  path: `${path}/:projectId/status`,
  summary: 'How a project is: its resources, its activity, the stages of its flags',
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
  summary: 'Who made flags of a project',
  success: { status: 200, description: 'The users', schema: projectFlagCreatorsSchema },
  errors: [404],
  run: ({ params, context: { tables } }) => {
    const project = findActiveProject(tables, params.projectId)
    if (!project.ok) return project
    const makers = tables.features.by('activeInProject', params.projectId).map(({ createdBy }) => createdBy)
    const distinct = new Map(makers.map(({ id, name }) => [id, { id, name }]))
    return ok({ body: [...distinct.values()] })
  },
})

const getFlagCreators = defineOperation({
  ...row,
  id: 'getFlagCreators',
  path: '/api/admin/flag-creators',
  summary: 'The users who made flags, of whatever project, by a part of their name, page by page',
  query: flagCreatorsQuerySchema,
  success: { status: 200, description: 'A page of users, and how many there are', schema: flagCreatorsSchema },
  errors: [],
  run: ({ query, context: { tables } }) => {
    const makers = flagMakers(tables, query.q)
    return ok({ body: { flagCreators: pageOf(makers, query, { usual: 50, most: 10_000 }), total: makers.length } })
  },
})

export const projectOperations = [
  getProjects,
  getProjectOverview,
  getProjectStatus,
  getProjectFlagCreators,
  getFlagCreators,
] as const
