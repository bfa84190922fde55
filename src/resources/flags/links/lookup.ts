import { type Failure, notFound } from '../../../contract/errors.js'
import type { Frozen } from '../../../support/freeze.js'
import { fail, ok, type Result } from '../../../support/result.js'
import type { Tables } from '../../shared/context.js'
import { findActiveInProject } from '../features/lookup.js'
import type { FeatureRecord } from '../features/schema.js'
import type { FeatureLink } from './schema.js'

interface FoundLink {
  feature: Frozen<FeatureRecord>
  link: Frozen<FeatureLink>
}

/** A link of an active feature. */
export function findLink(
  tables: Tables,
  { projectId, featureName, linkId }: { projectId: string; featureName: string; linkId: string },
): Result<FoundLink, Failure> {
  const feature = findActiveInProject(tables, featureName, projectId)
  if (!feature.ok) return feature
  const link = feature.value.links.find(({ id }) => id === linkId)
  return link === undefined
    ? fail(notFound(`The feature "${featureName}" has no link "${linkId}".`))
    : ok({ feature: feature.value, link })
}
