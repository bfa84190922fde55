import * as z from 'zod'
import { none } from '../../../support/freeze.js'
import { grouped } from '../../../support/lists.js'
import { badData, type Failure, reject } from '../../contract/errors.js'
import { logEvent } from '../instance/events.operations.js'
import { actorSchema } from '../people/users.js'
import { distinct, inOrder } from '../shared/checks.js'
import type { OperationContext } from '../shared/context.js'
import { strictObject } from '../shared/object.js'
import { named, namedStrict, sentInstantSchema } from '../shared/schema.js'
import { legalValueSchema } from '../targeting/context-fields.js'
import { dependencySchema } from './dependencies.js'
import { checkParent, completeParent } from './dependencies.operations.js'
import {
  checkSwitchable,
  findFeatureEnvironment,
  replaceEnvironment,
  strategiesIn,
  strategiesWhenOn,
  withStrategies,
} from './feature-environments.operations.js'
import { featureSchema, featureSettings, type StoredFeature } from './features.js'
import {
  type FeatureEvent,
  findActiveInProject,
  findFeature,
  findInProject,
  saveFeature,
  withCollaborator,
} from './features.model.js'
import { lifecycleSchema } from './lifecycle.js'
import { checkLinkCount, normalizedUrl } from './links.operations.js'
import { createFeatureStrategySchema, makeStrategy, nextSortOrder } from './strategies.js'
import { checkStrategy, checkStrategyCount } from './strategies.model.js'
import { colorSchema, distinctTags, sentTagOfFeatureSchema, type Tag, tagKey } from './tags.js'
import { checkTagTypes, hasTag } from './tags.operations.js'
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
    z.looseObject({
      environment,
      downloadFile,
      features: z.array(z.string().min(1, { error: 'must not be empty', abort: true })),
    }),
    z.looseObject({ environment, downloadFile, tag: z.string() }),
    z.looseObject({ environment, downloadFile, project: z.string() }),
  ])
  .meta({ id: 'exportQuerySchema' })

export type ExportQuery = z.infer<typeof exportQuerySchema>

const date = sentInstantSchema.nullable().optional()

const exportedStrategySchema = strictObject(() => ({
  ...createFeatureStrategySchema.shape,
  id: z.string().optional(),
  featureName: z.string().optional(),
  variants: z.array(sentStrategyVariantSchema.strict()).optional(),
}))

const exportedEnvironmentSchema = strictObject(() => ({
  name: z.string(),
  featureName: z.string().optional(),
  environment: z.string().optional(),
  type: z.string().optional(),
  enabled: z.boolean(),
  sortOrder: z.number().optional(),
  variantCount: z.number().optional(),
  strategies: z.array(exportedStrategySchema).optional(),
  variants: z.array(sentVariantSchema).optional(),
  lastSeenAt: date,
  hasStrategies: z.boolean().optional(),
  hasEnabledStrategies: z.boolean().optional(),
  yes: z.int().min(0).optional(),
  no: z.int().min(0).optional(),
}))

/** A feature of an import or an export. Imports ignore most of its properties, and accept no others. */
const exportedFeatureSchema = strictObject(() => ({
  name: z.string(),
  ...featureSchema.pick({ ...featureSettings, project: true, archived: true, enabled: true, favorite: true }).partial()
    .shape,
  createdAt: date,
  createdBy: actorSchema.strict().optional(),
  archivedAt: date,
  environments: z.array(exportedEnvironmentSchema).optional(),
  tags: z.array(sentTagOfFeatureSchema).nullable().optional(),
  children: z.array(z.string()).optional(),
  lifecycle: z
    .strictObject({
      stage: lifecycleSchema.shape.stage,
      status: z.string().nullable().optional(),
      enteredStageAt: sentInstantSchema,
    })
    .optional(),
  dependencies: z.array(strictObject(() => dependencySchema.shape)).optional(),
  collaborators: z.looseObject({ users: z.array(actorSchema.loose()) }).optional(),
  links: z
    .array(
      z.strictObject({
        id: z.string(),
        url: z.string(),
        title: z.string().nullable().optional(),
        feature: z.string().optional(),
      }),
    )
    .optional(),
}))

