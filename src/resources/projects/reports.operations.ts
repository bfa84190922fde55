import { objectText } from '../../support/json-text.js'
import { reportedFeatures } from '../flags/reading.js'
import { get, operations } from '../shared/rows.js'
import { shownStats } from './activity.js'
import { findActiveProject, memberCount, presentOverview, typeCounts } from './projects.operations.js'
import { healthReportSchema, projectDoraMetricsSchema, projectInsightsSchema } from './reports.js'
import { leadTimes, stalenessOf, storedRating } from './reports.model.js'

const path = '/api/admin/projects/:projectId'
export const reportOperations = operations('Projects', {
  getProjectHealthReport: get(`${path}/health-report`, {
    summary: 'One project with its features, and how many of them are stale',
    success: { status: 200, description: 'The report', schema: healthReportSchema },
    errors: [404],
    run: ({ params, context, profile }) => {
      const project = findActiveProject(context.tables, params.projectId)
      const {
        linkTemplates: _,
        onboardingStatus: __,
        featureTypeCounts: ___,
        members,
        version,
        ...overview
      } = presentOverview(project, context, profile)
      const features = reportedFeatures({ project: params.projectId, query: {} }, context)
      const counts = stalenessOf(context, params.projectId)
      return { body: objectText({ ...overview, features, members, version, ...counts }) }
    },
  }),

  getProjectInsights: get(`${path}/insights`, {
    summary: 'How a project is doing: its activity, its flags by type and age, its members',
    success: { status: 200, description: 'The numbers', schema: projectInsightsSchema },
    errors: [404],
    run: ({ params: { projectId }, context, profile }) => {
      const project = findActiveProject(context.tables, projectId)
      const counts = stalenessOf(context, projectId)
      const { health, technicalDebt } = storedRating(project, context, profile)
      return {
        body: {
          stats: shownStats(project, context, profile),
          featureTypeCounts: typeCounts(context.tables, projectId),
          technicalDebt: { rating: technicalDebt, ...counts },
          leadTime: leadTimes(context.tables, projectId),
          members: { currentMembers: memberCount(project), change: 0 },
          health: { rating: health, ...counts },
        },
      }
    },
  }),

  getProjectDora: get(`${path}/dora`, {
    summary: 'How long the features of a project took from their creation to production',
    success: { status: 200, description: 'Days per feature, and their average', schema: projectDoraMetricsSchema },
    run: ({ params, context }) => ({ body: leadTimes(context.tables, params.projectId) }),
  }),
})
