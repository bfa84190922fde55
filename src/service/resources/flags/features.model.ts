import type { Frozen } from '../../../support/freeze.js'
import { type Failure, found, notFound, reject } from '../../contract/errors.js'
import { isLogged, logEvent } from '../instance/events.operations.js'
import { byEnvironment, environmentsInOrder } from '../projects/environments.js'
import { byName, compareTexts } from '../shared/checks.js'
import type { NewEvent, OperationContext, Tables } from '../shared/context.js'
import { pick } from '../shared/pick.js'
import { view } from '../shared/rows.js'
import { toInstant } from '../shared/schema.js'
import { isFavorite } from './favorites.model.js'
import type { FeatureEnvironment } from './feature-environments.js'
import {
  type CreationContext,
  type Feature,
  featureSchema,
  featureSummarySchema,
  type StoredFeature,
} from './features.js'
import { presentLink } from './links.js'
import type { Strategy } from './strategies.js'

export const featurePath = '/api/admin/projects/:projectId/features/:featureName'

/** The feature with this name in any project, active or archived. */
export function findFeature(tables: Tables, name: string): StoredFeature {
  return found(tables.features.get(name), () => `There is no feature named "${name}".`)
}

export interface FeatureParams {
  projectId: string
  featureName: string
}

/** The feature with this name in this project, active or archived. */
export function findInProject(tables: Tables, { featureName, projectId }: FeatureParams): StoredFeature {
  const feature = tables.features.get(featureName)
  return feature?.project === projectId ? feature : reject(notIn(projectId, featureName, feature))
}

function notIn(project: string, name: string, feature: StoredFeature | undefined): Failure {
  const elsewhere = feature === undefined ? '' : `; there is one in "${feature.project}"`
  return notFound(`There is no feature named "${name}" in the project "${project}"${elsewhere}.`)
}

export function findActiveInProject(tables: Tables, params: FeatureParams): StoredFeature {
  const found = findInProject(tables, params)
  return found.archived ? reject(notFound(`The feature "${found.name}" is archived.`)) : found
}

/** The sorted names of the features that depend on this feature, archived or not, except for some. */
export function childrenOf(tables: Tables, parent: string, except?: ReadonlySet<string>): string[] {
  const names = tables.features.by('parent', parent).map(({ name }) => name)
  return names.filter((name) => !except?.has(name)).toSorted(compareTexts)
}

/** The names of a project's environments and of others, in Unleash's order. */
export function environmentNames(tables: Tables, project: string, others: readonly string[] = []): string[] {
  const names = tables.projects.get(project)?.environments ?? []
  return environmentsInOrder([...names, ...others], tables.environments.list())
}

/** The context for creating a feature in a project. */
export function creationIn(
  { tables, caller, now, ids }: OperationContext,
  project: string,
  feature: string,
  environments: readonly string[] = environmentNames(tables, project),
): CreationContext {
  const newId = () => ids.ulid(now.getTime())
  return {
    now: toInstant(now),
    actor: caller.actor,
    project,
    environments,
    links: (tables.projects.get(project)?.linkTemplates ?? []).map(({ title, urlTemplate }) => ({
      id: newId(),
      url: urlTemplate.replaceAll('{{project}}', project).replaceAll('{{feature}}', feature),
      title,
    })),
    newStrategyId: newId,
  }
}

/**
 * The distinct features with these names, active or archived, in the order in which Unleash reads them. Skips unknown
 * names, and rejects the request for the first feature of another project.
 */
export function findAllInProject(
  tables: Tables,
  given: readonly string[],
  project: string,
  order: 'byName' | 'byCreation' = 'byName',
): StoredFeature[] {
  const names = [...new Set(given)]
  const known = names.flatMap((name) => tables.features.get(name) ?? [])
  const other = known.find((feature) => feature.project !== project)
  if (other !== undefined) reject({ ...notIn(project, other.name, other), kind: 'invalidOperation' })
  if (order === 'byName') return known.toSorted(byName)
  const wanted = new Set(names)
  return tables.features.list().filter(({ name }) => wanted.has(name))
}

/** Fails if any project has a feature with this name, active or archived. */
export function checkNameIsFree(tables: Tables, name: string): Failure | undefined {
  const holder = tables.features.get(name)
  if (holder === undefined) return undefined
  const what = holder.archived ? 'An archived feature' : 'A feature'
  return { kind: 'nameExists', message: `${what} named "${name}" already exists.` }
}

/**
 * A feature in full, with the fields of the document's featureSchema in its order. `viewer` is the ID of the caller, for the
 * favorite.
 */
