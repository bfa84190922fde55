import * as z from 'zod'
import { named, namedStrict } from '../shared/schema.js'
import { legalValueSchema } from '../targeting/context-fields.js'
import { dependencySchema } from './dependencies.js'
import { createFeatureStrategySchema } from './strategies.js'
import { variantSchema } from './variants.js'

const environment = z.string()
const downloadFile = z.boolean().optional()

export const exportQuerySchema = z
  .union([
    z.looseObject({ environment, downloadFile, features: z.array(z.string().min(1, 'must not be empty')) }),
    z.looseObject({ environment, downloadFile, tag: z.string() }),
    z.looseObject({ environment, downloadFile, project: z.string() }),
  ])
  .meta({ id: 'exportQuerySchema' })

export type ExportQuery = z.infer<typeof exportQuerySchema>

const exportedFeatureSchema = z.looseObject({
  name: z.string(),
  type: z.string().optional(),
  description: z.string().nullable().optional(),
  stale: z.boolean().optional(),
  impressionData: z.boolean().optional(),
})

const linkSchema = z.looseObject({ url: z.string(), title: z.string().nullable().optional() })

/** Features in one environment, with everything that they refer to. Ids of segments mean the segments listed here. */
export const exportResultSchema = namedStrict('exportResultSchema', {
  features: z.array(exportedFeatureSchema),
  featureStrategies: z.array(
    createFeatureStrategySchema.extend({ id: z.string().optional(), featureName: z.string().optional() }),
  ),
  featureEnvironments: z
    .array(
      z.looseObject({
        name: z.string(),
        featureName: z.string().optional(),
        environment: z.string().optional(),
        enabled: z.boolean(),
        variants: z.array(variantSchema).optional(),
      }),
    )
    .optional(),
  contextFields: z
    .array(
      z.looseObject({
        name: z.string(),
        description: z.string().nullable().optional(),
        stickiness: z.boolean().optional(),
        sortOrder: z.int().optional(),
        legalValues: z.array(legalValueSchema).optional(),
        project: z.string().nullable().optional(),
      }),
    )
    .optional(),
  featureTags: z
    .array(z.looseObject({ featureName: z.string(), tagType: z.string().optional(), tagValue: z.string() }))
    .optional(),
  segments: z.array(z.strictObject({ id: z.number(), name: z.string() })).optional(),
  tagTypes: z.array(
    z.looseObject({
      name: z.string(),
      description: z.string().optional(),
      icon: z.string().nullable().optional(),
      color: z.string().nullable().optional(),
    }),
  ),
  dependencies: z.array(z.strictObject({ feature: z.string(), dependencies: z.array(dependencySchema) })).optional(),
  links: z.array(z.strictObject({ feature: z.string(), links: z.array(linkSchema) })).optional(),
})

export type ExportResult = z.infer<typeof exportResultSchema>

export const importTogglesSchema = namedStrict('importTogglesSchema', {
  project: z.string(),
  environment: z.string(),
  data: exportResultSchema,
})

export type Import = z.infer<typeof importTogglesSchema>

const itemSchema = named('importTogglesValidateItemSchema', { message: z.string(), affectedItems: z.array(z.string()) })

export type ImportFault = z.infer<typeof itemSchema>

export const importTogglesValidateSchema = named('importTogglesValidateSchema', {
  errors: z.array(itemSchema),
  warnings: z.array(itemSchema),
  permissions: z.array(itemSchema),
})
