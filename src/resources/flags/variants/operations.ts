import { ok } from '../../../support/result.js'
import { patchDocument, patchesSchema } from '../../shared/json-patch.js'
import { defineOperation } from '../../shared/operation.js'
import { findFeatureEnvironment } from '../feature-environments/lookup.js'
import { setVariants } from './actions.js'
import { presentVariants } from './present.js'
import { featureVariantsSchema, sentVariantsSchema } from './schema.js'

const tag = 'Environment variants'

const getEnvironmentFeatureVariants = defineOperation({
  id: 'getEnvironmentFeatureVariants',
  method: 'GET',
  path: '/api/admin/projects/:projectId/features/:featureName/environments/:environment/variants',
  summary: 'List the variants of a feature in an environment',
  tag,
  success: { status: 200, description: 'The variants', schema: featureVariantsSchema },
  errors: [404],
  run: ({ params, context }) => {
    const found = findFeatureEnvironment(context.tables, params)
    return found.ok ? ok({ body: presentVariants(found.value.environment.variants) }) : found
  },
})

const overwriteEnvironmentFeatureVariants = defineOperation({
  id: 'overwriteEnvironmentFeatureVariants',
  method: 'PUT',
  path: '/api/admin/projects/:projectId/features/:featureName/environments/:environment/variants',
  summary: 'Replace the variants of a feature in an environment, if it has any there',
  tag,
  permission: 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
  body: sentVariantsSchema,
  success: { status: 200, description: 'The variants', schema: featureVariantsSchema },
  errors: [404],
  run: ({ params, body, context }) => {
    const variants = setVariants(context, params, () => ok(body))
    return variants.ok ? ok({ body: presentVariants(variants.value) }) : variants
  },
})

const patchEnvironmentsFeatureVariants = defineOperation({
  id: 'patchEnvironmentsFeatureVariants',
  method: 'PATCH',
  path: '/api/admin/projects/:projectId/features/:featureName/environments/:environment/variants',
  summary: 'Change the variants of a feature in an environment with a JSON Patch',
  tag,
  permission: 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
  body: patchesSchema,
  success: { status: 200, description: 'The variants', schema: featureVariantsSchema },
  errors: [404],
  run: ({ params, body, context }) => {
    const variants = setVariants(context, params, (before) => patchDocument(before, body, sentVariantsSchema))
    return variants.ok ? ok({ body: presentVariants(variants.value) }) : variants
  },
})

export const environmentVariantOperations = [
  getEnvironmentFeatureVariants,
  overwriteEnvironmentFeatureVariants,
  patchEnvironmentsFeatureVariants,
] as const
