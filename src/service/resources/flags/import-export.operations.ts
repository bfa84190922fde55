import { badData, noAccess, reject } from '../../contract/errors.js'
import { environmentPermissions, type Permission } from '../../contract/permissions.js'
import { logEvent } from '../instance/events.operations.js'
import { checkFeatureLimit, checkNaming, findActiveProject, matchesNaming } from '../projects/projects.operations.js'
import { CLIENT_IP } from '../sdk/application-details.js'
import { byName } from '../shared/checks.js'
import type { OperationContext, Tables } from '../shared/context.js'
import { completed } from '../shared/fields.js'
import { ok, operations, post } from '../shared/rows.js'
import { toInstant } from '../shared/schema.js'
import { contextFieldName, contextFieldRecordSchema, sentFieldOf } from '../targeting/context-fields.js'
import { checkFieldContent } from '../targeting/context-fields.operations.js'
import { strategiesIn } from './feature-environments.operations.js'
import {
  createFeatureRecord,
  featureName,
  placesOf,
  type StoredFeature,
  settingsOf,
  updateFeatureRecord,
} from './features.js'
import {
  checkNameIsFree,
  creationIn,
  environmentNames,
  findInProject,
  logCreation,
  summarizeFeature,
} from './features.model.js'
import { metadataUpdated } from './features.operations.js'
import {
  type ExportQuery,
  type ExportResult,
  exportQuerySchema,
  exportResultSchema,
  type Import,
  type ImportFault,
  importLinks,
  importParents,
  importStates,
  importStrategies,
  importTags,
  importTogglesSchema,
  importTogglesValidateSchema,
  importVariants,
  removeReplaced,
  type Work,
} from './import-export.js'
import { tagTypeName, tagTypeSchema } from './tags.js'
import { checkTagsExist } from './tags.operations.js'

/** A finding about some items; undefined without items. */
function fault(message: string, affectedItems: readonly string[]): ImportFault[] {
  return affectedItems.length === 0 ? [] : [{ message, affectedItems: [...affectedItems] }]
}

/** An import without the archived features that it lists, without settings of no feature, and without unused tag types. */
function withoutArchived({ features: known }: Tables, sent: Import): Import {
  const { features, featureEnvironments, featureStrategies, featureTags = [], tagTypes } = sent.data
  const archived = new Set(namesOf(features).filter((name) => known.get(name)?.archived))
  const isOpen = ({ featureName }: { featureName?: string | undefined }) => featureName && !archived.has(featureName)
  const tags = featureTags.filter(isOpen)
  const typesOfTags = new Set(tags.map(({ tagType }) => tagType))
  const data = {
    ...sent.data,
    features: features.filter(({ name }) => !archived.has(name)),
    featureStrategies: featureStrategies.filter(isOpen),
    featureTags: tags,
    tagTypes: tagTypes.filter(({ name }) => typesOfTags.has(name)),
  }
  return {
    ...sent,
    data: { ...data, ...(featureEnvironments && { featureEnvironments: featureEnvironments.filter(isOpen) }) },
  }
}

function strategyFaults({ strategyTypes }: Tables, { data }: Import): ImportFault[] {
  const unknown = data.featureStrategies.filter(({ name }) => !strategyTypes.has(name))
  return fault('These strategy types must be created first:', namesOf(unknown))
}

function contextFieldFaults({ contextFields }: Tables, { project, data }: Import): ImportFault[] {
  const conflicts = (data.contextFields ?? []).filter(({ name, legalValues = [] }) => {
    const known = contextFields.get(name)
    if (known === undefined) return false
    const isElsewhere = known.project !== null && known.project !== project
    const legal = new Set(known.legalValues?.map(({ value }) => value))
    return isElsewhere || legalValues.some(({ value }) => !legal.has(value))
  })
  const message = 'These context fields exist with other legal values, or in another project:'
  return fault(message, namesOf(conflicts))
}

