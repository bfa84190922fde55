import type { Failure } from '../../../contract/errors.js'
import type { Frozen } from '../../../support/freeze.js'
import { logEvent } from '../../instance/events/actions.js'
import type { NewEvent, OperationContext } from '../../shared/context.js'
import { toInstant } from '../../shared/schema.js'
import { createContextFieldRecord, sentFieldOf } from '../../targeting/context-fields/rules.js'
import { checkParent } from '../dependencies/checks.js'
import { metadataUpdated } from '../editing/actions.js'
import { replaceEnvironment, strategiesIn, withStrategies } from '../feature-environments/rules.js'
import { environmentNames } from '../features/lookup.js'
import { summarizeFeature } from '../features/present.js'
import { createFeatureRecord, updateFeatureRecord } from '../features/rules.js'
import type { FeatureRecord } from '../features/schema.js'
import { presentLink } from '../links/present.js'
import { makeStrategy } from '../strategies/rules.js'
import { createTagTypeRecord } from '../tag-types/rules.js'
import { hasTag } from '../tags/lookup.js'
import { tagKey } from '../tags/rules.js'
import type { ExportResult, Import } from './schema.js'

type Feature = Frozen<FeatureRecord>

/** One import: what it works with, and the one group of all its events. */
interface Work extends Import {
  context: OperationContext
  groupId: string
}

/** Creates or overwrites features. Archived ones are skipped. Fails if one can't have its parent. */
export function importFeatures(context: OperationContext, sent: Import): Failure | undefined {
  const work: Work = { ...sent, context, groupId: context.ids.ulid(context.now.getTime()) }
  const { project, environment, data } = sent
  importTagTypes(work)
  importContextFields(work)
  const isArchived = ({ name }: { name: string }) => context.tables.features.get(name)?.archived === true
  const imported = data.features.filter((feature) => !isArchived(feature))
  for (const feature of imported) {
    const own = saveMetadata(work, feature)
    importTags(work, own)
    change(work, own.name, withLinks(work, own.name))
    change(work, own.name, withImportedStrategies(work, own.name))
    change(work, own.name, withState(work, own.name))
  }
  // A parent may come after its children.
  for (const { name } of imported) {
    const failure = importParents(work, name)
    if (failure) return failure
  }
  logEvent(context, { type: 'features-imported', data: null, project, environment, groupId: work.groupId })
  return undefined
}

interface Change {
  apply(feature: Feature): Feature
  events: readonly NewEvent[]
}

/** Changes a feature and logs what happened to it. */
function change({ context, groupId }: Work, name: string, { apply, events }: Change): void {
  const before = context.tables.features.get(name)
  if (before === undefined) return
  const after = apply(before)
  context.tables.features.replace(after)
  for (const event of events) logEvent(context, { ...event, groupId }, after)
}

function saveMetadata(work: Work, sent: ExportResult['features'][number]): Feature {
  const { context, groupId, project } = work
  const { tables, caller } = context
  const now = toInstant(context.now)
  const known = tables.features.get(sent.name)
  const environments = environmentNames(tables, project)
  const feature =
    known === undefined
      ? createFeatureRecord(sent, { now, actor: caller.actor, project, environments })
      : updateFeatureRecord(known, sent, now)
  tables.features.replace(feature)
  const event = known ? metadataUpdated(known, feature) : { type: 'feature-created', data: summarizeFeature(feature) }
  logEvent(context, { ...event, groupId }, feature)
  return feature
}

function importTagTypes({ context, groupId, data }: Work): void {
  for (const sent of data.tagTypes) {
    const tagType = createTagTypeRecord(sent)
    if (context.tables.tagTypes.insert(tagType)) logEvent(context, { type: 'tag-type-created', data: tagType, groupId })
  }
}

/** Those that belong to a project will belong to the one that is imported into. */
function importContextFields({ context, groupId, data, project }: Work): void {
  for (const { name, description, stickiness, legalValues, project: before } of data.contextFields ?? []) {
    const own = { ...(legalValues && { legalValues }), ...(before ? { project } : {}) }
    const sent = { name, ...(description === undefined ? {} : { description }), stickiness, ...own }
    if (!context.tables.contextFields.insert(createContextFieldRecord(sent, toInstant(context.now)))) continue
    logEvent(context, { type: 'context-field-created', data: sentFieldOf(sent), groupId })
  }
}

