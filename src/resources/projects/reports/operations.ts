import { ok } from '../../../support/result.js'
import { presentServiceListedFeature } from '../../flags/reading/present.js'
import { defineOperation } from '../../shared/operation.js'
import { shownStats } from '../activity/lookup.js'
import { findActiveProject } from '../projects/lookup.js'
import { presentOverview } from '../projects/present.js'
import { memberCount, typeCounts } from '../projects/rules.js'
import { leadTimes, stalenessOf, storedRating } from './lookup.js'
import { healthReportSchema, projectDoraMetricsSchema, projectInsightsSchema } from './schema.js'

const row = { tag: 'Projects', method: 'GET' } as const
const path = '/api/admin/projects/:projectId'

const getProjectHealthReport = defineOperation({
  ...row,
  id: 'getProjectHealthReport',
  path: `${path}/health-report`,
  summary: 'One project with its features, and how many of them are stale',
  success: { status: 200, description: 'The report', schema: healthReportSchema },
  errors: [404],
  run: ({ params, context, profile }) => {
    const project = findActiveProject(context.tables, params.projectId)
    if (!project.ok) return project
    const {
      linkTemplates: _,
      onboardingStatus: __,
      featureTypeCounts: ___,
      members,
      version,
      ...overview
    } = presentOverview(project.value, context, profile)
    const features = context.tables.features
      .by('activeInProject', params.projectId)
      .map((feature) => presentServiceListedFeature(feature, context))
    return ok({ body: { ...overview, features, members, version, ...stalenessOf(context, params.projectId) } })
  },
})

const getProjectInsights = defineOperation({
  ...row,
  id: 'getProjectInsights',
  path: `${path}/insights`,
  summary: 'How a project is doing: its activity, its flags by type and age, its members',
  success: { status: 200, description: 'The numbers', schema: projectInsightsSchema },
  errors: [404],
  run: ({ params: { projectId }, context, profile }) => {
    const project = findActiveProject(context.tables, projectId)
    if (!project.ok) return project
    const counts = stalenessOf(context, projectId)
    const { health, technicalDebt } = storedRating(project.value, context, profile)
    return ok({
      body: {
        stats: shownStats(project.value, context, profile),
        featureTypeCounts: typeCounts(context.tables.features.by('activeInProject', projectId)),
        technicalDebt: { rating: technicalDebt, ...counts },
        leadTime: leadTimes(context.tables, projectId),
        members: { currentMembers: memberCount(project.value), change: 0 },
        health: { rating: health, ...counts },
      },
    })
  },
})

const getProjectDora = defineOperation({
  ...row,
  id: 'getProjectDora',
  path: `${path}/dora`,
  summary: 'How long the features of a project took from their creation to production',
  success: { status: 200, description: 'Days per feature, and their average', schema: projectDoraMetricsSchema },
  run: ({ params, context }) => ok({ body: leadTimes(context.tables, params.projectId) }),
})

export const reportOperations = [getProjectHealthReport, getProjectInsights, getProjectDora] as const
