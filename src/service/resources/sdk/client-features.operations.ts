import type * as z from 'zod'
import type { Frozen } from '../../../support/freeze.js'
import { JsonText, listText, objectText, printOf } from '../../../support/json.js'
import { beginsLike } from '../../../support/text.js'
import { found, reject } from '../../contract/errors.js'
import type { EvaluatedFeature } from '../../evaluation/evaluate.js'
import { strategiesIn } from '../flags/feature-environments.operations.js'
import { emptyEnvironment, type StoredFeature } from '../flags/features.js'
import type { Strategy } from '../flags/strategies.js'
import { tagKey } from '../flags/tags.js'
import type { StoredEvent } from '../instance/events.js'
import { byName, inOrder } from '../shared/checks.js'
import type { Caller, SdkScope, SdkTables, Tables } from '../shared/context.js'
import { pick } from '../shared/pick.js'
import { get, ok, operations } from '../shared/rows.js'
import {
  type ClientQuery,
  checkSentQuery,
  checkSpecification,
  clientFeatureSchema,
  clientFeaturesSchema,
  clientQuery,
  environmentOf,
  SPECIFICATION_HEADER,
  sentClientQuerySchema,
} from './client-features.js'

/** The environment and the projects of the calling SDK, set by the authentication check. */
export function sdkScope({ sdk }: Caller): SdkScope {
  if (sdk === undefined) throw new Error('An operation for SDKs was called without an SDK token.')
  return sdk
}

/** The revision of an environment's features: the ID of the newest event that can change an SDK's data. */
function revisionOf({ events }: Pick<Tables, 'events'>, environment: string): number {
  for (const event of events.newestFirst()) if (concernsSdks(event, environment)) return event.id
  return 0
}

/** Events about a feature that don't concern SDKs. */
const ASIDE = [
  'feature-favorited',
  'feature-unfavorited',
  'feature-link-added',
  'feature-link-updated',
  'feature-link-removed',
]

/** Events that concern SDKs, but aren't about a feature. */
const OF_MANY = ['segment-updated', 'feature-import', 'features-imported']

function concernsSdks({ type, featureName, environment: where }: StoredEvent, environment: string): boolean {
  if (OF_MANY.includes(type)) return true
  const isAside = ASIDE.includes(type) || type.startsWith('change-')
  return featureName !== null && !isAside && (where === null || where === environment)
}

export type ClientFeature = Frozen<z.infer<typeof clientFeatureSchema>>

/** The features that match a query, as SDKs receive them. */
export function listClientFeatures(tables: SdkTables, query: ClientQuery): ClientFeature[] {
  return matching(tables, query).map(presenterOf(tables, query))
}

/** The feature with this name, as SDKs receive it, if it matches the query. */
export function findClientFeature(tables: SdkTables, query: ClientQuery, name: string): ClientFeature | undefined {
  const feature = tables.features.get(name)
  return feature !== undefined && matcherOf(query)(feature) ? presenterOf(tables, query)(feature) : undefined
}

/**
 * Returns a function that prepares a stored feature for an evaluation. Most strategies are used as stored: presenting
 * them as SDKs receive them would take as long as evaluating them.
 */
export function preparerOf(tables: SdkTables, query: ClientQuery): (feature: StoredFeature) => EvaluatedFeature {
  const present = presenterOf(tables, query)
  return (feature) => {
    const { name, environments, dependencies } = feature
    const environment = environments.find((candidate) => candidate.name === query.environment)
    if (environment?.enabled !== true) return { name, enabled: false }
    const { enabled, strategies, variants } = environment
    const isPlain = strategies.every(
      ({ disabled, segments, sortOrder }, i) =>
        !disabled && segments.length === 0 && sortOrder >= (strategies[i - 1] ?? { sortOrder }).sortOrder,
    )
    return isPlain ? { name, enabled, strategies, variants, dependencies } : present(feature)
  }
}

/** The features that match a query, as stored. */
export function matching({ features }: SdkTables, query: ClientQuery): StoredFeature[] {
  return features.list().filter(matcherOf(query))
}

function presenterOf({ segments }: SdkTables, { environment, inlineSegmentConstraints }: ClientQuery) {
  const constraintsOf = (id: number) => segments.get(id)?.constraints ?? []
  const present = inlineSegmentConstraints
    ? (strategy: Frozen<Strategy>) => presentInlined(strategy, strategy.segments.flatMap(constraintsOf))
    : presentStrategy
  return (feature: StoredFeature) => presentClientFeature(feature, environment, present)
}

/** The full response to an SDK for a query. */
function clientFeaturesText(tables: SdkTables, query: ClientQuery, revisionId: number): JsonText {
  const { environment, inlineSegmentConstraints: isInlined } = query
  const present = presenterOf(tables, query)
  const textOf = tables.features.cache.texts(
    `for SDKs in ${environment}, ${isInlined ? 'segments inlined' : 'with segments'}`,
    [isInlined ? tables.segments.version : 0],
    (feature: StoredFeature) => JSON.stringify(present(feature)),
  )
  const features = matching(tables, query).map(textOf)
  const segments = isInlined ? {} : { segments: listClientSegments(tables) }
  // Seed data and another scenario leave no events, so the features count besides the revision.
  const { print } = new JsonText(JSON.stringify([query, printOf(features), segments]))
  const meta = { revisionId, etag: etagOf(print, revisionId), queryHash: hexOf(print) }
  return objectText({ version: 2, features: listText(features), query, ...segments, meta }, print)
}

