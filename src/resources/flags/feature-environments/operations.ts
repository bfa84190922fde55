import * as z from 'zod'
import { ok } from '../../../support/result.js'
import { defineOperation } from '../../shared/operation.js'
import { forAll, turnOff, turnOn } from './actions.js'
import { findFeatureEnvironment } from './lookup.js'
import { presentReadEnvironment } from './present.js'
import { bulkToggleFeaturesSchema, readEnvironmentSchemas } from './schema.js'

const tag = 'Features'

/** What is to become of disabled strategies when a feature is turned on. */
const turnOnQuerySchema = z.object({ shouldActivateDisabledStrategies: z.string().optional() })

const getFeatureEnvironment = defineOperation({
  id: 'getFeatureEnvironment',
  method: 'GET',
  path: '/api/admin/projects/:projectId/features/:featureName/environments/:environment',
  summary: 'A feature in one environment',
  tag,
  access: 'admin',
  success: { status: 200, description: 'The feature there', schema: readEnvironmentSchemas },
  errors: [404],
  run: ({ params, context, profile }) => {
    const found = findFeatureEnvironment(context.tables, params)
    if (!found.ok) return found
    const { feature, environment } = found.value
    return ok({ body: presentReadEnvironment[profile.shapes](feature.name, environment) })
  },
})

const toggleFeatureEnvironmentOn = defineOperation({
  id: 'toggleFeatureEnvironmentOn',
  method: 'POST',
  path: '/api/admin/projects/:projectId/features/:featureName/environments/:environment/on',
  summary: 'Turn a feature on in an environment; without a strategy there, one for everybody is added',
  tag,
  access: 'admin',
  permission: 'UPDATE_FEATURE_ENVIRONMENT',
  query: turnOnQuerySchema,
  success: { status: 200, description: 'The feature is on' },
  errors: [404],
  run: ({ params, query, context }) =>
    turnOn(context, params, { enableStrategies: query.shouldActivateDisabledStrategies === 'true' }),
})

const toggleFeatureEnvironmentOff = defineOperation({
  id: 'toggleFeatureEnvironmentOff',
  method: 'POST',
  path: '/api/admin/projects/:projectId/features/:featureName/environments/:environment/off',
  summary: 'Turn a feature off in an environment',
  tag,
  access: 'admin',
  permission: 'UPDATE_FEATURE_ENVIRONMENT',
  success: { status: 200, description: 'The feature is off' },
  errors: [404],
  run: ({ params, context }) => turnOff(context, params),
})

const bulkToggleFeaturesEnvironmentOn = defineOperation({
  id: 'bulkToggleFeaturesEnvironmentOn',
  method: 'POST',
  path: '/api/admin/projects/:projectId/bulk_features/environments/:environment/on',
  summary: 'Turn several features on in an environment',
  tag,
  access: 'admin',
  permission: 'UPDATE_FEATURE_ENVIRONMENT',
  body: bulkToggleFeaturesSchema,
  query: turnOnQuerySchema,
  success: { status: 200, description: 'The features are on' },
  errors: [404],
  run: ({ params, body, query, context }) => {
    const enableStrategies = query.shouldActivateDisabledStrategies === 'true'
    return forAll(body.features, (featureName) => turnOn(context, { ...params, featureName }, { enableStrategies }))
  },
})

const bulkToggleFeaturesEnvironmentOff = defineOperation({
  id: 'bulkToggleFeaturesEnvironmentOff',
  method: 'POST',
  path: '/api/admin/projects/:projectId/bulk_features/environments/:environment/off',
  summary: 'Turn several features off in an environment',
  tag,
  access: 'admin',
  permission: 'UPDATE_FEATURE_ENVIRONMENT',
  body: bulkToggleFeaturesSchema,
  success: { status: 200, description: 'The features are off' },
  errors: [404],
  run: ({ params, body, context }) =>
    forAll(body.features, (featureName) => turnOff(context, { ...params, featureName })),
})

export const featureEnvironmentOperations = [
  getFeatureEnvironment,
  toggleFeatureEnvironmentOn,
  toggleFeatureEnvironmentOff,
  bulkToggleFeaturesEnvironmentOn,
  bulkToggleFeaturesEnvironmentOff,
] as const
