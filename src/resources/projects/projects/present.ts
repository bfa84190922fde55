import type { Shapes } from '../../../contract/profile.js'
import type { Frozen } from '../../../support/freeze.js'
import { isFavorite } from '../../flags/favorites/lookup.js'
import { imageUrlOf } from '../../people/users/present.js'
import type { Tables } from '../../shared/context.js'
import { latestEventAt } from '../activity/lookup.js'
import { onboardingStatus } from '../onboarding/lookup.js'
import type { Owner, Project, ProjectRecord } from './schema.js'

type Stored = Frozen<ProjectRecord>

/** The service rates projects by a job, from what it saw over days. Here they are as at the first. */
export const RATING = { health: 100, technicalDebt: 0 } as const

const OWNER = 'Owner'

/** A project as it is listed. `viewer` is the user whose favourite it may be. */
export function presentProject(project: Stored, tables: Tables, viewer?: number): Project {
  return {
    id: project.id,
    name: project.name,
    description: project.description,
    ...RATING,
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

/** A project in a list; the running service tells favourites to users only. */
export const presentListed: Readonly<Record<Shapes, (project: Stored, tables: Tables, viewer?: number) => unknown>> = {
  document: presentProject,
  service(project, tables, viewer) {
    const { favorite, ...shown } = presentProject(project, tables, viewer)
    return viewer === undefined ? shown : { ...shown, favorite }
  },
}

/** How many users have a role in a project. */
export function memberCount({ members }: Stored): number {
  return new Set(members.map(({ id }) => id)).size
}

/** The users who own a project; the service itself where nobody does. */
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
