import * as z from 'zod'
import type { Frozen } from '../../../support/freeze.js'
import { badData, noAccess, reject } from '../../contract/errors.js'
import type { OperationContext } from '../shared/context.js'
import { patchDocument, patchesSchema } from '../shared/json-patch.js'
import { get, ok, operations, patch, put } from '../shared/rows.js'
import { named } from '../shared/schema.js'
import {
  environmentPath,
  type FeaturePlace,
  findFeatureEnvironment,
  replaceEnvironment,
} from './feature-environments.operations.js'
import { featurePath, saveFeature } from './features.model.js'
import {
  balanceWeights,
  checkVariants,
  completeVariant,
  featureVariantsSchema,
  type SentVariant,
  sentVariantSchema,
  sentVariantsSchema,
  type Variant,
} from './variants.js'

/**
 * Replaces the variants of a feature in an environment with those that `change` makes of them. Rejects the request
 * where there are none, unless `addsFirst`: the service keeps such variants but adds new ones only in a batch; others belong to strategies.
 */
function setVariants(
  context: OperationContext,
  place: FeaturePlace,
  change: (before: unknown) => Variant[],
  { addsFirst = false }: { addsFirst?: boolean } = {},
): Variant[] {
  const { feature, environment } = findFeatureEnvironment(context.tables, place)
  if (environment.variants.length === 0 && !addsFirst) {
    const message = `The feature ${feature.name} has no environment variants. Add variants to its strategies instead.`
    reject({ kind: 'invalidOperation', message })
  }
  const variants = change(environment.variants)
  const [data, preData] = [{ variants }, { variants: environment.variants }]
  saveFeature(context, replaceEnvironment(feature, { ...environment, variants }), [
    { type: 'feature-environment-variants-updated', data, preData, environment: environment.name },
  ])
  return variants
}

/** The variants as they are stored. Rejects the request if they can't be. */
function completeVariants(sent: readonly SentVariant[]): Variant[] {
  const complete = sent.map(completeVariant)
  reject(checkVariants(complete))
  return balanceWeights(complete)
}

const permission = 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS'

export const environmentVariantOperations = [
  ...operations('Features', {
    overwriteFeatureVariantsOnEnvironments: put(`${featurePath}/variants-batch`, {
      summary: 'Replace the variants of a feature in several environments',
      permission,
      body: named('pushVariantsSchema', {
        environments: z.array(z.string()).optional(),
        variants: z.array(sentVariantSchema).optional(),
      }),
      success: ok('The variants', featureVariantsSchema),
      run: ({ params, body: { environments = [], variants = [] }, context }) => {
        if (environments.length === 0) reject(badData('At least one environment is needed.', '/body/environments'))
        let complete: Variant[] | undefined
        for (const environment of new Set(environments)) {
          if (!context.caller.may(permission, { project: params.projectId, environment })) {
            reject(noAccess(permission, environment))
          }
          setVariants(context, { ...params, environment }, () => (complete ??= completeVariants(variants)), {
            addsFirst: true,
          })
        }
        return { body: presentVariants(complete ?? []) }
      },
    }),
  }),
  ...operations('Environment variants', {
    getEnvironmentFeatureVariants: get(`${environmentPath}/variants`, {
      summary: 'List the variants of a feature in an environment',
      success: ok('The variants', featureVariantsSchema),
      run: ({ params, tables }) => ({
        body: presentVariants(findFeatureEnvironment(tables, params).environment.variants),
      }),
    }),

    overwriteEnvironmentFeatureVariants: put(`${environmentPath}/variants`, {
      summary: 'Replace the variants of a feature in an environment, if it has any there',
      permission,
      body: sentVariantsSchema,
      success: ok('The variants', featureVariantsSchema),
      run: ({ params, body, context }) => ({
        body: presentVariants(setVariants(context, params, () => completeVariants(body))),
      }),
    }),

    patchEnvironmentsFeatureVariants: patch(`${environmentPath}/variants`, {
      summary: 'Change the variants of a feature in an environment with a JSON Patch',
      permission,
      body: patchesSchema,
      success: ok('The variants', featureVariantsSchema),
      run: ({ params, body, context }) => {
        const variants = setVariants(context, params, (before) =>
          completeVariants(patchDocument(before, body, sentVariantsSchema)),
        )
        return { body: presentVariants(variants) }
      },
    }),
  }),
]

function presentVariants(variants: readonly Frozen<Variant>[]) {
  return { version: 1, variants }
}
