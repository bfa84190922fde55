import type { Profile } from '../../../contract/profile.js'
import type { Frozen } from '../../../support/freeze.js'
import { isFavorite } from '../../flags/favorites/lookup.js'
import { describeEvent } from '../../instance/events/present.js'
import { isAdmin, projectRoles } from '../../people/roles/lookup.js'
import { imageUrlOf } from '../../people/users/present.js'
import type { UserRecord } from '../../people/users/schema.js'
import type { OperationContext, Tables } from '../../shared/context.js'
import { onboardingStatus } from '../activity/lookup.js'
import { ownersOf, presentProject, type Rated } from '../projects/present.js'
import type { ProjectRecord } from '../projects/schema.js'
import { stalenessOf, storedRating } from '../reports/lookup.js'

type User = Frozen<UserRecord>

/** The number of latest events shown per project. */
const LATEST = 10

/** The flags that a user created or marked as favorites, newest first. */
export function flagsOf({ id }: User, tables: Tables) {
  return tables.features
    .list()
    .filter((feature) => !feature.archived)
    .filter(({ createdBy, name }) => createdBy.id === id || isFavorite(tables, id, 'feature', name))
    .toSorted((one, other) => other.createdAt.localeCompare(one.createdAt))
    .map(({ name, type, project }) => ({ name, type, project }))
}

export function presentDashboardProject(rated: Rated, tables: Tables) {
  const { id, name, health, technicalDebt, memberCount, featureCount } = presentProject(rated, tables)
  return { id, name, health, technicalDebt, memberCount, featureCount }
}

/** The admins, who can give access. */
export function presentAdmins(tables: Tables) {
  return tables.users
    .list()
    .filter((user) => isAdmin(user, tables))
    .map((user) => ({
      id: user.id,
      ...(user.name === null ? {} : { name: user.name }),
      ...(user.username === null ? {} : { username: user.username }),
      ...(user.email === null ? {} : { email: user.email }),
      imageUrl: imageUrlOf(user),
    }))
}

/** One project, from a user's point of view. */
export function presentProjectDetails(
  project: Frozen<ProjectRecord>,
  user: User,
  context: OperationContext,
  profile: Profile,
) {
  const { tables } = context
  const { activeCount, staleCount, potentiallyStaleCount } = stalenessOf(context, project.id)
  const { health, technicalDebt } = storedRating(project, context, profile)
  return {
    latestEvents: latestEvents(project.id, context),
    onboardingStatus: onboardingStatus(project, tables),
    owners: ownersOf(project, tables),
    roles: projectRoles(user, tables, project.id).map(({ id, name, type }) => ({ id, name, type })),
    insights: {
      avgHealthCurrentWindow: null,
      avgHealthPastWindow: null,
      totalFlags: activeCount + staleCount,
      potentiallyStaleFlags: potentiallyStaleCount,
      staleFlags: staleCount,
      activeFlags: activeCount - potentiallyStaleCount,
      health,
      technicalDebt,
    },
  }
}

function latestEvents(project: string, { tables, baseUrl }: OperationContext) {
  const latest = [...tables.events.newestFirst()].filter((event) => event.project === project).slice(0, LATEST)
  return latest.map((event) => {
    const creator = tables.users.get(event.createdByUserId)
    return {
      id: event.id,
      createdAt: event.createdAt,
      createdBy: event.createdBy,
      createdByImageUrl: creator === undefined ? '' : imageUrlOf(creator),
      summary: describeEvent(event, baseUrl).summary,
    }
  })
}
