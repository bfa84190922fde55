import * as z from 'zod'
import { serviceListedFeatureSchema } from '../flags/reading.js'
import { projectOverviewSchema, statsSchema } from './projects.js'

const countsSchema = z.object({ activeCount: z.int(), potentiallyStaleCount: z.int(), staleCount: z.int() })

export type StalenessCounts = z.infer<typeof countsSchema>

export const healthReportSchema = projectOverviewSchema
  .omit({ linkTemplates: true, onboardingStatus: true, featureTypeCounts: true })
  .extend({ features: z.array(serviceListedFeatureSchema), ...countsSchema.shape })
  .meta({ id: 'healthReportSchema' })

export const projectDoraMetricsSchema = z
  .object({
    features: z.array(z.object({ name: z.string(), timeToProduction: z.number().meta({ description: 'In days' }) })),
    projectAverage: z.number(),
  })
  .meta({ id: 'projectDoraMetricsSchema' })

const ratingSchema = countsSchema.extend({ rating: z.int() })

export const projectInsightsSchema = z
  .object({
    stats: statsSchema,
    featureTypeCounts: z.array(z.object({ type: z.string(), count: z.int() })),
    technicalDebt: ratingSchema,
    leadTime: projectDoraMetricsSchema,
    members: z.object({ currentMembers: z.int(), change: z.int() }),
    health: ratingSchema,
  })
  .meta({ id: 'projectInsightsSchema' })
