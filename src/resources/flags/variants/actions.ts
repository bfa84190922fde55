import type { Failure } from '../../../contract/errors.js'
import { fail, ok, type Result } from '../../../support/result.js'
import type { OperationContext } from '../../shared/context.js'
import { type FeaturePlace, findFeatureEnvironment } from '../feature-environments/lookup.js'
import { replaceEnvironment } from '../feature-environments/rules.js'
import { saveFeature } from '../features/actions.js'
import { checkVariants } from './checks.js'
import { balanceWeights, completeVariant } from './rules.js'
import type { SentVariant, Variant } from './schema.js'

/**
 * Replaces the variants of a feature in an environment with those that `change` makes of them. Fails where there are
 * none, unless `addsFirst`: the service keeps such variants but adds new ones only in a batch; others belong to strategies.
 */
export function setVariants(
  context: OperationContext,
  place: FeaturePlace,
  change: (before: unknown) => Result<SentVariant[], Failure>,
  { addsFirst = false }: { addsFirst?: boolean } = {},
): Result<Variant[], Failure> {
  const found = findFeatureEnvironment(context.tables, place)
  if (!found.ok) return found
  const { feature, environment } = found.value
  if (environment.variants.length === 0 && !addsFirst) {
    const message = `The feature ${feature.name} has no environment variants. Add variants to its strategies instead.`
    return fail({ kind: 'invalidOperation', message })
  }
  const changed = change(environment.variants)
  if (!changed.ok) return changed
  const complete = changed.value.map(completeVariant)
  const failure = checkVariants(complete)
  if (failure) return fail(failure)

  const variants = balanceWeights(complete)
  const data = { variants }
  const preData = { variants: environment.variants }
  saveFeature(context, replaceEnvironment(feature, { ...environment, variants }), [
    { type: 'feature-environment-variants-updated', data, preData, environment: environment.name },
  ])
  return ok(variants)
}
