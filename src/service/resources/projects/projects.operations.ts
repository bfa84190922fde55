import * as z from 'zod'
import { DAY, intoCalendar } from '../../../support/calendar.js'
import { pageOf, pagingShape } from '../../../support/filters.js'
import { compileExpression } from '../../../support/linear-expression.js'
import { countBy } from '../../../support/lists.js'
import { type Failure, failureAt, found } from '../../contract/errors.js'
import { isFavorite } from '../flags/favorites.model.js'
import type { StoredFeature } from '../flags/features.js'
import { environmentNames } from '../flags/features.model.js'
import { averageDaysIn, countStages, type Lifecycle } from '../flags/lifecycle.js'
import { apiTokenUser } from '../instance/events.js'
import { displayNameOf, imageUrlOf, type StoredUser } from '../people/users.js'
import { ascending, byName } from '../shared/checks.js'
import type { AtATime, OperationContext, Tables } from '../shared/context.js'
import { get, ok, operations, view } from '../shared/rows.js'
import { toInstant } from '../shared/schema.js'
import { activityByDate, lastUsageOf, latestEventAt, onboardingStatus, statsOf } from './activity.js'
import {
  type FlagCreator,
  flagCreatorSchema,
  flagCreatorsSchema,
  type Owner,
  type Project,
  projectOverviewSchema,
  projectStatusSchema,
  projectsSchema,
  type StoredProject,
  serviceProjectsSchema,
} from './projects.js'
import { ratingOf, stalenessOf } from './reports.model.js'

export function memberCount({ members }: Pick<StoredProject, 'members'>): number {
  return new Set(members.map(({ id }) => id)).size
}

/** The number of a project's active features of each type. */
export function typeCounts({ features }: Tables, project: string): { type: string; count: number }[] {
  const counts = features.cache.answer(`types in ${project}`, [], () =>
    countBy(features.by('activeInProject', project), ({ type }) => [type]),
  )
  const listed = [...counts].map(([type, count]) => ({ type, count }))
  return listed.toSorted((one, other) => ascending(one.type, other.type))
}

/** The distinct creators of features, by ID. */
export function flagCreators(features: readonly StoredFeature[]): FlagCreator[] {
  const creators = new Map(features.map(({ createdBy: { id, name } }) => [id, { id, name }]))
  return [...creators.values()].toSorted((one, other) => one.id - other.id)
}

/** The active projects of a user, by name: projects with a role of the user, and favorites. */
export function projectsOfUser(tables: Tables, user: StoredUser): StoredProject[] {
  return activeProjects(tables).filter(
    ({ id, members }) =>
      // A root role counts in the default project.
      id === DEFAULT_PROJECT ||
      members.some((member) => member.id === user.id) ||
      isFavorite(tables, user.id, 'project', id),
  )
}

/** The project that every instance has. */
const DEFAULT_PROJECT = 'default'

function activeProjects(tables: Tables): StoredProject[] {
  const active = tables.projects.list().filter(({ archivedAt }) => archivedAt === null)
  return active.toSorted(byName)
}

/** The project with this ID, unless it is missing or archived. */
export function findActiveProject(tables: Tables, id: string): StoredProject {
  const project = tables.projects.get(id)
  const active = project?.archivedAt === null ? project : undefined
  return found(active, () => `There is no active project with the id "${id}".`)
}

/** Fails if the name of a feature does not match the project's pattern. */
export function checkNaming(project: StoredProject | undefined, name: string): Failure | undefined {
  const { pattern = null, example = null, description = null } = project?.featureNaming ?? {}
  if (pattern === null || matchesNaming(project, name)) return undefined
  const hints = [
    example === null ? '' : ` An example: "${example}".`,
    description === null ? '' : ` The pattern's description is: "${description}".`,
  ]
  const message = `The name "${name}" does not match the project's pattern "${pattern}".${hints.join('')}`
  return failureAt('brokenPattern', message, '/body/name')
}

/** Whether a name matches the pattern of a project, if it has one. */
export function matchesNaming(project: StoredProject | undefined, name: string): boolean {
  const { pattern = null } = project?.featureNaming ?? {}
  return pattern === null || (compileExpression(pattern, { syntax: 'javascript' })?.testWhole(name) ?? false)
}

