import { type Failure, notFound } from '../../../contract/errors.js'
import type { Profile } from '../../../contract/profile.js'
import type { Frozen } from '../../../support/freeze.js'
import { fail, ok, type Result } from '../../../support/result.js'
import { isFavorite } from '../../flags/favorites/lookup.js'
import { displayNameOf } from '../../people/users/rules.js'
import type { UserRecord } from '../../people/users/schema.js'
import type { Tables } from '../../shared/context.js'
import { flagCreators } from './rules.js'
import type { FlagCreator, ProjectRecord } from './schema.js'

/** The active projects that the service lists, which may be only some of them, by name. */
export function listedProjects(tables: Tables, { projects: { listed } }: Profile): Frozen<ProjectRecord>[] {
  return activeProjects(tables).filter(({ id }) => listed === undefined || listed.includes(id))
}

/** The active projects that are a user's own, by name: those with a role of the user, and the favorites. */
export function projectsOfUser(tables: Tables, user: Frozen<UserRecord>): Frozen<ProjectRecord>[] {
  return activeProjects(tables).filter(
    ({ id, members }) =>
      // A root role counts in the project that every instance has.
      id === DEFAULT_PROJECT ||
      members.some((member) => member.id === user.id) ||
      isFavorite(tables, user.id, 'project', id),
  )
}

/** The project that every instance has. */
const DEFAULT_PROJECT = 'default'

function activeProjects(tables: Tables): Frozen<ProjectRecord>[] {
  const active = tables.projects.list().filter(({ archivedAt }) => archivedAt === null)
  return active.toSorted((one, other) => one.name.localeCompare(other.name))
}

/** The project with this id, if it exists and is not archived. */
export function findActiveProject(tables: Tables, id: string): Result<Frozen<ProjectRecord>, Failure> {
  const project = tables.projects.get(id)
  if (project === undefined || project.archivedAt !== null) {
    return fail(notFound(`There is no active project with the id "${id}".`))
  }
  return ok(project)
}

/**
 * The users who created active features, by name. With a text, only users whose name contains it, or whose username or
 * e-mail begins with it.
 */
export function findFlagCreators({ users, features }: Tables, text = ''): FlagCreator[] {
  const sought = text.trim().toLowerCase()
  const active = features.list().filter(({ archived }) => !archived)
  const ids = new Set(flagCreators(active).map(({ id }) => id))
  return users
    .list()
    .filter(
      ({ id, name, username, email }) =>
        ids.has(id) &&
        (name?.toLowerCase().includes(sought) ||
          [username, email].some((login) => login?.toLowerCase().startsWith(sought))),
    )
    .map((user) => ({ id: user.id, name: displayNameOf(user) }))
    .toSorted((one, other) => one.name.localeCompare(other.name) || one.id - other.id)
}
