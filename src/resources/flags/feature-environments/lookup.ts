import { type Failure, notFound } from '../../../contract/errors.js'
import type { Frozen } from '../../../support/freeze.js'
import { fail, ok, type Result } from '../../../support/result.js'
import type { Tables } from '../../shared/context.js'
import { findInProject } from '../features/lookup.js'
import type { FeatureRecord } from '../features/schema.js'
import type { FeatureEnvironment } from './schema.js'

/** PermissionScope in a path a feature and an environment of it are named. */
export interface FeaturePlace {
  projectId: string
  featureName: string
  environment: string
}

export interface FoundEnvironment {
  feature: Frozen<FeatureRecord>
  environment: Frozen<FeatureEnvironment>
}

/** A feature of the path's project, archived or not, in the path's environment. */
export function findFeatureEnvironment(
  tables: Tables,
  { projectId, featureName, environment: name }: FeaturePlace,
): Result<FoundEnvironment, Failure> {
  const feature = findInProject(tables, featureName, projectId)
  if (!feature.ok) return feature
  const environment = feature.value.environments.find((one) => one.name === name)
  return environment === undefined
    ? fail(notFound(`The feature "${featureName}" has no environment "${name}".`))
    : ok({ feature: feature.value, environment })
}