/** The imported tags take the place of those that a feature has. */
function importTags(work: Work, { name, tags: before }: Feature): void {
  const { context, groupId, data } = work
  const tags = (data.featureTags ?? [])
    .filter(({ featureName }) => featureName === name)
    .map(({ tagType = 'simple', tagValue }) => ({ type: tagType, value: tagValue }))
  for (const tag of tags) {
    if (hasTag(context.tables, tag)) continue
    context.tables.tags.insert(tag)
    logEvent(context, { type: 'tag-created', data: tag, groupId })
  }
  const isNew = (tag: (typeof tags)[number]) => !before.some((one) => tagKey(one) === tagKey(tag))
  const events = tags.filter(isNew).map((tag) => ({ type: 'feature-tagged', data: tag }))
  change(work, name, { apply: (feature) => ({ ...feature, tags }), events })
}

function withLinks({ context, data }: Work, name: string): Change {
  const known = context.tables.features.get(name)?.links ?? []
  const links = (data.links ?? [])
    .filter(({ feature }) => feature === name)
    .flatMap((one) => one.links)
    .filter(({ url }) => !known.some((link) => link.url === url))
    .map(({ url, title = null }) => ({ id: context.ids.ulid(context.now.getTime()), url, title }))
  return {
    apply: (feature) => ({ ...feature, links: [...feature.links, ...links] }),
    events: links.map((link) => ({ type: 'feature-link-added', data: presentLink(link) })),
  }
}

/** The imported strategies take the place of those in the environment. Segments are found by name. */
function withImportedStrategies({ context, data, environment }: Work, name: string): Change {
  const { tables, ids, now } = context
  const segmentOf = (id: number) => {
    const segment = data.segments?.find((one) => one.id === id)
    return segment === undefined ? [] : tables.segments.by('name', segment.name).map((known) => known.id)
  }
  const strategies = data.featureStrategies
    .filter(({ featureName }) => featureName === name)
    .map(({ segments = [], ...sent }, sortOrder) => {
      const id = ids.ulid(now.getTime())
      return makeStrategy({ ...sent, segments: segments.flatMap(segmentOf) }, { id, name: sent.name, sortOrder }, name)
    })
  const known = tables.environments.has(environment)
  return {
    apply: (feature) => (known ? withStrategies(feature, environment, strategies) : feature),
    events: known ? strategies.map((data) => ({ type: 'feature-strategy-add', data, environment })) : [],
  }
}

/** Whether a feature is on in the environment, and its variants there. */
function withState({ context, data, environment }: Work, name: string): Change {
  const sent = data.featureEnvironments?.find((one) => (one.featureName ?? one.name) === name)
  const feature = context.tables.features.get(name)
  const before = feature?.environments.find((one) => one.name === environment)
  if (sent === undefined || feature === undefined || before === undefined) return { apply: (same) => same, events: [] }
  const enabled = sent.enabled && strategiesIn(feature, environment).length > 0
  const variants = sent.variants?.length ? sent.variants : before.variants
  const switched = { type: `feature-environment-${enabled ? 'enabled' : 'disabled'}`, data: null, environment }
  const changed = {
    type: 'feature-environment-variants-updated',
    data: { variants },
    preData: { variants: before.variants },
    environment,
  }
  return {
    apply: (current) => replaceEnvironment(current, { ...before, enabled, variants }),
    events: [...(variants === before.variants ? [] : [changed]), ...(enabled === before.enabled ? [] : [switched])],
  }
}

/** The imported parents are added to those that a feature has. */
function importParents(work: Work, name: string): Failure | undefined {
  const { tables } = work.context
  const parents = (work.data.dependencies ?? []).filter(({ feature }) => feature === name)
  for (const parent of parents.flatMap(({ dependencies }) => dependencies)) {
    const child = tables.features.get(name)
    const failure = child && checkParent(tables, child, parent.feature)
    if (failure) return failure
    const isOther = (one: { feature: string }) => one.feature !== parent.feature
    change(work, name, {
      apply: (feature) => ({ ...feature, dependencies: [...feature.dependencies.filter(isOther), parent] }),
      events: [{ type: 'feature-dependency-added', data: parent }],
    })
  }
  return undefined
}