/** Fails if a project has reached its feature limit. */
export function checkFeatureLimit(tables: Tables, projectId: string): Failure | undefined {
  const limit = tables.projects.get(projectId)?.featureLimit ?? null
  if (limit === null || tables.features.count('activeInProject', projectId) < limit) return undefined
  const message = `The project ${projectId} already has the maximum number of features: ${limit}.`
  return { kind: 'invalidOperation', message }
}

const OWNER = 'Owner'

/** A project in a list. `viewer` is the ID of the user, for the favorite. */
export function presentProject(project: StoredProject, { tables, now }: AtATime, viewer?: number): Project {
  const { health, technicalDebt } = ratingOf({ tables, now }, project.id)
  return {
    id: project.id,
    name: project.name,
    description: project.description,
    health,
    technicalDebt,
    featureCount: tables.features.count('activeInProject', project.id),
    memberCount: memberCount(project),
    mode: project.mode,
    createdAt: project.createdAt,
    archivedAt: project.archivedAt,
    lastUpdatedAt: latestEventAt(project, tables),
    lastReportedFlagUsage: lastUsageOf(project, tables),
    onboardingStatus: onboardingStatus(project, tables),
    owners: ownersOf(project, tables),
    favorite: isFavorite(tables, viewer, 'project', project.id),
  }
}

/** The number of a project's flags that are completed, so that they can leave the code. */
function completedIn(project: string, { features }: Tables): number {
  return features.cache.answer(
    `completed in ${project}`,
    [],
    () => countStages(features.by('project', project)).completed,
  )
}

/** Unleash shows favorites only to users. */
const projectsView = view<readonly StoredProject[]>({
  documented: {
    schema: projectsSchema,
    present: (projects, context) => ({
      version: 1,
      projects: projects.map((project) => presentProject(project, context, context.caller.user?.id)),
    }),
  },
  'unleash-8': {
    schema: serviceProjectsSchema,
    present: (projects, context) => ({
      version: 1,
      projects: projects.map((project) => {
        const { user } = context.caller
        const { favorite, ...shown } = presentProject(project, context, user?.id)
        const cleanupCount = completedIn(project.id, context.tables)
        return { ...shown, ...(cleanupCount > 0 && { cleanupCount }), ...(user && { favorite }) }
      }),
    }),
  },
})

/** A project with its settings, environments and numbers. */
function presentOverview(project: StoredProject, context: OperationContext) {
  return {
    ...presentReported(project, context),
    linkTemplates: project.linkTemplates,
    onboardingStatus: onboardingStatus(project, context.tables),
    featureTypeCounts: typeCounts(context.tables, project.id),
  }
}

/** A project as in its health report. */
export function presentReported(project: StoredProject, { tables, caller, now }: OperationContext) {
  const { health, technicalDebt } = ratingOf({ tables, now }, project.id)
  return {
    stats: statsOf(project, { tables, now }),
    name: project.name,
    description: project.description,
    mode: project.mode,
    featureLimit: project.featureLimit,
    featureNaming: project.featureNaming,
    defaultStickiness: 'default',
    health,
    technicalDebt,
    favorite: isFavorite(tables, caller.user?.id, 'project', project.id),
    updatedAt: project.updatedAt,
    createdAt: project.createdAt,
    environments: environmentNames(tables, project.id).map((environment) => {
      const defaultStrategy = project.defaultStrategies?.[environment]
      return defaultStrategy === undefined ? { environment } : { environment, defaultStrategy }
    }),
    members: memberCount(project),
    version: 1,
  }
}

function lifecycleSummary(id: string, { tables, now }: AtATime) {
  const features = tables.features.by('project', id)
  const stages = countStages(features.filter((feature) => !feature.archived))
  const averages = (stage: Lifecycle['stage'], currentFlags: number) => ({
    averageDays: averageDaysIn(stage, features),
    currentFlags,
  })
  const archived = features.flatMap(({ archivedAt }) => archivedAt ?? [])
  const justBefore = toInstant(intoCalendar(now.getTime() - 30 * DAY - 1))
  return {
    // An update can make an archived feature active, but it keeps its last stage.
    initial: averages('initial', stages.initial + stages.archived),
    preLive: averages('pre-live', stages.preLive),
    live: averages('live', stages.live),
    completed: averages('completed', stages.completed),
    archived: {
      currentFlags: archived.length,
      last30Days: archived.filter((instant) => instant > justBefore).length,
    },
  }
}

