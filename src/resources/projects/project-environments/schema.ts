import * as z from 'zod'
import { createFeatureStrategySchema } from '../../flags/strategies/schema.js'

export const projectEnvironmentBodySchema = z
  .strictObject({
    environment: z.string(),
    changeRequestsEnabled: z.boolean().optional(),
    defaultStrategy: createFeatureStrategySchema.optional(),
  })
  .meta({ id: 'addEnvironmentToProjectSchema' })
