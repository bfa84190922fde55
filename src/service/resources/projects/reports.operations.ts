import * as z from 'zod'
import { serviceListedFeatureSchema, serviceListText } from '../flags/reading.js'
import { get, ok, operations } from '../shared/rows.js'
import { named } from '../shared/schema.js'
import { statsOf } from './activity.js'
import { projectOverviewSchema, stalenessSchema, statsSchema } from './projects.js'
import { findActiveProject, memberCount, presentReported, typeCounts } from './projects.operations.js'
import { leadTimes, ratingOf, stalenessOf } from './reports.model.js'

const healthReportSchema = named(
  'healthReportSchema',
  () =>
    projectOverviewSchema
      .omit({ linkTemplates: true, onboardingStatus: true, featureTypeCounts: true })
      .extend({ features: z.array(serviceListedFeatureSchema), ...stalenessSchema.shape }).shape,
)

const projectDoraMetricsSchema = named('projectDoraMetricsSchema', () => ({
  features: z.array(z.object({ name: z.string(), timeToProduction: z.number().meta({ description: 'In days' }) })),
  projectAverage: z.number(),
}))

const ratingSchema = stalenessSchema.extend({ rating: z.int() })

const projectInsightsSchema = named('projectInsightsSchema', () => ({
  stats: statsSchema,
  featureTypeCounts: z.array(z.object({ type: z.string(), count: z.int() })),
  technicalDebt: ratingSchema,
  leadTime: projectDoraMetricsSchema,
  members: z.object({ currentMembers: z.int(), change: z.int() }),
  health: ratingSchema,
}))

const path = '/api/admin/projects/:projectId'
export const reportOperations = operations('Projects', {
  getProjectHealthReport: get(`${path}/health-report`, {
    summary: 'Get a project with its features, and the number of stale ones',
    success: ok('The report', healthReportSchema),
    run: ({ params, context }) => {
      const project = findActiveProject(context.tables, params.projectId)
      const around = { ...presentReported(project, context), ...stalenessOf(context, params.projectId) }
      return { body: serviceListText({ project: params.projectId, query: {}, around }, context) }
    },
  }),

  getProjectInsights: get(`${path}/insights`, {
    summary: 'Get insights about a project: its activity, its flags by type and age, its members',
    success: ok('The numbers', projectInsightsSchema),
    run: ({ params: { projectId }, context }) => {
      const project = findActiveProject(context.tables, projectId)
      const counts = stalenessOf(context, projectId)
      const { health, technicalDebt } = ratingOf(context, projectId)
      return {
        body: {
          stats: statsOf(project, context),
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
    summary: 'Get the time that the features of a project took from creation to production',
    success: ok('Days per feature, and their average', projectDoraMetricsSchema),
    errors: [],
    run: ({ params, context }) => ({ body: leadTimes(context.tables, params.projectId) }),
  }),
})
