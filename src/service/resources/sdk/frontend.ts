import * as z from 'zod'
import { isObject, JsonText, listText, objectText } from '../../../support/json.js'
import { badData, reject } from '../../contract/errors.js'
import { EvaluationBudget } from '../../evaluation/budget.js'
import type { Chance, EvaluationContext } from '../../evaluation/context.js'
import { createEvaluator, type Evaluation } from '../../evaluation/evaluate.js'
import type { StoredFeature } from '../flags/features.js'
import { payloadSchema } from '../flags/variants.js'
import type { OperationContext } from '../shared/context.js'
import { get, operations, post } from '../shared/rows.js'
import { named } from '../shared/schema.js'
import { clientQuery } from './client-features.js'
import { findClientFeature, matching, preparerOf, sdkScope } from './client-features.operations.js'

const frontendFeatureSchema = named('frontendApiFeatureSchema', () => ({
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
}))

const frontendFeaturesSchema = z
  .object({ toggles: z.array(frontendFeatureSchema) })
  .meta({ id: 'frontendApiFeaturesSchema', description: 'The features that are on in a context' })

/** A context in a URL: `userId=7&properties[plan]=gold`. */
const contextQuerySchema = z.record(z.string(), z.union([z.string(), z.array(z.string())]))

export const contextSchema = z
  .looseObject({
    appName: z.string().min(1).optional(),
    currentTime: z.iso.datetime({ offset: true, error: 'must be an ISO 8601 date-time with an offset' }).optional(),
    environment: z.string().optional(),
    properties: z.record(z.string(), z.string()).optional(),
    remoteAddress: z.string().optional(),
    sessionId: z.string().optional(),
    userId: z.string().optional(),
  })
  .meta({ id: 'contextSchema', description: 'Other fields count as properties' })

/** A context in either form. */
export type SentContext = Readonly<Record<string, unknown>>

const FIELDS = ['userId', 'sessionId', 'remoteAddress', 'appName', 'environment'] as const

/** The fields of a context that Unleash knows without a record. */
export const CONTEXT_FIELDS: readonly string[] = [...FIELDS, 'currentTime', 'properties']

/** The values of fields that a frontend leaves out or empty. */
const DEFAULTS = { appName: 'frontend-api', environment: 'default' } as const

/** A property in a URL, such as `properties[plan]`. */
const PROPERTY = /^properties\[(.+)\]$/

/** The name of a field or a property in a URL. */
export function contextFieldIn(parameter: string): string {
  return PROPERTY.exec(parameter)?.[1] ?? parameter
}

/**
 * The context of a frontend: any other field is a property, even `currentTime`, and `properties` takes precedence. An
 * empty property is a value. Browser SDKs are told their flags by this reading.
 */
export function contextOf(sent: SentContext, remoteAddress = ''): EvaluationContext {
  const lists = FIELDS.filter((field) => Array.isArray(sent[field]))
  const context: EvaluationContext = { ...DEFAULTS, remoteAddress, lists }
  const others: Record<string, string> = Object.create(null)
  const properties: Record<string, string> = Object.create(null)
  for (const [name, value] of Object.entries(sent)) {
    const field = FIELDS.find((candidate) => candidate === name)
    const property = PROPERTY.exec(name)?.[1]
    if (value === undefined || value === null || (field !== undefined && value === '')) continue
    if (field !== undefined) context[field] = textOf(value)
    else if (property !== undefined) properties[property] = textOf(value)
    else if (name === 'properties') Object.assign(properties, value)
    else others[name] = textOf(value)
  }
  return { ...context, properties: Object.assign(others, properties) }
}

/** The names of the fields with values. */
function fieldsIn({ properties, lists: _, ...context }: EvaluationContext): string[] {
  return Object.entries({ ...context, ...properties }).flatMap(([name, value]) => (value ? [name] : []))
}

/** The text of a value in JavaScript. An object can have a field `toString`, and a list can be nested deeply. */
function textOf(value: unknown): string {
  if (Array.isArray(value))
    return value.map((item) => (item !== null && typeof item === 'object' ? OBJECT : item)).join()
  return isObject(value) ? OBJECT : String(value)
}

const OBJECT = String({})

/** Paths that a proxy offers to frontends, and that Unleash handles but doesn't offer. */
const notOffered = {
  access: 'frontend',
  ignoresBody: true,
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

/** The address of a frontend without a proxy, which would report another. */
export const LOCAL_ADDRESS = '127.0.0.1'

/** The features that a frontend can get, and a function that evaluates them in its context. */
export function frontendEvaluation(
  { told, caller, now }: Pick<OperationContext, 'told' | 'caller' | 'now'>,
  sent: SentContext,
  chance: Chance,
  remoteAddress = LOCAL_ADDRESS,
) {
  const context = contextOf(sent, remoteAddress)
  const query = clientQuery(sdkScope(caller), {}, null)
  const prepare = preparerOf(told, query)
  // Unleash evaluates only the features that are on in the environment: any other parent is unknown, even if it must be off.
  const find = (name: string) => {
    const feature = findClientFeature(told, query, name)
    return feature?.enabled === true ? feature : undefined
  }
  const evaluate = createEvaluator(find, chance, now, createBudget())
  return {
    context,
    features: matching(told, query),
    evaluate: (feature: StoredFeature) => evaluate(prepare(feature), context),
  }
}

/** The features that are on in a context. Most have no variant, and the same text each time. */
function answer(operation: OperationContext, sent: SentContext, headers: Headers) {
  const { tables, told, ids, seen } = operation
  const remoteAddress = headers.get('x-forwarded-for')?.split(',')[0]?.trim() || LOCAL_ADDRESS
  const given = { ...sent, sessionId: sent.sessionId || ids.hex(18) }
  const { context, features, evaluate } = frontendEvaluation(operation, given, () => ids.fraction(), remoteAddress)
  const withoutVariant = told.features.cache.texts('on, for frontends', [], (feature: StoredFeature) =>
    JSON.stringify(presentOn(feature, undefined)),
  )
  seen?.fetched('frontend', headers, fieldsIn(context))
  const on: JsonText[] = []
  for (const feature of features) {
    const { enabled, variant } = evaluate(feature)
    if (tables === told || tables.features.has(feature.name))
      seen?.served('frontend', feature.name, enabled, variant?.name)
    if (!enabled) continue
    if (variant === undefined) on.push(withoutVariant(feature))
    else on.push(new JsonText(JSON.stringify(presentOn(feature, variant))))
  }
  return { headers: { 'cache-control': 'no-cache' }, body: objectText({ toggles: listText(on) }) }
}

/** A feature that is on, with its variant if it has one. */
export function presentOn({ name, impressionData }: StoredFeature, found: Evaluation['variant']) {
  const variant = { ...(found ?? { name: 'disabled' }), enabled: found !== undefined }
  return {
    name,
    enabled: true,
    variant: { ...variant, feature_enabled: true, featureEnabled: true },
    impressionData,
  } satisfies z.infer<typeof frontendFeatureSchema>
}
