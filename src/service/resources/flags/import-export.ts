import * as z from 'zod'
import { none } from '../../../support/freeze.js'
import { grouped } from '../../../support/lists.js'
import { badData, reject } from '../../contract/errors.js'
import { logEvent } from '../instance/events.operations.js'
import { inOrder } from '../shared/checks.js'
import type { NewEvent, OperationContext } from '../shared/context.js'
import { strictObject } from '../shared/object.js'
import { named, namedStrict } from '../shared/schema.js'
import { legalValueSchema } from '../targeting/context-fields.js'
import { dependencySchema } from './dependencies.js'
import { checkParent } from './dependencies.operations.js'
import {
  checkSwitchable,
  findFeatureEnvironment,
  replaceEnvironment,
  strategiesWhenOn,
  withStrategies,
} from './feature-environments.operations.js'
import { featureSchema, featureSettings, type StoredFeature } from './features.js'
import { presentLink } from './links.js'
import { checkLinkCount, normalizedUrl } from './links.operations.js'
import { createFeatureStrategySchema, makeStrategy } from './strategies.js'
import { checkStrategy, checkStrategyCount } from './strategies.model.js'
import { distinctTags, tagKey } from './tags.js'
import { hasTag } from './tags.operations.js'
import {
  balanceWeights,
  checkVariants,
  completeVariant,
  sentStrategyVariantSchema,
  sentVariantSchema,
} from './variants.js'

const environment = z.string()
const downloadFile = z.boolean().optional()

export const exportQuerySchema = z
  .union([
    z.looseObject({ environment, downloadFile, features: z.array(z.string().min(1, 'must not be empty')) }),
    z.looseObject({ environment, downloadFile, tag: z.string() }),
    z.looseObject({ environment, downloadFile, project: z.string() }),
  ])
  .meta({ id: 'exportQuerySchema' })

export type ExportQuery = z.infer<typeof exportQuerySchema>

const ignored = z.unknown().optional()

/** A feature of an import or an export. Imports ignore most of its properties, and accept no others. */
const exportedFeatureSchema = strictObject(() => ({
  name: z.string(),
  ...featureSchema.pick({ ...featureSettings, project: true }).partial().shape,
  archived: ignored,
  enabled: ignored,
  favorite: ignored,
  createdAt: ignored,
  createdBy: ignored,
  archivedAt: ignored,
  environments: ignored,
  tags: ignored,
  children: ignored,
  lifecycle: ignored,
  dependencies: ignored,
  collaborators: ignored,
}))

const linkSchema = z.looseObject({ url: z.string(), title: z.string().nullable().optional() })

/** Features in one environment, with everything that they reference. Segment IDs refer to the listed segments. */
export const exportResultSchema = namedStrict('exportResultSchema', () => ({
  features: z.array(exportedFeatureSchema),
  featureStrategies: z.array(
    createFeatureStrategySchema.extend({
      id: z.string().optional(),
      featureName: z.string().optional(),
      variants: z.array(sentStrategyVariantSchema.strict()).optional(),
    }),
  ),
  featureEnvironments: z
    .array(
      z.looseObject({
        name: z.string(),
        featureName: z.string().optional(),
        environment: z.string().optional(),
        enabled: z.boolean(),
        variants: z.array(sentVariantSchema).optional(),
      }),
    )
    .optional(),
  contextFields: z
    .array(
      z.strictObject({
        name: z.string(),
        description: z.string().nullable().optional(),
        stickiness: z.boolean().optional(),
        sortOrder: z.int().optional(),
        legalValues: z.array(legalValueSchema).optional(),
        project: z.string().nullable().optional(),
      }),
    )
    .optional(),
  featureTags: z
    .array(z.looseObject({ featureName: z.string(), tagType: z.string().optional(), tagValue: z.string() }))
    .optional(),
  segments: z.array(z.strictObject({ id: z.number(), name: z.string() })).optional(),
  tagTypes: z.array(
    z.looseObject({
      name: z.string(),
      description: z.string().nullable().optional(),
      icon: z.string().nullable().optional(),
      color: z.string().nullable().optional(),
    }),
  ),
  dependencies: z.array(z.strictObject({ feature: z.string(), dependencies: z.array(dependencySchema) })).optional(),
  links: z.array(z.strictObject({ feature: z.string(), links: z.array(linkSchema) })).optional(),
}))