/** The users who own a project, or Unleash itself without owners. */
export function ownersOf({ members }: StoredProject, tables: Tables): Owner[] {
  const owners = members
    .filter(({ role }) => tables.roles.get(role)?.name === OWNER)
    .flatMap(({ id }) => tables.users.get(id) ?? [])
    .map((user): Owner => {
      const { name, username, email } = user
      return { ownerType: 'user', name: name ?? username ?? email ?? '', email, imageUrl: imageUrlOf(user) }
    })
  return owners.length === 0 ? [{ ownerType: 'system' }] : owners
}

const path = '/api/admin/projects'
export const projectOperations = operations('Projects', {
  getProjects: get(path, {
    summary: 'List the active projects',
    success: { status: 200, description: 'The projects', view: projectsView },
    run: ({ context, profile }) => {
      const { listed } = profile.projects
      const projects = activeProjects(context.tables).filter(({ id }) => listed?.includes(id) ?? true)
      return { body: projects }
    },
  }),

  getProjectOverview: get(`${path}/:projectId/overview`, {
    summary: 'Get a project: its settings, environments and statistics',
    success: ok('The project', projectOverviewSchema),
    run: ({ params, context }) => ({
      body: presentOverview(findActiveProject(context.tables, params.projectId), context),
    }),
  }),

  getProjectStatus: get(`${path}/:projectId/status`, {
    summary:
      'Get the state of a project: its resources, its activity, the stages of its flags; zeros for an unknown project',
    success: ok('The status', projectStatusSchema),
    errors: [],
    run: ({ params: { projectId: id }, context, tables }) => {
      const apiTokens = tables.apiTokens.list().filter(({ projects }) => projects.includes(id))
      const segments = tables.segments.list().filter((segment) => segment.project === id)
      const { health, technicalDebt } = ratingOf(context, id)
      const { staleCount, potentiallyStaleCount } = stalenessOf(context, id)
      const members = memberCount(tables.projects.get(id) ?? { members: [] })
      return {
        body: {
          resources: { members, apiTokens: apiTokens.length, segments: segments.length },
          activityCountByDate: activityByDate({ id }, context),
          health: { current: health },
          technicalDebt: { current: technicalDebt },
          lifecycleSummary: lifecycleSummary(id, context),
          staleFlags: { total: staleCount + potentiallyStaleCount },
        },
      }
    },
  }),

  getProjectFlagCreators: get(`${path}/:projectId/flag-creators`, {
    summary: 'List the creators of the flags of a project; none for an unknown project',
    success: ok('The users', z.array(flagCreatorSchema).meta({ id: 'projectFlagCreatorsSchema' })),
    errors: [],
    run: ({ params, tables }) => ({ body: flagCreators(tables.features.by('activeInProject', params.projectId)) }),
  }),

  getFlagCreators: get('/api/admin/flag-creators', {
    summary: 'List the creators of flags in any project, filtered by a part of their name, in pages',
    query: z.object({ ...pagingShape, q: z.string().optional() }),
    success: ok('A page of users, and the number of all', flagCreatorsSchema),
    run: ({ query, tables, profile }) => {
      const sought = (query.q ?? '').trim().toLowerCase()
      const creators = tables.features.cache.answer('creators', [], () => {
        const active = tables.features.list().filter(({ archived }) => !archived)
        return new Set(active.map(({ createdBy }) => createdBy.id))
      })
      const { adminTokenActor: name = apiTokenUser.name } = profile
      const found = [...tables.users.list(), { ...apiTokenUser, name }]
        .filter(
          ({ id, name, username, email }) =>
            creators.has(id) &&
            (name?.toLowerCase().includes(sought) ||
              [username, email].some((login) => login?.toLowerCase().startsWith(sought))),
        )
        .map((user) => ({ id: user.id, name: displayNameOf(user), isNameless: !user.name }))
        // Users without a name come last.
        .toSorted((a, b) => Number(a.isNameless) - Number(b.isNameless) || byName(a, b) || a.id - b.id)
        .map(({ id, name }) => ({ id, name }))
      return { body: { flagCreators: pageOf(found, query, { usual: 50, most: 10_000 }), total: found.length } }
    },
  }),
})
