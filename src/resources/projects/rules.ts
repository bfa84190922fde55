import { type Failure, notFound } from '../../contract/errors.js'
import type { Frozen } from '../../support/freeze.js'
import { fail, ok, type Result } from '../../support/result.js'
import type { Tables } from '../world.js'
import type { Project, ProjectRecord } from './schema.js'

/** The project with this id, if there is one that is not archived. */
export function findActiveProject(tables: Tables, id: string): Result<Frozen<ProjectRecord>, Failure> {
  const project = tables.projects.get(id)
  if (project === undefined || project.archivedAt !== null) {
    return fail(notFound(`There is no active project with the id "${id}".`))
  }
  return ok(project)
}

export function presentProject(project: Frozen<ProjectRecord>, tables: Tables): Project {
  return {
    id: project.id,
    name: project.name,
    description: project.description,
    health: 100,
    technicalDebt: 0,
    featureCount: tables.features.count('activeInProject', project.id),
    memberCount: 0,
    mode: project.mode,
    createdAt: project.createdAt,
    archivedAt: project.archivedAt,
    lastUpdatedAt: project.updatedAt,
    lastReportedFlagUsage: null,
    owners: [{ ownerType: 'system' }],
  }
}
