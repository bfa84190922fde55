import type { Frozen } from '../../../support/freeze.js'
import type { Tables } from '../../shared/context.js'
import { isFavorite } from '../favorites/lookup.js'
import { presentChildren, presentEnvironment, presentListedFeature } from './present.js'
import type { FeatureRecord } from './schema.js'
import type { ServiceFeature } from './service-schema.js'

type Stored = Frozen<FeatureRecord>

/** Who reads a feature, and what they ask to see. */
export interface Reader {
  viewer: number
  withVariants: boolean
}

/** A feature as the running service reads it back. */
export function presentServiceFeature(
  feature: Stored,
  tables: Tables,
  { viewer, withVariants }: Reader,
): Frozen<ServiceFeature> {
  const environments = feature.environments.map((environment) => {
    const { name, type, enabled, sortOrder, lastSeenAt } = presentEnvironment(environment, tables)
    const { strategies, variants } = environment
    return { name, lastSeenAt, enabled, yes: 0, no: 0, type, sortOrder, strategies, variants }
  })
  return {
    environments: (environments.length === 0 ? [NOWHERE] : environments).map(({ variants, ...shown }) =>
      withVariants ? { ...shown, variants } : shown,
    ),
    name: feature.name,
    ...(isUser(viewer) ? { favorite: isFavorite(tables, viewer, 'feature', feature.name) } : {}),
    impressionData: feature.impressionData,
    description: feature.description,
    project: feature.project,
    stale: feature.stale,
    createdAt: feature.createdAt,
    createdBy: feature.createdBy,
    type: feature.type,
    archived: feature.archived,
    dependencies: feature.dependencies,
    children: presentChildren(feature, tables),
    lifecycle: feature.lifecycle,
    links: withVariants ? feature.links : feature.links.map((link) => ({ ...link, feature: feature.name })),
    collaborators: feature.collaborators,
  }
}

/** What the service shows of a feature that is in no environment: one that is none. */
const NOWHERE = {
  name: null,
  lastSeenAt: null,
  enabled: null,
  yes: 0,
  no: 0,
  type: null,
  sortOrder: null,
  strategies: [],
  variants: [],
}

/** API tokens have ids below zero. */
function isUser(id: number): boolean {
  return id > 0
}

/** A feature as the running service lists it: tags only where there are any. */
export function presentServiceListedFeature(feature: Stored, tables: Tables, viewer?: number) {
  const { tags, ...listed } = presentListedFeature(feature, tables, viewer)
  return tags.length === 0 ? listed : { ...listed, tags }
}