export function presentFeature(feature: StoredFeature, tables: Tables, viewer?: number): Frozen<Feature> {
  return {
    name: feature.name,
    type: feature.type,
    description: feature.description,
    archived: feature.archived,
    project: feature.project,
    enabled: feature.environments.some(({ enabled }) => enabled),
    stale: feature.stale,
    favorite: isFavorite(tables, viewer, 'feature', feature.name),
    impressionData: feature.impressionData,
    createdAt: feature.createdAt,
    createdBy: feature.createdBy,
    archivedAt: feature.archivedAt,
    lastSeenAt: feature.lastSeenAt,
    environments: byEnvironment(feature.environments, tables.environments).map((environment) =>
      presentWholeEnvironment(environment, feature.name, tables),
    ),
    variants: [],
    strategies: [],
    tags: feature.tags,
    children: childrenOf(tables, feature.name),
    lifecycle: feature.lifecycle,
    dependencies: feature.dependencies,
    collaborators: feature.collaborators,
  }
}

/** A feature in brief, as in events. */
export const summarizeFeature = pick(featureSummarySchema)

/** A feature in one environment, with counts in place of strategies and variants. */
export function presentFeatureEnvironment(environment: Frozen<FeatureEnvironment>, tables: Tables) {
  const { name, enabled, lastSeenAt, strategies, variants } = environment
  const known = tables.environments.get(name)
  return {
    name,
    type: known?.type ?? 'production',
    enabled,
    sortOrder: known?.sortOrder ?? 0,
    variantCount: variants.length,
    lastSeenAt,
    hasStrategies: strategies.length > 0,
    hasEnabledStrategies: strategies.some(({ disabled }) => !disabled),
  }
}

function presentWholeEnvironment(environment: Frozen<FeatureEnvironment>, featureName: string, tables: Tables) {
  const brief = presentFeatureEnvironment(environment, tables)
  return {
    name: brief.name,
    featureName,
    environment: brief.name,
    type: brief.type,
    enabled: brief.enabled,
    sortOrder: brief.sortOrder,
    variantCount: brief.variantCount,
    strategies: environment.strategies.map((strategy) => presentStrategy(strategy, featureName)),
    variants: environment.variants,
    ...(brief.lastSeenAt !== null && { lastSeenAt: brief.lastSeenAt }),
    hasStrategies: brief.hasStrategies,
    hasEnabledStrategies: brief.hasEnabledStrategies,
  }
}

function presentStrategy(strategy: Frozen<Strategy>, featureName: string) {
  const { id, name, title, disabled, sortOrder, segments, constraints, variants, parameters } = strategy
  const others = { disabled, featureName, sortOrder, segments, constraints, variants, parameters }
  return title === null ? { id, name, ...others } : { id, name, title, ...others }
}

export const changedFeatureView = view<StoredFeature>({
  documented: {
    schema: featureSchema,
    present: (feature, { tables, caller }) => presentFeature(feature, tables, caller.id),
  },
  'unleash-8': { schema: featureSummarySchema, present: summarizeFeature },
})

export type FeatureEvent = Pick<NewEvent, 'type' | 'data'> &
  Partial<Pick<NewEvent, 'preData' | 'environment' | 'project' | 'featureName' | 'tags'>>

/**
 * Stores a changed feature and logs the events, by default as a new group. The caller becomes its first collaborator,
 * unless nothing changes. Without events, writes nothing.
 */
export function saveFeature(
  context: OperationContext,
  feature: StoredFeature,
  events: readonly FeatureEvent[],
  { asGroup = true, groupId }: { asGroup?: boolean; groupId?: string } = {},
): StoredFeature {
  if (events.length === 0) return feature
  const saved = events.some(isLogged) ? withCollaborator(feature, context.caller.actor) : feature
  context.tables.features.replace(saved)
  const group = groupId ? { groupId } : asGroup ? newGroup(context) : {}
  for (const event of events) logEvent(context, { ...event, ...group }, saved)
  return saved
}

/** The feature with an actor as its first collaborator. */
export function withCollaborator(feature: StoredFeature, actor: OperationContext['caller']['actor']): StoredFeature {
  const others = feature.collaborators.users.filter(({ id }) => id !== actor.id)
  return { ...feature, collaborators: { users: [actor, ...others] } }
}

/** The group of the events of one operation. */
export function newGroup({ ids, now }: OperationContext): { groupId: string } {
  return { groupId: ids.ulid(now.getTime()) }
}

/** Logs the creation of a feature, then of each of its parents, strategies and links, as one group of events. */
export function logCreation(
  context: OperationContext,
  feature: StoredFeature,
  groupId = context.ids.ulid(context.now.getTime()),
): void {
  const log = (event: NewEvent) => logEvent(context, event, feature)
  log({ type: 'feature-created', data: summarizeFeature(feature), groupId })
  for (const { feature: parent, enabled = true, variants } of feature.dependencies) {
    const data = { feature: parent, enabled, ...(variants === undefined ? {} : { variants }) }
    log({ type: 'feature-dependency-added', data, groupId })
  }
  for (const { name: environment, strategies } of feature.environments) {
    for (const strategy of strategies) log({ type: 'feature-strategy-add', data: strategy, environment, groupId })
  }
  for (const link of feature.links) log({ type: 'feature-link-added', data: presentLink(link), groupId })
}
