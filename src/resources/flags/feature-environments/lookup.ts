import { type Failure, notFound } from '../../../contract/errors.js'
import type { Frozen } from '../../../support/freeze.js'
import { fail, ok, type Result } from '../../../support/result.js'
import type { Tables } from '../../shared/context.js'
import { findInProject } from '../features/lookup.js'
import type { FeatureRecord } from '../features/schema.js'
import type { FeatureEnvironment } from './schema.js'

/** The path parameters that name a feature and one of its environments. */
export interface FeaturePlace {
  projectId: string
  featureName: string
  environment: string
}

export interface FoundEnvironment {
  feature: Frozen<FeatureRecord>
  environment: Frozen<FeatureEnvironment>
}

/** A feature in an environment. It may be archived. */
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