export type ExportResult = z.infer<typeof exportResultSchema>

export const importTogglesSchema = namedStrict('importTogglesSchema', () => ({
  project: z.string(),
  environment: z.string(),
  data: exportResultSchema,
}))

export type Import = z.infer<typeof importTogglesSchema>

const itemSchema = named('importTogglesValidateItemSchema', () => ({
  message: z.string(),
  affectedItems: z.array(z.string()),
}))

export type ImportFault = z.infer<typeof itemSchema>

export const importTogglesValidateSchema = named('importTogglesValidateSchema', () => ({
  errors: z.array(itemSchema),
  warnings: z.array(itemSchema),
  permissions: z.array(itemSchema),
}))

/** One import: its context, its parts by feature name, and the single group of all its events. */
export interface Work extends Import {
  context: OperationContext
  parts: ReturnType<typeof partsOf>
  groupId: string
  /** The environments of the project, in order. */
  environments: readonly string[]
}

/** The parts of an import for each feature. Segment IDs refer to the import's own segments. */
export function partsOf(data: Import['data']) {
  const { features, featureStrategies, featureEnvironments = [], segments = [], dependencies = [], links = [] } = data
  const firstOf = <Item>(items: readonly Item[], keyOf: (item: Item) => string) =>
    new Map(items.toReversed().map((item) => [keyOf(item), item]))
  return {
    features: firstOf(features, ({ name }) => name),
    tags: grouped(tagsIn(data), ({ featureName }) => featureName),
    strategies: grouped(featureStrategies, ({ featureName = '' }) => featureName),
    environments: firstOf(featureEnvironments, ({ featureName, name }) => featureName ?? name),
    dependencies: grouped(dependencies, ({ feature }) => feature),
    links: grouped(links, ({ feature }) => feature),
    segments: firstOf(segments, ({ id }) => String(id)),
  }
}

/** A feature after a part of an import, and the events of the change. */
interface Changed {
  feature: StoredFeature
  events: readonly NewEvent[]
}

/** One step of an import for a feature. */
export type Part = (work: Work, feature: StoredFeature) => Changed

/** The tags of an import, each with its feature's name. Tags without a type are left out. */
export function tagsIn({ featureTags = [] }: Import['data']) {
  return featureTags.flatMap(({ featureName, tagType: type, tagValue: value }) =>
    type ? [{ featureName, tag: { type, value } }] : [],
  )
}

/** The imported tags replace the tags of a feature in the import, and otherwise come in addition. */
export const withTags: Part = ({ context, groupId, parts }, feature) => {
  const sent = distinctTags((parts.tags.get(feature.name) ?? []).map(({ tag }) => tag))
  const tags = parts.features.has(feature.name) ? sent : distinctTags([...feature.tags, ...sent])
  const before = new Set(feature.tags.map(tagKey))
  for (const tag of tags) {
    if (hasTag(context.tables, tag)) continue
    context.tables.tags.insert(tag)
    logEvent(context, { type: 'tag-created', data: tag, groupId })
  }
  const added = tags.filter((tag) => !before.has(tagKey(tag)))
  const events = added.map((tag) => ({ type: 'feature-tagged', data: tag }))
  return { feature: { ...feature, tags }, events }
}

/** The imported links replace the feature's links, which stay without imported ones. */
export const withLinks: Part = ({ context, parts }, feature) => {
  const given = parts.links.get(feature.name) ?? []
  if (given.length === 0) return { feature, events: none }
  const sent = given.flatMap((one) => one.links)
  reject(checkLinkCount(sent.length))
  const links = sent.map(({ url, title = null }) => ({
    id: context.ids.ulid(context.now.getTime()),
    url: normalizedUrl(url),
    title,
  }))
  if (!links.every(hasUrl)) reject(badData(`A link of the feature "${feature.name}" is not a URL.`, '/body/data/links'))
  return {
    feature: { ...feature, links },
    events: links.map((link) => ({ type: 'feature-link-added', data: presentLink(link) })),
  }
}

