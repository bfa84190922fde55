import * as z from 'zod'
import { dependencySchema } from '../../flags/dependencies/schema.js'
import { featureRecordSchema } from '../../flags/features/schema.js'
import { strategySchema } from '../../flags/strategies/schema.js'
import { variantSchema } from '../../flags/variants/schema.js'
import { constraintSchema } from '../../targeting/constraints/schema.js'

const clientStrategySchema = strategySchema
  .pick({ name: true, constraints: true, parameters: true, variants: true })
  .extend({ segments: z.array(z.int()).optional() })
  .meta({ id: 'clientStrategySchema' })

/** A feature in one environment, with everything that SDKs need to evaluate it. */
export const clientFeatureSchema = featureRecordSchema
  .pick({ name: true, type: true, project: true, stale: true, description: true, impressionData: true })
  .extend({
    enabled: z.boolean(),
    strategies: z.array(clientStrategySchema),
    variants: z.array(variantSchema),
    dependencies: z.array(dependencySchema).optional(),
  })
  .meta({ id: 'clientFeatureSchema' })

const clientSegmentSchema = z
  .object({ id: z.int(), name: z.string().optional(), constraints: z.array(constraintSchema) })
  .meta({ id: 'clientSegmentSchema' })

const clientFeaturesQuerySchema = z.lazy(() =>
  z
    .object({
      tag: z.array(z.array(z.string())).optional(),
      project: z.array(z.string()).optional(),
      namePrefix: z.string().optional(),
      environment: z.string().optional(),
      inlineSegmentConstraints: z.boolean(),
    })
    .meta({ id: 'clientFeaturesQuerySchema', description: 'The features that were requested' }),
)

/** The features that an SDK asks for, with its token, its URL and its version. */
export type ClientQuery = z.infer<typeof clientFeaturesQuerySchema>

export const clientFeaturesSchema = z.lazy(() =>
  z
    .object({
      version: z.literal(2),
      features: z.array(clientFeatureSchema),
      query: clientFeaturesQuerySchema,
      segments: z.array(clientSegmentSchema).optional(),
      meta: z.object({ revisionId: z.int(), etag: z.string(), queryHash: z.string() }),
    })
    .meta({ id: 'clientFeaturesSchema' }),
)

const oneOrMore = z.union([z.string(), z.array(z.string())]).optional()

/** The filters that an SDK may send in the URL. */
export const sentClientQuerySchema = z.object({
  namePrefix: z.string().optional(),
  project: oneOrMore,
  tag: oneOrMore,
})

export type SentClientQuery = z.infer<typeof sentClientQuerySchema>
