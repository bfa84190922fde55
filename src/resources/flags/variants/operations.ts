import { badData, noAccess } from '../../../contract/errors.js'
import type { Frozen } from '../../../support/freeze.js'
import { fail, ok } from '../../../support/result.js'
import { patchDocument, patchesSchema } from '../../shared/json-patch.js'
import { defineOperation } from '../../shared/operation.js'
import { findFeatureEnvironment } from '../feature-environments/lookup.js'
import { setVariants } from './actions.js'
import { featureVariantsSchema, pushVariantsSchema, sentVariantsSchema, type Variant } from './schema.js'

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

const permission = 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS'

const overwriteFeatureVariantsOnEnvironments = defineOperation({
  id: 'overwriteFeatureVariantsOnEnvironments',
  method: 'PUT',
  path: '/api/admin/projects/:projectId/features/:featureName/variants-batch',
  summary: 'Replace the variants of a feature in several environments',
  tag: 'Features',
  permission: 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
  body: pushVariantsSchema,
  success: { status: 200, description: 'The variants', schema: featureVariantsSchema },
  errors: [404],
  run: ({ params, body: { environments = [], variants = [] }, context }) => {
    if (environments.length === 0) return fail(badData('At least one environment is needed.', '/body/environments'))
    let set: readonly Variant[] = []
    for (const environment of environments) {
      if (!context.caller.may(permission, { project: params.projectId, environment })) {
        return fail(noAccess(permission, environment))
      }
      const result = setVariants(context, { ...params, environment }, () => ok(variants), { addsFirst: true })
      if (!result.ok) return result
      set = result.value
    }
    return ok({ body: presentVariants(set) })
  },
})

export const environmentVariantOperations = [
  overwriteFeatureVariantsOnEnvironments,
  getEnvironmentFeatureVariants,
  overwriteEnvironmentFeatureVariants,
  patchEnvironmentsFeatureVariants,
] as const

function presentVariants(variants: readonly Frozen<Variant>[]) {
  return { version: 1, variants }
}
