import { badData, type Failure } from '../../../contract/errors.js'
import type { Frozen } from '../../../support/freeze.js'
import { fail, ok, type Result } from '../../../support/result.js'
import { logEvent } from '../../instance/events/actions.js'
import { checkFeatureLimit, checkNaming } from '../../projects/projects/checks.js'
import type { NewEvent, OperationContext } from '../../shared/context.js'
import { toInstant } from '../../shared/schema.js'
import { createContextFieldRecord, sentFieldOf } from '../../targeting/context-fields/rules.js'
import { checkParent } from '../dependencies/checks.js'
import { metadataUpdated } from '../editing/actions.js'
import { strategiesWhenOn } from '../feature-environments/actions.js'
import { findFeatureEnvironment } from '../feature-environments/lookup.js'
import { replaceEnvironment, withStrategies } from '../feature-environments/rules.js'
import { logCreation } from '../features/actions.js'
import { checkNameIsFree } from '../features/checks.js'
import { environmentNames, findInProject } from '../features/lookup.js'
import { createFeatureRecord, updateFeatureRecord } from '../features/rules.js'
import { type FeatureRecord, featureName } from '../features/schema.js'
import { presentLink } from '../links/present.js'
import { linksFromTemplates, normalizedUrl } from '../links/rules.js'
import { checkStrategy } from '../strategies/checks.js'
import { makeStrategy } from '../strategies/rules.js'
import { createTagTypeRecord } from '../tag-types/rules.js'
import { hasTag } from '../tags/lookup.js'
import { tagKey } from '../tags/rules.js'
import { checkVariants } from '../variants/checks.js'
import { balanceWeights } from '../variants/rules.js'
import type { ExportResult, Import } from './schema.js'

type Feature = Frozen<FeatureRecord>

/** One import: what it works with, and the one group of all its events. */
interface Work extends Import {
  context: OperationContext
  groupId: string
}

/** Creates or overwrites features. A failure leaves the import unfinished: the caller has to undo it. */
export function importFeatures(context: OperationContext, sent: Import): Failure | undefined {
  const work: Work = { ...sent, context, groupId: context.ids.ulid(context.now.getTime()) }
  const { project, environment, data } = sent
  const failure = saveAllMetadata(work)
  if (failure) return failure
  importTagTypes(work)
  importContextFields(work)
  const names = [...new Set(data.features.map(({ name }) => name))]
  for (const part of [withTags, withLinks, withImportedStrategies, withState, withParents]) {
    for (const name of names) {
      const planned = part(work, name)
      if (!planned.ok) return planned.failure
      change(work, name, planned.value)
    }
  }
  logEvent(context, { type: 'features-imported', data: null, project, environment, groupId: work.groupId })
  return undefined
}

interface Change {
  apply(feature: Feature): Feature
  events: readonly NewEvent[]
}

type Planned = Result<Change, Failure>

const nothing: Change = { apply: (feature) => feature, events: [] }

/** Changes a feature and logs what happened to it. */
function change({ context, groupId }: Work, name: string, { apply, events }: Change): void {
  const before = context.tables.features.get(name)
  if (before === undefined) return
  const after = apply(before)
  context.tables.features.replace(after)
  for (const event of events) logEvent(context, { ...event, groupId }, after)
}

type Given = ExportResult['features'][number]

/** Only features that exist before the import are overwritten: a new name that is given twice is taken the second time. */
function saveAllMetadata(work: Work): Failure | undefined {
  const { features } = work.context.tables
  const known = new Set(work.data.features.map(({ name }) => name).filter((name) => features.has(name)))
  for (const sent of work.data.features) {
    const failure = known.has(sent.name) ? overwriteMetadata(work, sent) : createImported(work, sent)
    if (failure) return failure
  }
  return undefined
}

function overwriteMetadata({ context, groupId, project }: Work, sent: Given): Failure | undefined {
  const found = findInProject(context.tables, sent.name, project)
  if (!found.ok) return found.failure
  const feature = updateFeatureRecord(found.value, sent, toInstant(context.now))
  context.tables.features.replace(feature)
  logEvent(context, { ...metadataUpdated(found.value, feature), groupId }, feature)
  return undefined
}

