import type { Frozen } from '../../support/freeze.js'
import { describeEvent } from '../events/describe.js'
import { isFavorite } from '../favorites/rules.js'
import { onboardingStatus } from '../projects/onboarding.js'
import { ownersOf, presentProject, RATING } from '../projects/present.js'
import type { ProjectRecord } from '../projects/schema.js'
import { isAdmin, projectRoles } from '../roles/rules.js'
import { imageUrlOf } from '../users/rules.js'
import type { UserRecord } from '../users/schema.js'
import type { Tables, World } from '../world.js'

type User = Frozen<UserRecord>

/** How many of the latest events of a project are shown. */
const LATEST = 10

/** The flags that a user made or likes, the newest first. */
export function flagsOf({ id }: User, tables: Tables) {
  return tables.features
    .list()
    .filter((feature) => !feature.archived)
    .filter(({ createdBy, name }) => createdBy.id === id || isFavorite(tables, id, 'feature', name))
    .toSorted((one, other) => other.createdAt.localeCompare(one.createdAt))
    .map(({ name, type, project }) => ({ name, type, project }))
}

export function presentDashboardProject(project: Frozen<ProjectRecord>, tables: Tables) {
  const { id, name, health, technicalDebt, memberCount, featureCount } = presentProject(project, tables)
  return { id, name, health, technicalDebt, memberCount, featureCount }
}

/** Whom to ask for access. */
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

/** One project, as it concerns a user. */
export function presentProjectDetails(project: Frozen<ProjectRecord>, user: User, world: World) {
  const { tables } = world
  const flags = tables.features.by('activeInProject', project.id)
  const staleFlags = flags.filter(({ stale }) => stale).length
  return {
    latestEvents: latestEvents(project.id, world),
    onboardingStatus: onboardingStatus(project, tables),
    owners: ownersOf(project, tables),
    roles: projectRoles(user, tables, project.id).map(({ id, name, type }) => ({ id, name, type })),
    insights: {
      avgHealthCurrentWindow: null,
      avgHealthPastWindow: null,
      totalFlags: flags.length,
      potentiallyStaleFlags: 0,
      staleFlags,
      activeFlags: flags.length - staleFlags,
      ...RATING,
    },
  }
}

function latestEvents(project: string, { tables, baseUrl }: World) {
  const latest = [...tables.events.newestFirst()].filter((event) => event.project === project).slice(0, LATEST)
  return latest.map((event) => {
    const maker = tables.users.get(event.createdByUserId)
    return {
      id: event.id,
      createdAt: event.createdAt,
      createdBy: event.createdBy,
      createdByImageUrl: maker === undefined ? '' : imageUrlOf(maker),
      summary: describeEvent(event, baseUrl).summary,
    }
  })
}