function elsewhereFaults({ features }: Tables, { project, data }: Import): ImportFault[] {
  const elsewhere = namesIn(data).flatMap((name) => {
    const known = features.get(name)
    return known === undefined || known.project === project ? [] : `${name} (in project ${known.project})`
  })
  return fault('These features exist in other projects:', elsewhere)
}

/** The distinct feature names of an import. */
function namesIn({ features }: Import['data']): string[] {
  return [...new Set(namesOf(features))]
}

function namesOf(named: readonly { readonly name: string }[]): string[] {
  return named.map(({ name }) => name)
}

function duplicateFaults({ data }: Import): ImportFault[] {
  const seen = new Set<string>()
  const twice = new Set(namesOf(data.features).filter((name) => seen.size === seen.add(name).size))
  const repeated = namesIn(data).filter((name) => twice.has(name))
  return fault('These names occur more than once:', repeated)
}

function namingFaults({ projects }: Tables, { project, data }: Import): ImportFault[] {
  const known = projects.get(project)
  const wrong = namesIn(data).filter((name) => !matchesNaming(known, name))
  const message = `These names don't match the pattern of the project, "${known?.featureNaming.pattern}":`
  return fault(message, wrong.toSorted())
}

function limitFaults({ projects, features }: Tables, { project, data }: Import): ImportFault[] {
  const limit = projects.get(project)?.featureLimit ?? null
  const active = new Set(features.by('activeInProject', project).map(({ name }) => name))
  const added = namesIn(data).filter((name) => !active.has(name)).length
  const count = features.count('activeInProject', project)
  if (limit === null || count + added <= limit) return []
  const message = `The project has ${count} features, and can't have ${added} more: its limit is ${limit}.`
  return [{ message, affectedItems: [] }]
}

function segmentFaults({ segments }: Tables, { project, data }: Import): ImportFault[] {
  const canBeUsed = (name: string) =>
    segments.by('name', name).some((known) => known.project === null || known.project === project)
  const missing = (data.segments ?? []).filter(({ name }) => !canBeUsed(name))
  return fault('These segments must be created first:', namesOf(missing))
}

function parentFaults({ features }: Tables, { data }: Import): ImportFault[] {
  const parents = (data.dependencies ?? []).flatMap((one) => one.dependencies.map(({ feature }) => feature))
  const imported = new Set(namesIn(data))
  const missing = parents.filter((name) => !features.has(name) && !imported.has(name))
  return fault('These features must be created first, because others depend on them:', missing)
}

function importErrors(tables: Tables, sent: Import): ImportFault[] {
  return [
    ...strategyFaults(tables, sent),
    ...contextFieldFaults(tables, sent),
    ...elsewhereFaults(tables, sent),
    ...duplicateFaults(sent),
    ...namingFaults(tables, sent),
    ...limitFaults(tables, sent),
    ...segmentFaults(tables, sent),
    ...parentFaults(tables, sent),
  ]
}

function importWarnings(tables: Tables, { project, data }: Import): ImportFault[] {
  const sent = new Set(namesOf(data.features))
  const existing = tables.features.list().filter(({ name }) => sent.has(name))
  const types = [...new Set(namesOf(data.featureStrategies))]
  const own = types.filter((name) => tables.strategyTypes.get(name)?.editable)
  const archived = existing.filter((one) => one.archived)
  const overwritten = existing.filter((one) => !one.archived && one.project === project)
  return [
    ...fault('These custom strategy types are used; their parameters must match the parameters at their source:', own),
    ...fault('These features are archived and will not be imported:', namesOf(archived)),
    ...fault('These features exist and will be overwritten:', namesOf(overwritten)),
  ]
}

/** The permissions that an import can need, in Unleash's order, with their display names. */
const READABLE = {
  CREATE_CONTEXT_FIELD: 'Create context fields',
  CREATE_FEATURE_STRATEGY: 'Create activation strategies',
  DELETE_FEATURE_STRATEGY: 'Delete activation strategies',
  UPDATE_FEATURE_ENVIRONMENT_VARIANTS: 'Update variants',
  CREATE_FEATURE: 'Create feature flags',
  UPDATE_FEATURE: 'Update feature flags',
  CREATE_TAG_TYPE: 'Create tag types',
} as const satisfies Partial<Record<Permission, string>>

