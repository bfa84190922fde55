import type { Failure } from '../../../contract/errors.js'
import { logEvent } from '../../instance/events/actions.js'
import { checkFeatureLimit, checkNaming } from '../../projects/projects/checks.js'
import type { OperationContext } from '../../shared/context.js'
import { toInstant } from '../../shared/schema.js'
import { createContextFieldRecord, sentFieldOf } from '../../targeting/context-fields/rules.js'
import { metadataUpdated } from '../editing/actions.js'
import { logCreation } from '../features/actions.js'
import { checkNameIsFree } from '../features/checks.js'
import { environmentNames, findInProject } from '../features/lookup.js'
import { createFeatureRecord, updateFeatureRecord } from '../features/rules.js'
import { featureName } from '../features/schema.js'
import {
  type Change,
  type Work,
  withImportedStrategies,
  withLinks,
  withParents,
  withState,
  withTags,
} from '../import-parts/actions.js'
import { linksFromTemplates } from '../links/rules.js'
import { createTagTypeRecord } from '../tag-types/rules.js'
import type { ExportResult, Import } from './schema.js'
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
