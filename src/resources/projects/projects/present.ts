import type { Profile } from '../../../contract/profile.js'
import { DAY } from '../../../support/duration.js'
import type { Frozen } from '../../../support/freeze.js'
import { isFavorite } from '../../flags/favorites/lookup.js'
import { environmentNames } from '../../flags/features/lookup.js'
import type { FeatureRecord } from '../../flags/features/schema.js'
import { imageUrlOf } from '../../people/users/present.js'
import type { OperationContext, Tables } from '../../shared/context.js'
import { view } from '../../shared/operation.js'
import { activityByDate, latestEventAt, onboardingStatus, shownStats } from '../activity/lookup.js'
import { type Rating, ratingNow, stalenessOf, storedRating } from '../reports/lookup.js'
import { memberCount, typeCounts } from './rules.js'
import { type Owner, type Project, type ProjectRecord, projectsSchema, serviceProjectsSchema } from './schema.js'

type Stored = Frozen<ProjectRecord>

const OWNER = 'Owner'

/** A project and its rating. */
export interface Rated {
  project: Stored
  rating: Rating
}

/** A project in a list. `viewer` is the id of the user whose favorite it may be. */
export function presentProject({ project, rating }: Rated, tables: Tables, viewer?: number): Project {
  return {
    id: project.id,
    name: project.name,
    description: project.description,
    health: rating.health,
    technicalDebt: rating.technicalDebt,
    featureCount: tables.features.count('activeInProject', project.id),
    memberCount: memberCount(project),
    mode: project.mode,
    createdAt: project.createdAt,
    archivedAt: project.archivedAt,
    lastUpdatedAt: latestEventAt(project, tables),
    lastReportedFlagUsage: null,
    onboardingStatus: onboardingStatus(project, tables),
    owners: ownersOf(project, tables),
    favorite: isFavorite(tables, viewer, 'project', project.id),
  }
}

/** The list of projects. The running service shows favorites only to users. */
export const projectsView = view<readonly Rated[]>({
  documented: {
    schema: projectsSchema,
    present: (projects, { tables, caller: { user } }) => ({
      version: 1,
      projects: projects.map((project) => presentProject(project, tables, user?.id)),
    }),
  },
  'unleash-8': {
    schema: serviceProjectsSchema,
    present: (projects, { tables, caller: { user } }) => ({
      version: 1,
      projects: projects.map((project) => {
        const { favorite, ...shown } = presentProject(project, tables, user?.id)
        return user === undefined ? shown : { ...shown, favorite }
      }),
    }),
  },
})

/** A project with its settings, environments and numbers. */
export function presentOverview(project: Stored, { tables, caller, now }: OperationContext, profile: Profile) {
  const { health, technicalDebt, updatedAt } = storedRating(project, { tables, now }, profile)
  return {
    stats: shownStats(project, { tables, now }, profile),
    name: project.name,
    description: project.description,
    mode: project.mode,
    featureLimit: project.featureLimit,
    featureNaming: project.featureNaming,
    linkTemplates: project.linkTemplates,
    defaultStickiness: 'default',
    health,
    technicalDebt,
    favorite: isFavorite(tables, caller.user?.id, 'project', project.id),
    updatedAt,
    createdAt: project.createdAt,
    onboardingStatus: onboardingStatus(project, tables),
    environments: environmentNames(tables, project.id).map((environment) => {
      const defaultStrategy = project.defaultStrategies?.[environment]
      return defaultStrategy === undefined ? { environment } : { environment, defaultStrategy }
    }),
    featureTypeCounts: typeCounts(tables.features.by('activeInProject', project.id)),
    members: memberCount(project),
    version: 1,
  }
}

/** The state of a project: its resources, its activity, and the stages of its features. */
export function presentStatus(project: Stored, { tables, now }: Pick<OperationContext, 'tables' | 'now'>) {
  const features = tables.features.by('project', project.id)
  const apiTokens = tables.apiTokens.list().filter(({ projects }) => projects.includes(project.id))
  const segments = tables.segments.list().filter((segment) => segment.project === project.id)
  const { health, technicalDebt } = ratingNow({ tables, now }, project.id)
  const { staleCount, potentiallyStaleCount } = stalenessOf({ tables, now }, project.id)
  return {
    resources: { members: memberCount(project), apiTokens: apiTokens.length, segments: segments.length },
    activityCountByDate: activityByDate(project, tables, now),
    health: { current: health },
    technicalDebt: { current: technicalDebt },
    lifecycleSummary: lifecycleSummary(features, now),
    staleFlags: { total: staleCount + potentiallyStaleCount },
  }
}

function lifecycleSummary(features: readonly Frozen<FeatureRecord>[], now: Date) {
  const inStage = (stage: FeatureRecord['lifecycle']['stage']) => ({
    averageDays: null,
    currentFlags: features.filter(({ archived, lifecycle }) => !archived && lifecycle.stage === stage).length,
  })
  const archived = features.flatMap(({ archivedAt }) => archivedAt ?? [])
  const monthAgo = now.getTime() - 30 * DAY
  return {
    initial: inStage('initial'),
    preLive: inStage('pre-live'),
    live: inStage('live'),
    completed: inStage('completed'),
    archived: {
      currentFlags: archived.length,
      last30Days: archived.filter((instant) => Date.parse(instant) >= monthAgo).length,
    },
  }
}

/** The users who own a project, or the service itself if there are none. */
export function ownersOf({ members }: Stored, tables: Tables): Owner[] {
  const owners = members
    .filter(({ role }) => tables.roles.get(role)?.name === OWNER)
    .flatMap(({ id }) => tables.users.get(id) ?? [])
    .map((user): Owner => {
      const { name, username, email } = user
      return { ownerType: 'user', name: name ?? username ?? email ?? '', email, imageUrl: imageUrlOf(user) }
    })
  return owners.length === 0 ? [{ ownerType: 'system' }] : owners
}
