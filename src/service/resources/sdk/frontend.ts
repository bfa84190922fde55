import * as z from 'zod'
import { JsonText, listText, objectText } from '../../../support/json-text.js'
import { badData, reject } from '../../contract/errors.js'
import { EvaluationBudget } from '../../evaluation/budget.js'
import type { EvaluationContext } from '../../evaluation/context.js'
import { createEvaluator } from '../../evaluation/evaluate.js'
import type { StoredFeature } from '../flags/features.js'
import { payloadSchema } from '../flags/variants.js'
import type { OperationContext } from '../shared/context.js'
import { get, operations, post } from '../shared/rows.js'
import { named } from '../shared/schema.js'
import { clientQuery } from './client-features.js'
import { findClientFeature, matching, preparerOf, sdkScope } from './client-features.operations.js'

const frontendFeatureSchema = named('frontendApiFeatureSchema', {
  name: z.string(),
  enabled: z.boolean(),
  variant: z.object({
    name: z.string(),
    enabled: z.boolean(),
    payload: payloadSchema.optional(),
    feature_enabled: z.boolean(),
    featureEnabled: z.boolean().meta({ deprecated: true }),
  }),
  impressionData: z.boolean(),
})

type FrontendFeature = z.infer<typeof frontendFeatureSchema>

const frontendFeaturesSchema = z
  .object({ toggles: z.array(frontendFeatureSchema) })
  .meta({ id: 'frontendApiFeaturesSchema', description: 'The features that are on in a context' })

/** A context in a URL: `userId=7&properties[plan]=gold`. */
const contextQuerySchema = z.record(z.string(), z.string())

export const contextSchema = z
  .looseObject({
    appName: z.string().min(1).optional(),
    currentTime: z.iso.datetime({ offset: true }).optional(),
    environment: z.string().optional(),
    properties: z.record(z.string(), z.string()).optional(),
    remoteAddress: z.string().optional(),
    sessionId: z.string().optional(),
    userId: z.string().optional(),
  })
  .meta({ id: 'contextSchema', description: 'Other fields count as properties' })

/** A context in either form. */
export type SentContext = Readonly<Record<string, unknown>>

const FIELDS = ['userId', 'sessionId', 'remoteAddress', 'appName', 'environment', 'currentTime'] as const

/** A property in a URL, such as `properties[plan]`. */
const PROPERTY = /^properties\[(.+)\]$/

/** The context of a request. Unknown fields become properties. Objects and lists have no text form and are left out. */
export function contextOf(sent: SentContext, remoteAddress: string): EvaluationContext {
  const context: EvaluationContext = { remoteAddress }
  const properties: Record<string, string> = Object.create(null)
  for (const [name, value] of Object.entries(sent)) {
    const field = FIELDS.find((candidate) => candidate === name)
    if (name === 'properties' && typeof value === 'object') Object.assign(properties, value)
    if (value === '' || value === undefined || typeof value === 'object') continue
    if (field !== undefined) context[field] = String(value)
    else properties[PROPERTY.exec(name)?.[1] ?? name] = String(value)
  }
  return { ...context, properties }
}

/** Paths that a proxy offers to frontends, and that Unleash handles but doesn't offer. */
const notOffered = {
  access: 'frontend',
  success: { status: 200, description: 'Never' },
  errors: [405],
  run: () => reject({ kind: 'notImplemented', message: 'This path is not offered by the frontend API.' }),
} as const

const frontendFeatures = {
  access: 'frontend',
  leavesOut: 'the strategy applicationHostname, which is never satisfied',
  success: {
    status: 200,
    description: 'The features that are on, each with its variant',
    schema: frontendFeaturesSchema,
    headers: { 'Cache-Control': 'no-cache' },
  },
} as const

export const frontendOperations = operations('Frontend API', {
  getFrontendFeatures: get('/api/frontend', {
    ...frontendFeatures,
    summary: 'List the features that are on for the context in the query',
    query: contextQuerySchema,
    run: ({ query, headers, context }) => answer(context, query, headers),
  }),

  getFrontendApiFeaturesWithPost: post('/api/frontend', {
    ...frontendFeatures,
    summary: 'List the features that are on for the context in the body',
    body: z.looseObject({ context: contextSchema.optional() }).meta({ id: 'frontendApiFeaturesPostSchema' }),
    run: ({ body, headers, context }) => answer(context, body.context ?? {}, headers),
  }),

  getFrontendClientFeatures: get('/api/frontend/client/features', {
    ...notOffered,
    summary: 'List the features for SDKs that evaluate them; not offered',
  }),

  getFrontendHealth: get('/api/frontend/health', {
    ...notOffered,
    summary: 'Check the health of a proxy; not offered',
  }),

  getFrontendPrometheus: get('/api/frontend/internal-backstage/prometheus', {
    ...notOffered,
    summary: 'Report the metrics of a proxy; not offered',
  }),
})

/** The budget of a request, which is rejected if the budget is exceeded. */
export function createBudget(): EvaluationBudget {
  return new EvaluationBudget((message) => reject(badData(message, '/context')))
}

/** The features that are on in a context. Most have no variant, and the same text each time. */
function answer({ tables, caller, ids, now }: OperationContext, sent: SentContext, headers: Headers) {
  // As reported by a proxy; without a proxy, the local address.
  const remoteAddress = headers.get('x-forwarded-for')?.split(',')[0]?.trim() || '127.0.0.1'
  const context = contextOf({ ...sent, sessionId: sent.sessionId || ids.hex(18) }, remoteAddress)
  const query = clientQuery(sdkScope(caller), {}, null)
  const prepare = preparerOf(tables, query)
  const find = (name: string) => findClientFeature(tables, query, name)
  const evaluate = createEvaluator(find, () => ids.fraction(), now, createBudget())
  const withoutVariant = tables.features.cache.texts('on, for frontends', [], (feature: StoredFeature) =>
    JSON.stringify(presentOn(feature, { name: 'disabled', enabled: false })),
  )
  const on: JsonText[] = []
  for (const feature of matching(tables, query)) {
    const { enabled, variant } = evaluate(prepare(feature), context)
    if (!enabled) continue
    if (variant === undefined) on.push(withoutVariant(feature))
    else on.push(new JsonText(JSON.stringify(presentOn(feature, { ...variant, enabled: true }))))
  }
  return { headers: { 'cache-control': 'no-cache' }, body: objectText({ toggles: listText(on) }) }
}

function presentOn(
  { name, impressionData }: StoredFeature,
  found: Omit<FrontendFeature['variant'], 'feature_enabled' | 'featureEnabled'>,
): FrontendFeature {
  return { name, enabled: true, variant: { ...found, feature_enabled: true, featureEnabled: true }, impressionData }
}