function etagOf(print: number, revisionId: number): string {
  return `"${hexOf(print)}:${revisionId}:v1"`
}

function hexOf(print: number): string {
  return print.toString(16).padStart(8, '0')
}

/** The segments in use, for SDKs that resolve segments themselves. */
function listClientSegments(tables: SdkTables) {
  return tables.segments
    .list()
    .filter(({ id }) => tables.features.count('segment', id) > 0)
    .toSorted(byName)
    .map(({ id, name, constraints }) => ({ id, name, constraints }))
}

function matcherOf({ project, namePrefix = '', tag }: ClientQuery): (feature: StoredFeature) => boolean {
  const projects = project === undefined || project.includes('*') ? undefined : new Set(project)
  const wanted = tag && new Set(tag.map(([type = '', value = '']) => tagKey({ type, value })))
  return (feature) =>
    !feature.archived &&
    (projects === undefined || projects.has(feature.project)) &&
    (namePrefix === '' || beginsLike(feature.name, namePrefix)) &&
    (wanted === undefined || feature.tags.some((one) => wanted.has(tagKey(one))))
}

/** In an environment that its project has left, a feature is off, but SDKs still get its strategies. */
const presentClientFeature = pick(
  clientFeatureSchema,
  (
    feature: StoredFeature,
    environmentName: ClientQuery['environment'],
    present: (strategy: Frozen<Strategy>) => ClientFeature['strategies'][number],
  ) => {
    const { enabled, variants } =
      feature.environments.find((candidate) => candidate.name === environmentName) ?? emptyEnvironment('')
    const strategies = strategiesIn(feature, environmentName).filter(({ disabled }) => !disabled)
    const dependencies = feature.dependencies.map(presentDependency)
    return {
      enabled,
      strategies: inOrder(strategies).map(present),
      variants,
      dependencies: dependencies.length === 0 ? null : dependencies,
    }
  },
)

function presentStrategy({ name, constraints, parameters, variants, segments }: Frozen<Strategy>) {
  return {
    name,
    constraints,
    parameters,
    variants,
    ...(segments.length === 0 ? {} : { segments: segments.toSorted((one, other) => one - other) }),
  }
}

/** For SDKs that don't resolve segments, strategies contain the constraints of their segments. */
function presentInlined(
  { name, constraints, parameters, variants }: Frozen<Strategy>,
  ofSegments: Frozen<Strategy>['constraints'],
) {
  return { name, constraints: [...constraints, ...ofSegments], parameters, variants }
}

/** The required variants of a parent matter only if the parent must be on. */
function presentDependency({ feature, enabled = true, variants = [] }: StoredFeature['dependencies'][number]) {
  return { feature, enabled, ...(enabled ? { variants } : {}) }
}

function sdkQuery(caller: Caller, sent: Parameters<typeof clientQuery>[1], headers: Headers): ClientQuery {
  const specification = headers.get(SPECIFICATION_HEADER)
  const scope = sdkScope(caller)
  // The projects of a token replace those in the URL.
  const project = scope.projects.includes('*') ? sent.project : undefined
  reject(checkSpecification(specification) ?? checkSentQuery({ ...sent, project }))
  return clientQuery(scope, sent, specification)
}

function isOnIn({ environments }: StoredFeature, { environment }: ClientQuery): boolean {
  return environments.some(({ name, enabled }) => name === environment && enabled)
}

export const clientFeatureOperations = operations('Client', {
  getAllClientFeatures: get('/api/client/features', {
    summary: "List the features in a token's environment and projects, for SDKs that evaluate them locally",
    access: 'client',
    query: sentClientQuerySchema,
    success: {
      status: 200,
      description: 'The features',
      schema: clientFeaturesSchema,
      headers: { ETag: 'Changes with the body; a request with it in If-None-Match gets a 304' },
    },
    run: ({ query: sent, headers, context: { tables, told, caller, seen } }) => {
      const query = sdkQuery(caller, sent, headers)
      const revisionId = revisionOf(tables, environmentOf(sdkScope(caller)))
      const basis = [revisionId, tables.segments.version]
      const body = told.features.cache.answer(`for SDKs: ${JSON.stringify(query)}`, basis, () =>
        clientFeaturesText(told, query, revisionId),
      )
      // A flag that only a state makes would count as an existing one.
      const served = () => matching(told, query).filter(({ name }) => tables.features.has(name))
      seen?.fetched('server', headers)
      seen?.servedList(body, () => served().map((feature) => [feature.name, isOnIn(feature, query)]))
      return { headers: { etag: etagOf(body.print, revisionId) }, body }
    },
  }),

  getClientFeature: get('/api/client/features/:featureName', {
    summary: "Get a feature of a token's environment and projects",
    access: 'client',
    query: sentClientQuerySchema,
    success: ok('The feature', clientFeatureSchema),
    run: ({ params: { featureName }, query: sent, headers, context: { tables, told, caller, seen } }) => {
      const query = { ...sdkQuery(caller, sent, headers), namePrefix: featureName }
      const feature = findClientFeature(told, query, featureName)
      seen?.fetched('server', headers)
      if (feature !== undefined && tables.features.has(featureName))
        seen?.served('server', featureName, feature.enabled)
      return { body: found(feature, () => `There is no feature named "${featureName}" for this token.`) }
    },
  }),
})
