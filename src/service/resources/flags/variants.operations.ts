import * as z from 'zod'
import type { Frozen } from '../../../support/freeze.js'
import { badData, found, noAccess, reject } from '../../contract/errors.js'
import type { OperationContext } from '../shared/context.js'
import { patch as patched, patchesSchema } from '../shared/json-patch.js'
import { get, ok, operations, patch, put } from '../shared/rows.js'
import { named } from '../shared/schema.js'
import {
  environmentPath,
  type FeaturePlace,
  findFeatureEnvironment,
  hasNoEnvironment,
} from './feature-environments.operations.js'
import { type FeatureEvent, type FeatureParams, featurePath, findInProject, saveFeature } from './features.model.js'
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
 * Replaces the variants of a feature in environments by the result of `change`, and returns them. Rejects
 * the request if the feature has none anywhere, unless `addsFirst`: Unleash keeps such variants, but adds the first
 * only in a batch; others belong to strategies.
 */
function setVariants(
  context: OperationContext,
  place: FeatureParams & { environments: Iterable<string> },
  change: () => Variant[],
  { addsFirst = false }: { addsFirst?: boolean } = {},
): Variant[] {
  const feature = findInProject(context.tables, place)
  const environments = new Map(feature.environments.map((one) => [one.name, one]))
  if (!addsFirst && feature.environments.every((environment) => environment.variants.length === 0)) {
    const message = `The feature ${feature.name} has no environment variants. Add variants to its strategies instead.`
    reject({ kind: 'invalidOperation', message })
  }
  const variants = change()
  const events: FeatureEvent[] = []
  for (const name of place.environments) {
    const environment = found(environments.get(name), () => hasNoEnvironment(feature.name, name))
    environments.set(name, { ...environment, variants })
    const [data, preData] = [{ variants }, { variants: environment.variants }]
    events.push({ type: 'feature-environment-variants-updated', data, preData, environment: name })
  }
  saveFeature(context, { ...feature, environments: [...environments.values()] }, events, { asGroup: false })
  return variants
}

/**
 * The variants in the stored form. Rejects the request for invalid variants. A batch completes them first, because the
 * document lets a type and a stickiness be left out.
 */
function completeSent(sent: readonly SentVariant[], { inBatch = false }: { inBatch?: boolean } = {}): Variant[] {
  if (!inBatch) reject(checkVariants(sent))
  const complete = sent.map(completeVariant)
  reject(checkVariants(complete))
  return balanceWeights(complete)
}

const permission = 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS'

/** Fails for the first environment in which the caller can't change variants. */
function checkPermission({ caller }: OperationContext, project: string, environments: readonly string[]) {
  const mayChange = (environment: string) => caller.may('ADMIN') || caller.may(permission, { project, environment })
  const refused = environments.find((environment) => !mayChange(environment))
  return refused === undefined ? undefined : noAccess(permission, refused)
}

function inOne(place: FeaturePlace) {
  return { ...place, environments: [place.environment] }
}

export const environmentVariantOperations = [
  ...operations('Features', {
    overwriteFeatureVariantsOnEnvironments: put(`${featurePath}/variants-batch`, {
      summary:
        'Replace the variants of a feature in several environments, in each of which the caller needs the permission',
      body: named('pushVariantsSchema', () => ({
        variants: z.array(sentVariantSchema).optional(),
        environments: z.array(z.string()).optional(),
      })),
      success: ok('The variants', featureVariantsSchema),
      errors: [403, 404],
      run: ({ params, body: { environments = [], variants = [] }, context }) => {
        if (environments.length === 0) reject(badData('At least one environment is required.', '/body/environments'))
        reject(checkPermission(context, params.projectId, environments))
        const place = { ...params, environments: new Set(environments) }
        const complete = () => completeSent(variants, { inBatch: true })
        const stored = setVariants(context, place, complete, { addsFirst: true })
        const made = new Map(stored.map((variant) => [variant.name, variant]))
        return { body: presentVariants(variants.flatMap(({ name }) => made.get(name) ?? [])) }
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
        body: presentVariants(setVariants(context, inOne(params), () => completeSent(body))),
      }),
    }),

    patchEnvironmentsFeatureVariants: patch(`${environmentPath}/variants`, {
      summary: 'Change the variants of a feature in an environment with a JSON Patch',
      permission,
      body: patchesSchema,
      success: ok('The variants', featureVariantsSchema),
      run: ({ params, body, context }) => {
        const { variants } = findFeatureEnvironment(context.tables, params).environment
        const changed = patched(variants, body) as SentVariant[]
        const change = () => completeSent(changed)
        return { body: presentVariants(setVariants(context, inOne(params), change)) }
      },
    }),
  }),
]

function presentVariants(variants: readonly Frozen<Variant>[]) {
  return { version: 1, variants }
}