type ImportPermission = keyof typeof READABLE

/** The permissions for an import that the caller lacks. */
function missingPermissions({ tables, caller }: OperationContext, sent: Import): ImportPermission[] {
  // An admin has every permission, also where users otherwise have none.
  if (caller.may('ADMIN')) return []
  const { project, environment, data } = sent
  const { features, featureStrategies, featureEnvironments = [], contextFields = [], tagTypes } = data
  const names = namesIn(data)
  const known = names.flatMap((name) => tables.features.get(name) ?? [])
  const hasStrategies = known.some((feature) => strategiesIn(feature, environment).length > 0)
  const inEnvironment = new Set<Permission>(environmentPermissions)
  const scopeOf = (one: Permission) => (inEnvironment.has(one) ? { project, environment } : { project })
  const needed: [ImportPermission, boolean][] = [
    ['CREATE_CONTEXT_FIELD', contextFields.some(({ name }) => !tables.contextFields.has(name))],
    ['CREATE_FEATURE_STRATEGY', featureStrategies.length > 0],
    ['DELETE_FEATURE_STRATEGY', hasStrategies || names.length === 0],
    ['UPDATE_FEATURE_ENVIRONMENT_VARIANTS', featureEnvironments.some(({ variants = [] }) => variants.length > 0)],
    ['CREATE_FEATURE', known.length < features.length],
    ['UPDATE_FEATURE', true],
    ['CREATE_TAG_TYPE', tagTypes.some(({ name }) => !tables.tagTypes.has(name))],
  ]
  return needed
    .filter(([permission, isNeeded]) => isNeeded && !caller.may(permission, scopeOf(permission)))
    .map(([permission]) => permission)
}

/** Rejects an impossible import, as far as checks can find out before they try it. */
function checkImport(context: OperationContext, sent: Import): void {
  const { tables } = context
  rejectEach(strategyFaults(tables, sent))
  rejectEach(contextFieldFaults(tables, sent))
  const missing = missingPermissions(context, sent)
  if (missing.length > 0)
    reject(
      noAccess(
        missing.map((permission) => READABLE[permission]),
        sent.environment,
      ),
    )
  rejectFirst(elsewhereFaults(tables, sent))
  rejectFirst(segmentFaults(tables, sent))
  rejectFirst(parentFaults(tables, sent))
}

function rejectFirst([fault]: readonly ImportFault[]): void {
  reject(fault && badData(`${fault.message} ${fault.affectedItems.join(', ')}`, '/body/data'))
}

/** Rejects the import with an error for each item. */
function rejectEach([fault]: readonly ImportFault[]): void {
  if (fault === undefined) return
  const messages = fault.affectedItems.map((item) => `${fault.message} ${item}`)
  const details = messages.map((message) => ({ message, path: '/body/data' }))
  reject({ kind: 'badData', message: messages.join(' '), details, repeatsMessages: true })
}

function importFeatures(context: OperationContext, sent: Import): void {
  const environments = environmentNames(context.tables, sent.project)
  const work: Work = { ...sent, context, environments, groupId: context.ids.ulid(context.now.getTime()) }
  const { project, environment, data } = sent
  // Overwrites only earlier features: the second feature with a new name is a conflict.
  const known = new Set(namesIn(data).filter((name) => context.tables.features.has(name)))
  for (const feature of data.features) {
    if (known.has(feature.name)) overwriteMetadata(work, feature)
    else createImported(work, feature)
  }
  importVariants(work)
  removeReplaced(work)
  importTagTypes(work)
  importTags(work)
  importContextFields(work)
  importLinks(work)
  importStrategies(work)
  importStates(work)
  importParents(work)
  logEvent(context, { type: 'features-imported', data: null, project, environment, groupId: work.groupId })
}

