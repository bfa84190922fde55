import { createEvaluator } from '../../../evaluation/evaluate.js'
import { ok } from '../../../support/result.js'
import type { OperationContext } from '../../shared/context.js'
import { defineOperation } from '../../shared/operation.js'
import { sdkScope } from '../client-features/lookup.js'
import { listClientFeatures } from '../client-features/present.js'
import { clientQuery } from '../client-features/rules.js'
import { contextOf, remoteAddressOf } from './rules.js'
import {
  contextQuerySchema,
  type FrontendFeature,
  frontendFeaturesPostSchema,
  frontendFeaturesSchema,
  type SentContext,
} from './schema.js'

const row = {
  path: '/api/frontend',
  tag: 'Frontend API',
  access: 'frontend',
  leavesOut: 'the strategy applicationHostname, which is never satisfied',
  success: {
    status: 200,
    description: 'The features that are on, each with its variant',
    schema: frontendFeaturesSchema,
    headers: { 'Cache-Control': 'no-cache' },
  },
} as const

const getFrontendFeatures = defineOperation({
  ...row,
  id: 'getFrontendFeatures',
  method: 'GET',
  summary: 'The features that are on for the context in the query',
  query: contextQuerySchema,
  run: ({ query, headers, context }) => answer(context, query, headers),
})

const getFrontendApiFeaturesWithPost = defineOperation({
  ...row,
  id: 'getFrontendApiFeaturesWithPost',
  method: 'POST',
  summary: 'The features that are on for the context in the body',
  body: frontendFeaturesPostSchema,
  run: ({ body, headers, context }) => answer(context, body.context ?? {}, headers),
})

export const frontendOperations = [getFrontendFeatures, getFrontendApiFeaturesWithPost] as const

function answer(context: OperationContext, sent: SentContext, headers: Headers) {
  const sessionId = sent.sessionId || context.ids.hex(18)
  const toggles = evaluateAll(context, { ...sent, sessionId }, remoteAddressOf(headers))
  return ok({ headers: { 'cache-control': 'no-cache' }, body: { toggles } })
}

/** The features that are on in a context. */
function evaluateAll(
  { tables, caller, ids, now }: OperationContext,
  sent: SentContext,
  remoteAddress: string,
): FrontendFeature[] {
  const features = listClientFeatures(tables, clientQuery(sdkScope(caller), {}, null))
  const evaluate = createEvaluator({ features, segments: [] }, () => ids.fraction(), now)
  const context = contextOf(sent, remoteAddress)
  return features.flatMap((feature) => {
    const { enabled, variant } = evaluate(feature, context)
    if (!enabled) return []
    const found = variant === undefined ? { name: 'disabled', enabled: false } : { ...variant, enabled: true }
    return {
      name: feature.name,
      enabled: feature.enabled,
      variant: { ...found, feature_enabled: true, featureEnabled: true },
      impressionData: feature.impressionData,
    }
  })
}
