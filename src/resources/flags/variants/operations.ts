import type { Failure } from '../../../contract/errors.js'
import type { Reply } from '../../../contract/operation.js'
import { fail, ok, type Result } from '../../../support/result.js'
import type { OperationContext } from '../../shared/context.js'
import { patchDocument, patchesSchema } from '../../shared/json-patch.js'
import { defineOperation } from '../../shared/operation.js'
import { type FeaturePlace, findFeatureEnvironment } from '../feature-environments/lookup.js'
import { replaceEnvironment } from '../feature-environments/rules.js'
import { saveFeature } from '../features/actions.js'
import { balanceWeights, checkVariants, completeVariant } from './rules.js'
import { featureVariantsSchema, type SentVariant, sentVariantsSchema } from './schema.js'

const tag = 'Environment variants'

const getEnvironmentFeatureVariants = defineOperation({
  id: 'getEnvironmentFeatureVariants',
  method: 'GET',
  path: '/api/admin/projects/:projectId/features/:featureName/environments/:environment/variants',
  summary: 'The variants of a feature in an environment',
  tag,
  access: 'admin',
  success: { status: 200, description: 'The variants', schema: featureVariantsSchema },
  errors: [404],
  run: ({ params, context }) => {
    const found = findFeatureEnvironment(context.tables, params)
    return found.ok ? ok({ body: { version: 1, variants: found.value.environment.variants } }) : found
  },
})

const overwriteEnvironmentFeatureVariants = defineOperation({
  id: 'overwriteEnvironmentFeatureVariants',
  method: 'PUT',
  path: '/api/admin/projects/:projectId/features/:featureName/environments/:environment/variants',
  summary: 'Set the variants of a feature in an environment, where it has some already',
  tag,
  access: 'admin',
  permission: 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
  body: sentVariantsSchema,
  success: { status: 200, description: 'The variants', schema: featureVariantsSchema },
  errors: [404],
  run: ({ params, body, context }) => setVariants(context, params, () => ok(body)),
})

const patchEnvironmentsFeatureVariants = defineOperation({
  id: 'patchEnvironmentsFeatureVariants',
  method: 'PATCH',
  path: '/api/admin/projects/:projectId/features/:featureName/environments/:environment/variants',
  summary: 'Change the variants of a feature in an environment by a JSON Patch',
  tag,
  access: 'admin',
  permission: 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
  body: patchesSchema,
  success: { status: 200, description: 'The variants', schema: featureVariantsSchema },
  errors: [404],
  run: ({ params, body, context }) =>
    setVariants(context, params, (before) => patchDocument(before, body, sentVariantsSchema)),
})

/** Only a feature that has such variants keeps them: new ones belong to strategies. */
function setVariants(
  context: OperationContext,
  place: FeaturePlace,
  ask: (before: unknown) => Result<SentVariant[], Failure>,
): Result<Reply, Failure> {
  const found = findFeatureEnvironment(context.tables, place)
  if (!found.ok) return found
  const { feature, environment } = found.value
  if (environment.variants.length === 0) {
    const message = `The feature ${feature.name} has no variants of environments; give its strategies variants instead.`
    return fail({ kind: 'invalidOperation', message })
  }
  const asked = ask(environment.variants)
  if (!asked.ok) return asked
  const complete = asked.value.map(completeVariant)
  const refusal = checkVariants(complete)
  if (refusal) return fail(refusal)

  const variants = balanceWeights(complete)
  const data = { variants }
  const preData = { variants: environment.variants }
  saveFeature(context, replaceEnvironment(feature, { ...environment, variants }), [
    { type: 'feature-environment-variants-updated', data, preData, environment: environment.name },
  ])
  return ok({ body: { version: 1, variants } })
}

export const environmentVariantOperations = [
  getEnvironmentFeatureVariants,
  overwriteEnvironmentFeatureVariants,
  patchEnvironmentsFeatureVariants,
] as const
