import { type Failure, notFound } from '../../../contract/errors.js'
import type { Frozen } from '../../../support/freeze.js'
import { fail, ok, type Result } from '../../../support/result.js'
import { environmentsInOrder } from '../../projects/environments/rules.js'
import type { Tables } from '../../shared/context.js'
import type { FeatureRecord } from './schema.js'

type Found = Result<Frozen<FeatureRecord>, Failure>

/** The feature with this name, wherever it lives, archived or not. */
export function findFeature(tables: Tables, name: string): Found {
  const feature = tables.features.get(name)
  return feature === undefined ? fail(notFound(`There is no feature named "${name}".`)) : ok(feature)
}

/** The feature with this name in this project, archived or not. */
export function findInProject(tables: Tables, name: string, project: string): Found {
  const feature = tables.features.get(name)
  if (feature === undefined) return fail(notFound(`There is no feature named "${name}" in the project "${project}".`))
  if (feature.project !== project) {
    return fail(
      notFound(`There is no feature named "${name}" in the project "${project}"; one lives in "${feature.project}".`),
    )
  }
  return ok(feature)
}

/** The feature with this name in this project, if it is not archived. */
export function findFeatureInProject(tables: Tables, name: string, project: string): Found {
  const found = findInProject(tables, name, project)
  return found.ok && found.value.archived ? fail(notFound(`The feature "${name}" is archived.`)) : found
}

/** A refusal if a name is taken: by any project's feature, archived ones too. */
export function checkNameIsFree(tables: Tables, name: string): Failure | undefined {
  const holder = tables.features.get(name)
  if (holder === undefined) return undefined
  const what = holder.archived ? 'An archived feature' : 'A feature'
  return { kind: 'nameExists', message: `${what} with the name "${name}" exists already.` }
}

/** The names of a project's environments, and of further ones, in their order. */
export function environmentNames(tables: Tables, project: string, further: readonly string[] = []): string[] {
  const names = tables.projects.get(project)?.environments ?? []
  return environmentsInOrder([...names, ...further], tables.environments.list())
}

/** The features with these names, all in this project, archived or not; or the refusal of the first that is not. */
export function findAllInProject(
  tables: Tables,
  names: readonly string[],
  project: string,
): Result<Frozen<FeatureRecord>[], Failure> {
  const features: Frozen<FeatureRecord>[] = []
  for (const name of names) {
    const found = findInProject(tables, name, project)
    if (!found.ok) return found
    features.push(found.value)
  }
  return ok(features)
}
