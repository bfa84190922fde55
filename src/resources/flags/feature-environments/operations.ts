import { ok, okUnless } from '../../../support/result.js'
import { defineOperation } from '../../shared/operation.js'
import { forEachFeature } from '../features/actions.js'
import { turnOff, turnOn } from './actions.js'
import { findFeatureEnvironment } from './lookup.js'
import { readEnvironmentView } from './present.js'
import { bulkToggleFeaturesSchema, turnOnQuerySchema } from './schema.js'

const tag = 'Features'

const getFeatureEnvironment = defineOperation({
  id: 'getFeatureEnvironment',
  method: 'GET',
  path: '/api/admin/projects/:projectId/features/:featureName/environments/:environment',
  summary: 'Get a feature in one environment',
  tag,
  success: { status: 200, description: 'The feature in the environment', view: readEnvironmentView },
  errors: [404],
  run: ({ params, context }) => {
    const found = findFeatureEnvironment(context.tables, params)
    return found.ok ? ok({ body: found.value }) : found
  },
})

const toggleFeatureEnvironmentOn = defineOperation({
  id: 'toggleFeatureEnvironmentOn',
  method: 'POST',
  path: '/api/admin/projects/:projectId/features/:featureName/environments/:environment/on',
  summary: 'Enable a feature in an environment; if it has no enabled strategy there, one for everybody is added',
  tag,
  permission: 'UPDATE_FEATURE_ENVIRONMENT',
  query: turnOnQuerySchema,
  success: { status: 200, description: 'The feature is enabled' },
  errors: [404],
  run: ({ params, query, context }) => {
    const enableStrategies = query.shouldActivateDisabledStrategies === 'true'
    return okUnless(turnOn(context, params, { enableStrategies }))
  },
})

const toggleFeatureEnvironmentOff = defineOperation({
  id: 'toggleFeatureEnvironmentOff',
  method: 'POST',
  path: '/api/admin/projects/:projectId/features/:featureName/environments/:environment/off',
  summary: 'Disable a feature in an environment',
  tag,
  permission: 'UPDATE_FEATURE_ENVIRONMENT',
  success: { status: 200, description: 'The feature is disabled' },
  errors: [404],
  run: ({ params, context }) => okUnless(turnOff(context, params)),
})

const bulkToggleFeaturesEnvironmentOn = defineOperation({
  id: 'bulkToggleFeaturesEnvironmentOn',
  method: 'POST',
  path: '/api/admin/projects/:projectId/bulk_features/environments/:environment/on',
  summary: 'Enable several features in an environment',
  tag,
  permission: 'UPDATE_FEATURE_ENVIRONMENT',
  body: bulkToggleFeaturesSchema,
  query: turnOnQuerySchema,
  success: { status: 200, description: 'The features are enabled' },
  errors: [404],
  run: ({ params, body, query, context }) => {
    const enableStrategies = query.shouldActivateDisabledStrategies === 'true'
    return forEachFeature(body.features, (featureName) =>
      turnOn(context, { ...params, featureName }, { enableStrategies }),
    )
  },
})

const bulkToggleFeaturesEnvironmentOff = defineOperation({
  id: 'bulkToggleFeaturesEnvironmentOff',
  method: 'POST',
  path: '/api/admin/projects/:projectId/bulk_features/environments/:environment/off',
  summary: 'Disable several features in an environment',
  tag,
  permission: 'UPDATE_FEATURE_ENVIRONMENT',
  body: bulkToggleFeaturesSchema,
  success: { status: 200, description: 'The features are disabled' },
  errors: [404],
  run: ({ params, body, context }) =>
    forEachFeature(body.features, (featureName) => turnOff(context, { ...params, featureName })),
})

export const featureEnvironmentOperations = [
  getFeatureEnvironment,
  toggleFeatureEnvironmentOn,
  toggleFeatureEnvironmentOff,
  bulkToggleFeaturesEnvironmentOn,
  bulkToggleFeaturesEnvironmentOff,
] as const