const linkSchema = z.looseObject({ url: z.string(), title: z.string().nullable().optional() })

/** Features in one environment, with everything that they reference. Segment IDs refer to the listed segments. */
export const exportResultSchema = namedStrict('exportResultSchema', () => ({
  features: z.array(exportedFeatureSchema),
  featureStrategies: z.array(exportedStrategySchema),
  featureEnvironments: z.array(exportedEnvironmentSchema).optional(),
  contextFields: z
    .array(
      z.strictObject({
        name: z.string(),
        description: z.string().nullable().optional(),
        stickiness: z.boolean().optional(),
        sortOrder: z.int().optional(),
        createdAt: date,
        usedInFeatures: z.int().min(0).nullable().optional(),
        usedInProjects: z.int().min(0).nullable().optional(),
        legalValues: z.array(legalValueSchema).optional(),
        project: z.string().nullable().optional(),
      }),
    )
    .optional(),
  featureTags: z
    .array(
      z.strictObject({
        featureName: z.string(),
        tagType: z.string().optional(),
        tagValue: z.string(),
        createdByUserId: z.number().nullable().optional(),
      }),
    )
    .optional(),
  segments: z.array(z.strictObject({ id: z.number(), name: z.string() })).optional(),
  tagTypes: z.array(
    z.strictObject({
      name: z.string(),
      description: z.string().nullable().optional(),
      icon: z.string().nullable().optional(),
      color: colorSchema.nullable().optional(),
    }),
  ),
  dependencies: z
    .array(z.strictObject({ feature: z.string(), dependencies: z.array(strictObject(() => dependencySchema.shape)) }))
    .optional(),
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

/** One import: its context, and the single group of all its events. */
export interface Work extends Import {
  context: OperationContext
  groupId: string
  /** The environments of the project, in order. */
  environments: readonly string[]
}

/** The tags of an import, each with its feature's name. Tags without a type are left out. */
function tagsIn({ featureTags = [] }: Import['data']) {
  return featureTags.flatMap(({ featureName, tagType: type, tagValue: value }) =>
    type ? [{ featureName, tag: { type, value } }] : [],
  )
}

/** A feature after a part of an import, and the events. */
interface Changed {
  feature: StoredFeature
  events: readonly FeatureEvent[]
}

/** Changes the features of some items, each once, and logs the events. */
function changeEach<Item>(
  { context, groupId, project }: Work,
  items: readonly Item[],
  nameOf: (item: Item) => string,
  change: (name: string, own: readonly Item[]) => Changed,
): void {
  for (const [name, own] of grouped(items, nameOf)) {
    const { feature, events } = change(name, own)
    context.tables.features.replace(feature)
    const ofProject = events.map((event) => ({ ...event, project }))
    saveFeature(context, feature, ofProject, { groupId })
  }
}

/**
 * The imported tags and strategies replace those of the listed features, and the imported links those of the features that
 * they name: first, the features lose their own.
 */
export function removeReplaced({ context: { tables }, data, environment }: Work): void {
  const change = (names: readonly string[], changed: (feature: StoredFeature) => StoredFeature) => {
    for (const feature of names.flatMap((name) => tables.features.get(name) ?? [])) {
      tables.features.replace(changed(feature))
    }
  }
  const listed = distinct(data.features.map(({ name }) => name))
  change(listed, (feature) => ({ ...withStrategies(feature, environment, none), tags: none }))
  const linked = (data.links ?? []).map(({ feature }) => feature)
  change(linked, (feature) => ({ ...feature, links: none }))
}

/** The variants of features in the environment. */
export function importVariants(work: Work): void {
  const { context, environment: name, data } = work
  const sent = (data.featureEnvironments ?? []).flatMap(({ featureName = '', variants = [] }) =>
    variants.length === 0 ? [] : { featureName, variants },
  )
  for (const { variants } of sent) reject(checkVariants(variants))
  changeEach(
    work,
    sent,
    ({ featureName }) => featureName,
    (featureName, own) => {
      const { project: projectId } = findFeature(context.tables, featureName)
      const { feature, environment } = findFeatureEnvironment(context.tables, {
        projectId,
        featureName,
        environment: name,
      })
      let variants = environment.variants
      const events = own.map((item) => {
        const preData = { variants }
        // Unleash keeps only variants with a type of weight.
        variants = balanceWeights(item.variants.filter(({ weightType }) => weightType).map(completeVariant))
        return { type: 'feature-environment-variants-updated', data: { variants }, preData, environment: name }
      })
      return { feature: replaceEnvironment(feature, { ...environment, variants }), events }
    },
  )
}

/** Tags, with a record for each new one. */
export function importTags(work: Work): void {
  const { tables } = work.context
  const sent = tagsIn(work.data)
  const missing = new Set(sent.filter(({ tag }) => !hasTag(tables, tag)).map(({ tag }) => tagKey(tag)))
  for (const { featureName, tag } of sent) {
    findFeature(tables, featureName)
    reject(checkTag(tag) ?? checkTagTypes(tables, [tag]))
  }
  // In Unleash, the event of each tag has the tags so far; here all have all tags, so that they can share them.
  for (const [name, own] of grouped(sent, ({ featureName }) => featureName)) {
    const feature = findFeature(tables, name)
    const tags = distinctTags([...feature.tags, ...own.map(({ tag }) => tag)])
    tables.features.replace(withCollaborator({ ...feature, tags }, work.context.caller.actor))
  }
  for (const { featureName, tag } of sent) {
    if (missing.delete(tagKey(tag))) {
      tables.tags.insert(tag)
      logEvent(work.context, { type: 'tag-created', data: tag, groupId: work.groupId })
    }
    const event = { type: 'feature-tagged', data: tag, groupId: work.groupId }
    logEvent(work.context, event, tables.features.get(featureName))
  }
}

function checkTag(tag: Tag): Failure | undefined {
  const [issue] = sentTagOfFeatureSchema.safeParse(tag).error?.issues ?? []
  return (
    issue &&
    badData(`The ${issue.path.join()} of the tag ${JSON.stringify(tag)} ${issue.message}.`, '/body/data/featureTags')
  )
}

export function importLinks(work: Work): void {
  const { context, data } = work
  const sent = (data.links ?? []).flatMap(({ feature, links }) =>
    links.map(({ url, title }) => ({ name: feature, url, title })),
  )
  changeEach(
    work,
    sent,
    ({ name }) => name,
    (name, own) => {
      const { project: projectId } = findFeature(context.tables, name)
      const feature = findActiveInProject(context.tables, { featureName: name, projectId })
      reject(checkLinkCount(own.length))
      const links = own.map((item) => ({
        id: context.ids.ulid(context.now.getTime()),
        url: urlOf(item),
        title: item.title || null,
      }))
      const events = links.map(({ url, title }) => ({
        type: 'feature-link-added',
        data: title === null ? { url } : { url, title },
      }))
      return { feature: { ...feature, links }, events }
    },
  )
}

function urlOf({ name, url }: { name: string; url: string }): string {
  return (
    normalizedUrl(url) ??
    reject(badData(`The link "${url}" of the feature "${name}" is not a URL.`, '/body/data/links'))
  )
}

type SentStrategy = Import['data']['featureStrategies'][number]

/** Strategies in the environment. Segments are matched by name. */
export function importStrategies(work: Work): void {
  const { context, data, environment, project } = work
  const { tables, ids, now } = context
  const segments = new Map((data.segments ?? []).toReversed().map(({ id, name }) => [id, name]))
  const segmentOf = (id: number) => {
    const name = segments.get(id)
    if (name === undefined) reject(badData(`The import has no segment with the id "${id}".`, '/body/data/segments'))
    return tables.segments.by('name', name).map((known) => known.id)
  }
  const make = (sent: SentStrategy, featureName: string, sortOrder: number) => {
    const own = { ...sent, segments: (sent.segments ?? []).flatMap(segmentOf) }
    return makeStrategy(own, { id: ids.ulid(now.getTime()), name: sent.name, sortOrder }, featureName)
  }
  const named = data.featureStrategies.filter(({ featureName }) => featureName)
  // Each of these is sought before any strategy is checked.
  for (const { featureName = '' } of named) findInProject(tables, { featureName, projectId: project })
  changeEach(
    work,
    named,
    ({ featureName = '' }) => featureName,
    (featureName, own) => {
      const feature = findInProject(tables, { featureName, projectId: project })
      const before = strategiesIn(feature, environment)
      reject(checkStrategyCount(before.length + own.length))
      const sortOrders = sortOrdersOf(own, nextSortOrder(before))
      const added = own.map((sent, index) => {
        const sortOrder = sortOrders[index] ?? 0
        const strategy = make(sent, featureName, sortOrder)
        reject(checkStrategy(tables, strategy, project))
        return strategy
      })
      // The project can have lost it.
      if (!tables.environments.has(environment)) {
        reject(badData(`The project "${project}" is not in the environment "${environment}".`, '/body/environment'))
      }
      const events = added.map((data) => ({ type: 'feature-strategy-add', data, environment }))
      return { feature: withStrategies(feature, environment, inOrder([...before, ...added])), events }
    },
  )
}

/**
 * The sort order of each strategy. A strategy without one comes behind those before it that have one and, if it has
 * constraints, behind all others: else a test of an export of Unleash could see another variant than users do.
 */
function sortOrdersOf(sent: readonly SentStrategy[], first: number): number[] {
  const isLast = ({ sortOrder, constraints }: SentStrategy) => sortOrder === undefined && constraints?.length
  const others = sent.filter((strategy) => !isLast(strategy))
  const last = Math.max(first, ...others.map(({ sortOrder = first }) => sortOrder + 1))
  let next = first
  return sent.map((strategy) => {
    const { sortOrder = isLast(strategy) ? last : next } = strategy
    if (strategy.sortOrder !== undefined) next = Math.max(next, sortOrder + 1)
    return sortOrder
  })
}

/** The states of features in the environment. An enabled feature without strategies gets one. */
export function importStates(work: Work): void {
  const { context, environment, data, project } = work
  const { featureEnvironments = [] } = data
  for (const { name } of featureEnvironments) findInProject(context.tables, { featureName: name, projectId: project })
  changeEach(
    work,
    featureEnvironments,
    ({ name }) => name,
    (featureName, own) => {
      const place = { projectId: project, featureName, environment }
      const { feature, environment: before } = findFeatureEnvironment(context.tables, place)
      const fault = checkSwitchable(feature)
      reject(fault && { ...badData(fault.message, '/body/data/featureEnvironments'), kind: fault.kind })
      let after = before
      const events = own.flatMap(({ enabled }) => {
        const whenOn = enabled ? strategiesWhenOn(context, after, { feature, enableStrategies: false }) : undefined
        const switched = { type: `feature-environment-${enabled ? 'enabled' : 'disabled'}`, data: null, environment }
        const logged = [...(whenOn?.events ?? []), ...(enabled === after.enabled ? [] : [switched])]
        after = { ...after, enabled, strategies: whenOn?.strategies ?? after.strategies }
        return logged
      })
      return { feature: replaceEnvironment(feature, after), events }
    },
  )
}

/** The imported parents replace a feature's own, unless the import has the feature without a project. */
export function importParents(work: Work): void {
  const { context, data } = work
  const projects = new Map(data.features.toReversed().map(({ name, project }) => [name, project]))
  const sent = (data.dependencies ?? []).flatMap(({ feature: child, dependencies }) =>
    projects.get(child) ? dependencies.map((parent) => ({ child, parent })) : [],
  )
  changeEach(
    work,
    sent,
    ({ child }) => child,
    (featureName, own) => {
      const child = findInProject(context.tables, { featureName, projectId: work.project })
      for (const { parent } of own) reject(checkParent(context.tables, child, parent.feature))
      const added = own.map((item) => completeParent(item.parent))
      const byName = new Map(added.map(({ stored }) => [stored.feature, stored]))
      const events = added.map(({ logged: data }) => ({ type: 'feature-dependency-added', data }))
      return { feature: { ...child, dependencies: [...byName.values()] }, events }
    },
  )
}