function hasUrl<Link extends { url: string | undefined }>(link: Link): link is Link & { url: string } {
  return link.url !== undefined
}

/** The imported strategies replace the environment's. Segments are matched by name. */
export const withImportedStrategies: Part = ({ context, parts, environment, project }, feature) => {
  const { name, environments } = feature
  const { tables, ids, now } = context
  const segmentOf = (id: number) => {
    const segment = parts.segments.get(String(id))
    if (segment === undefined) reject(badData(`The import has no segment with the id "${id}".`, '/body/data/segments'))
    return tables.segments.by('name', segment.name).map((known) => known.id)
  }
  let last = 0
  const strategies = (parts.strategies.get(name) ?? []).map(({ segments = [], ...sent }) => {
    const id = ids.ulid(now.getTime())
    // Unleash puts a strategy without a sort order behind the others, unless all are at 0.
    const { sortOrder = last && last + 1 } = sent
    last = Math.max(last, sortOrder)
    return makeStrategy({ ...sent, segments: segments.flatMap(segmentOf) }, { id, name: sent.name, sortOrder }, name)
  })
  const isThere = environments.some((one) => one.name === environment)
  if (!isThere && strategies.length === 0) return { feature, events: none }
  if (!isThere) {
    reject(badData(`The project "${project}" is not in the environment "${environment}".`, '/body/environment'))
  }
  reject(checkStrategyCount(strategies.length))
  for (const strategy of strategies) reject(checkStrategy(tables, strategy, project))
  return {
    feature: withStrategies(feature, environment, inOrder(strategies)),
    events: strategies.map((data) => ({ type: 'feature-strategy-add', data, environment })),
  }
}

/** The state of a feature in the environment, and its variants there. An enabled feature without strategies gets one. */
export const withState: Part = ({ context, parts, environment, project }, feature) => {
  const { name: featureName } = feature
  const sent = parts.environments.get(featureName)
  if (sent === undefined) return { feature, events: none }
  const fault = checkSwitchable(feature)
  reject(fault && { ...badData(fault.message, '/body/data/featureEnvironments'), kind: fault.kind })
  const place = { projectId: project, featureName, environment }
  const { environment: before } = findFeatureEnvironment(context.tables, place)
  const { enabled } = sent
  const whenOn = enabled ? strategiesWhenOn(context, before, { feature, enableStrategies: false }) : undefined
  const given = sent.variants?.length ? sent.variants.map(completeVariant) : undefined
  reject(checkVariants(given ?? []))
  const variants = given === undefined ? before.variants : balanceWeights(given)
  const strategies = whenOn?.strategies ?? before.strategies
  const switched = { type: `feature-environment-${enabled ? 'enabled' : 'disabled'}`, data: null, environment }
  const changed = {
    type: 'feature-environment-variants-updated',
    data: { variants },
    preData: { variants: before.variants },
    environment,
  }
  return {
    feature: replaceEnvironment(feature, { ...before, enabled, variants, strategies }),
    events: [
      ...(variants === before.variants ? [] : [changed]),
      ...(whenOn?.events ?? []),
      ...(enabled === before.enabled ? [] : [switched]),
    ],
  }
}

/**
 * Adds the imported parents to a feature's own. The last occurrence of a repeated parent counts. Leaves out archived
 * parents, and all parents if the feature has no project in the import.
 */
export const withParents: Part = ({ context: { tables }, parts }, child) => {
  const isInProject = parts.features.get(child.name)?.project
  const given = (isInProject ? (parts.dependencies.get(child.name) ?? []) : [])
    .flatMap((one) => one.dependencies)
    .filter(({ feature }) => tables.features.get(feature)?.archived !== true)
  const byName = new Map(given.map((parent) => [parent.feature, parent]))
  const dependencies = [...byName.values()]
  for (const { feature } of dependencies) reject(checkParent(tables, child, feature))
  const kept = ({ feature }: StoredFeature['dependencies'][number]) => !byName.has(feature)
  return {
    feature: { ...child, dependencies: [...child.dependencies.filter(kept), ...dependencies] },
    events: dependencies.map((parent) => ({ type: 'feature-dependency-added', data: parent })),
  }
}
