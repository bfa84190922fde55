import { type Failure, notFound } from '../../../contract/errors.js'
import type { Profile } from '../../../contract/profile.js'
import type { Frozen } from '../../../support/freeze.js'
import { fail, ok, type Result } from '../../../support/result.js'
import { environmentsInOrder } from '../../projects/environments/rules.js'
import type { Tables } from '../../shared/context.js'
import type { FeatureRecord } from './schema.js'

type Found = Result<Frozen<FeatureRecord>, Failure>

/** The feature with this name in any project, active or archived. */
export function findFeature(tables: Tables, name: string): Found {
  const feature = tables.features.get(name)
  return feature === undefined ? fail(notFound(`There is no feature named "${name}".`)) : ok(feature)
}

/** The feature with this name in this project, active or archived. */
export function findInProject(tables: Tables, name: string, project: string): Found {
  const feature = tables.features.get(name)
  if (feature === undefined) return fail(notFound(`There is no feature named "${name}" in the project "${project}".`))
  if (feature.project !== project) {
    return fail(
      notFound(
        `There is no feature named "${name}" in the project "${project}"; there is one in "${feature.project}".`,
      ),
    )
  }
  return ok(feature)
}

export function findActiveInProject(tables: Tables, name: string, project: string): Found {
  const found = findInProject(tables, name, project)
  return found.ok && found.value.archived ? fail(notFound(`The feature "${name}" is archived.`)) : found
}

/** The names of a project's environments and of any others given, in the order in which the service shows them. */
export function environmentNames(tables: Tables, project: string, others: readonly string[] = []): string[] {
  const names = tables.projects.get(project)?.environments ?? []
  return environmentsInOrder([...names, ...others], tables.environments.list())
}

/**
 * The features with these names in this project, active or archived. Fails with the first that is missing or, if the
 * profile skips unknown names, with the first that is in another project.
 */
export function findAllInProject(
  tables: Tables,
  names: readonly string[],
  project: string,
  { features: { batchesSkipUnknown } }: Pick<Profile, 'features'>,
): Result<Frozen<FeatureRecord>[], Failure> {
  const features: Frozen<FeatureRecord>[] = []
  for (const name of names) {
    if (batchesSkipUnknown && !tables.features.has(name)) continue
    const found = findInProject(tables, name, project)
    if (!found.ok) return batchesSkipUnknown ? fail({ ...found.failure, kind: 'invalidOperation' }) : found
    features.push(found.value)
  }
  return ok(features)
}
