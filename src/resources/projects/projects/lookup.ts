import { type Failure, notFound } from '../../../contract/errors.js'
import type { Profile } from '../../../contract/profile.js'
import type { Frozen } from '../../../support/freeze.js'
import { fail, ok, type Result } from '../../../support/result.js'
import type { Tables } from '../../shared/context.js'
import type { ProjectRecord } from './schema.js'

/** The projects that the service shows: those that are not archived, and of these perhaps only some. */
export function listedProjects(tables: Tables, { projects: { listed } }: Profile): Frozen<ProjectRecord>[] {
  return tables.projects
    .list()
    .filter(({ id, archivedAt }) => archivedAt === null && (listed === undefined || listed.includes(id)))
}

/** The project with this id, if there is one that is not archived. */
export function findActiveProject(tables: Tables, id: string): Result<Frozen<ProjectRecord>, Failure> {
  const project = tables.projects.get(id)
  if (project === undefined || project.archivedAt !== null) {
    return fail(notFound(`There is no active project with the id "${id}".`))
  }
  return ok(project)
}
