import { createEvaluator } from '../../evaluation/evaluate.js'
import { ok } from '../../support/result.js'
import { sdkScope } from '../client-features/lookup.js'
import { listClientFeatures } from '../client-features/present.js'
import { clientQuery } from '../client-features/rules.js'
import { defineOperation } from '../define-operation.js'
import type { World } from '../world.js'
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
  leavesOut: 'the strategy applicationHostname, which lets nobody through',
  success: {
    status: 200,
    description: 'The features that are on, each with its variant',
    schema: frontendFeaturesSchema,
    headers: { 'Cache-Control': 'no-cache' },
  },
  errors: [400, 401],
} as const

const getFrontendFeatures = defineOperation({
  ...row,
  id: 'getFrontendFeatures',
  method: 'GET',
  summary: 'The features that are on in the context of the query',
  query: contextQuerySchema,
  run: ({ query, headers, world }) => answer(world, query, headers),
})

const getFrontendApiFeaturesWithPost = defineOperation({
  ...row,
  id: 'getFrontendApiFeaturesWithPost',
  method: 'POST',
  summary: 'The features that are on in the context of the body',
  body: frontendFeaturesPostSchema,
  run: ({ body, headers, world }) => answer(world, body.context ?? {}, headers),
})

export const frontendOperations = [getFrontendFeatures, getFrontendApiFeaturesWithPost] as const

function answer(world: World, sent: SentContext, headers: Headers) {
  const sessionId = sent.sessionId || world.ids.hex(18)
  const toggles = evaluateAll(world, { ...sent, sessionId }, remoteAddressOf(headers))
  return ok({ headers: { 'cache-control': 'no-cache' }, body: { toggles } })
}

/** Everything that is on for somebody. */
function evaluateAll({ tables, caller, ids, now }: World, sent: SentContext, remoteAddress: string): FrontendFeature[] {
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