function createImported({ context, groupId, project: id }: Work, sent: Given): Failure | undefined {
  const { tables, caller, ids } = context
  const known = tables.projects.get(id)
  const failure =
    featureName.check(sent.name) ??
    checkNameIsFree(tables, sent.name) ??
    checkNaming(known, sent.name) ??
    checkFeatureLimit(tables, id)
  if (failure) return failure
  const { name, type, description, stale, impressionData } = sent
  const feature = createFeatureRecord(
    { name, type, description, stale, impressionData },
    {
      now: toInstant(context.now),
      actor: caller.actor,
      project: id,
      environments: environmentNames(tables, id),
      links: linksFromTemplates(known, sent.name, () => ids.ulid(context.now.getTime())),
    },
  )
  tables.features.insert(feature)
  logCreation(context, feature, groupId)
  return undefined
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
function withTags({ context, groupId, data }: Work, name: string): Planned {
  const before = context.tables.features.get(name)?.tags ?? []
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
  return ok({ apply: (feature) => ({ ...feature, tags }), events })
}

/** The imported links take the place of those that a feature has. Without any for it, they stay. */
function withLinks({ context, data }: Work, name: string): Planned {
  const given = (data.links ?? []).filter(({ feature }) => feature === name)
  if (given.length === 0) return ok(nothing)
  const links = given
    .flatMap((one) => one.links)
    .map(({ url, title = null }) => ({ id: context.ids.ulid(context.now.getTime()), url: normalizedUrl(url), title }))
  if (!links.every(hasUrl)) return fail(badData(`A link of the feature "${name}" is not a URL.`, '/body/data/links'))
  return ok({
    apply: (feature) => ({ ...feature, links }),
    events: links.map((link) => ({ type: 'feature-link-added', data: presentLink(link) })),
  })
}

function hasUrl<Link extends { url: string | undefined }>(link: Link): link is Link & { url: string } {
  return link.url !== undefined
}

/** The imported strategies take the place of those in the environment. Segments are found by name. */
function withImportedStrategies({ context, data, environment, project }: Work, name: string): Planned {
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
  const isThere = tables.features.get(name)?.environments.some((one) => one.name === environment)
  if (!isThere && strategies.length === 0) return ok(nothing)
  if (!isThere) {
    return fail(badData(`The project "${project}" is not in the environment "${environment}".`, '/body/environment'))
  }
  const failure = strategies.map((one) => checkStrategy(tables, one, project)).find((one) => one !== undefined)
  if (failure) return fail(failure)
  return ok({
    apply: (feature) => withStrategies(feature, environment, strategies),
    events: strategies.map((data) => ({ type: 'feature-strategy-add', data, environment })),
  })
}

/** Whether a feature is on in the environment, and its variants there. Without a strategy, one is added to what is on. */
function withState({ context, data, environment, project }: Work, name: string): Planned {
  const sent = data.featureEnvironments?.find((one) => (one.featureName ?? one.name) === name)
  if (sent === undefined) return ok(nothing)
  const found = findFeatureEnvironment(context.tables, { projectId: project, featureName: name, environment })
  if (!found.ok) return found
  const { feature, environment: before } = found.value
  const { enabled } = sent
  const whenOn = enabled ? strategiesWhenOn(context, before, { feature, enableStrategies: false }) : undefined
  const given = sent.variants?.length ? sent.variants : undefined
  const failure = checkVariants(given ?? [])
  if (failure) return fail(failure)
  const variants = given === undefined ? before.variants : balanceWeights(given)
  const strategies = whenOn?.strategies ?? before.strategies
  const switched = { type: `feature-environment-${enabled ? 'enabled' : 'disabled'}`, data: null, environment }
  const changed = {
    type: 'feature-environment-variants-updated',
    data: { variants },
    preData: { variants: before.variants },
    environment,
  }
  return ok({
    apply: (current) => replaceEnvironment(current, { ...before, enabled, variants, strategies }),
    events: [
      ...(variants === before.variants ? [] : [changed]),
      ...(whenOn?.events ?? []),
      ...(enabled === before.enabled ? [] : [switched]),
    ],
  })
}

function withParents({ context: { tables }, data }: Work, name: string): Planned {
  const child = tables.features.get(name)
  const dependencies = (data.dependencies ?? [])
    .filter(({ feature }) => feature === name)
    .flatMap((one) => one.dependencies)
  const failure = dependencies
    .map(({ feature }) => child && checkParent(tables, child, feature))
    .find((one) => one !== undefined)
  if (failure) return fail(failure)
  const kept = ({ feature }: Feature['dependencies'][number]) => !dependencies.some((one) => one.feature === feature)
  return ok({
    apply: (feature) => ({ ...feature, dependencies: [...feature.dependencies.filter(kept), ...dependencies] }),
    events: dependencies.map((parent) => ({ type: 'feature-dependency-added', data: parent })),
  })
}
