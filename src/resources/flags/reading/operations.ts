import * as z from 'zod'
import { ok } from '../../../support/result.js'
import { defineOperation } from '../../shared/operation.js'
import { findActiveInProject } from '../features/lookup.js'
import { featureView, projectFeaturesView } from './present.js'
import { matchesListQuery } from './rules.js'
import { listQuerySchema } from './schema.js'

const tag = 'Features'

const getFeatures = defineOperation({
  id: 'getFeatures',
  method: 'GET',
  path: '/api/admin/projects/:projectId/features',
  summary: 'List the active features of a project',
  tag,
  query: listQuerySchema,
  success: { status: 200, description: 'The features', view: projectFeaturesView },
  run: ({ params, query, context }) => {
    const features = context.tables.features.by('activeInProject', params.projectId)
    return ok({ body: features.filter((feature) => matchesListQuery(feature, query)) })
  },
})

const getFeature = defineOperation({
  id: 'getFeature',
  method: 'GET',
  path: '/api/admin/projects/:projectId/features/:featureName',
  summary: 'Get a feature with its environments, strategies and variants',
  tag,
  query: z.object({ variantEnvironments: z.string().optional() }),
  success: { status: 200, description: 'The feature', view: featureView },
  errors: [404],
  run: ({ params, query, context }) => {
    const found = findActiveInProject(context.tables, params.featureName, params.projectId)
    if (!found.ok) return found
    return ok({ body: { feature: found.value, withVariants: query.variantEnvironments === 'true' } })
  },
})

export const readingOperations = [getFeature, getFeatures] as const