type ExportedFeature = ExportResult['features'][number]

function overwriteMetadata({ context, groupId, project }: Work, sent: ExportedFeature): void {
  const found = findInProject(context.tables, { featureName: sent.name, projectId: project })
  const feature = updateFeatureRecord(found, { ...settingsOf(sent), archived: sent.archived }, toInstant(context.now))
  context.tables.features.replace(feature)
  logEvent(context, { ...metadataUpdated(found, feature), groupId }, feature)
}

function createImported({ context, groupId, project: id, environments }: Work, sent: ExportedFeature): void {
  const { tables } = context
  reject(
    featureName.check(sent.name) ??
      checkNameIsFree(tables, sent.name) ??
      checkNaming(tables.projects.get(id), sent.name) ??
      checkFeatureLimit(tables, id),
  )
  findActiveProject(tables, id)
  // Its tags are replaced by the tags of the import, but Unleash gives them to it before.
  reject(checkTagsExist(tables, sent.tags ?? []))
  const feature = createFeatureRecord(
    { name: sent.name, ...settingsOf(sent), archived: sent.archived },
    creationIn(context, id, sent.name, environments),
  )
  tables.features.insert(feature)
  logCreation(context, feature, groupId)
}

function importTagTypes({ context, groupId, data }: Work): void {
  for (const sent of data.tagTypes) {
    const own = { ...sent, ...(sent.description === null && { description: '' }) }
    const tagType = completed(tagTypeSchema, own, context)
    if (context.tables.tagTypes.has(tagType.name)) continue
    reject(tagTypeName.check(tagType.name))
    context.tables.tagTypes.insert(tagType)
    logEvent(context, { type: 'tag-type-created', data: own, groupId })
  }
}

/** Context fields of a project move to the target project. */
function importContextFields({ context, groupId, data, project }: Work): void {
  for (const { name, description, stickiness, legalValues, project: before } of data.contextFields ?? []) {
    const own = { ...(legalValues && { legalValues }), ...(before ? { project } : {}) }
    const sent = { name, ...(description === undefined ? {} : { description }), stickiness, ...own }
    if (context.tables.contextFields.has(name)) continue
    reject(contextFieldName.check(name) ?? checkFieldContent(sent))
    context.tables.contextFields.insert(completed(contextFieldRecordSchema, sent, context))
    logEvent(context, { type: 'context-field-created', data: sentFieldOf(sent), groupId })
  }
}

/** The features of an export, by name. */
export function exportedFeatures(tables: Tables, query: ExportQuery): StoredFeature[] {
  return chosenFeatures(tables, query).toSorted(byName)
}

/** Selected by tag, or else by name, or else by project. An empty list selects none. */
function chosenFeatures({ features }: Tables, query: ExportQuery): StoredFeature[] {
  const { features: names, tag, project }: Record<string, unknown> = query
  const all = features.list()
  if (typeof tag === 'string') return all.filter(({ tags }) => tags.some(({ value }) => value === tag))
  if (Array.isArray(names) && names.length > 0) {
    const wanted = new Set(names)
    return all.filter(({ name }) => wanted.has(name))
  }
  return typeof project === 'string' ? features.by('activeInProject', project) : all.filter(({ archived }) => !archived)
}

/** Features in an environment (or, for an empty name, in all), with everything that they reference. */
export function presentExport(features: readonly StoredFeature[], environment: string, tables: Tables) {
  const isWanted = ({ name }: { name: string }) => environment === '' || name === environment
  const found = features.flatMap((feature) => feature.environments.filter(isWanted).map((one) => ({ feature, one })))
  // Also those in environments that the project has lost.
  const strategies = features.flatMap((feature) =>
    placesOf(feature)
      .filter(isWanted)
      .flatMap((place) => place.strategies.map((strategy) => ({ ...strategy, featureName: feature.name }))),
  )
  const variants = found.flatMap(({ one }) => one.variants)
  const fields = new Set([
    ...strategies.flatMap(({ constraints }) => constraints.map(({ contextName }) => contextName)),
    ...strategies.map(({ parameters }) => parameters.stickiness),
    ...variants.map(({ stickiness }) => stickiness),
    ...variants.flatMap(({ overrides = [] }) => overrides.map(({ contextName }) => contextName)),
  ])
  const segments = new Set(strategies.flatMap((strategy) => strategy.segments))
  const typesOfTags = new Set(features.flatMap((feature) => feature.tags.map(({ type }) => type)))
  return {
    features: features.map((feature) => {
      const { createdAt: _, archivedAt: __, ...shown } = summarizeFeature(feature)
      return shown
    }),
    featureStrategies: strategies,
    featureEnvironments: found.map(({ feature: { name }, one: { name: own, enabled, variants } }) => ({
      enabled,
      featureName: name,
      environment: own,
      variants,
      name,
    })),
    contextFields: tables.contextFields
      .list()
      .filter(({ name }) => fields.has(name))
      .toSorted(byName)
      .map(({ createdAt: _, project, ...field }) => (project === null ? field : { ...field, project })),
    featureTags: features.flatMap(({ name: featureName, tags: ofFeature }) =>
      ofFeature.map(({ type: tagType, value: tagValue }) => ({ featureName, tagType, tagValue })),
    ),
    segments: tables.segments
      .list()
      .toSorted(byName)
      .flatMap(({ id, name }) => (segments.has(id) ? [{ id, name }] : [])),
    tagTypes: tables.tagTypes.list().filter(({ name }) => typesOfTags.has(name)),
    dependencies: features.flatMap(({ name: feature, dependencies }) =>
      dependencies.length === 0 ? [] : [{ feature, dependencies: dependencies.map(completeDependency) }],
    ),
    links: features.flatMap(({ name: feature, links }) => (links.length === 0 ? [] : [{ feature, links }])),
  }
}

function completeDependency({ feature, enabled = true, variants = [] }: StoredFeature['dependencies'][number]) {
  return { feature, enabled, variants }
}

const path = '/api/admin/features-batch'

export const importExportOperations = operations('Import/Export', {
  exportFeatures: post(`${path}/export`, {
    bodyLimit: 512_000,
    summary: 'Export features in an environment, with everything that they reference',
    body: exportQuerySchema,
    success: ok('The features', exportResultSchema),
    run: ({ body, context, tables }) => {
      const { featureStrategies, ...others } = presentExport(exportedFeatures(tables, body), body.environment, tables)
      const data = { ...others, featureStrategies: featureStrategies.map(({ sortOrder: _, ...strategy }) => strategy) }
      const auditUser = { id: context.caller.id, username: context.caller.username, ip: CLIENT_IP }
      logEvent(context, { type: 'features-exported', data: { data, auditUser } })
      return { body: data }
    },
  }),

  validateImport: post(`${path}/validate`, {
    bodyLimit: 512_000,
    summary: 'Check an import: the problems, and the features that it would overwrite',
    body: importTogglesSchema,
    success: ok('The findings', importTogglesValidateSchema),
    run: ({ body, context, tables }) => {
      const missing = missingPermissions(context, body).map((permission) => READABLE[permission])
      const permissions = fault('These permissions are missing:', missing)
      return { body: { errors: importErrors(tables, body), warnings: importWarnings(tables, body), permissions } }
    },
  }),

  importToggles: post(`${path}/import`, {
    bodyLimit: 512_000,
    summary: 'Import features into an environment of a project; existing features are overwritten',
    body: importTogglesSchema,
    success: { status: 200, description: 'The features are imported' },
    errors: [403, 404, 409],
    run: ({ body, context }) => {
      if (context.caller.token !== undefined) {
        const message = 'Features are imported by users: sign in, or send a personal access token.'
        reject(badData(message, '/body'))
      }
      const sent = withoutArchived(context.tables, body)
      checkImport(context, sent)
      importFeatures(context, sent)
    },
  }),
})
