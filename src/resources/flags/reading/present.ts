import type { Frozen } from '../../../support/freeze.js'
import { byEnvironment } from '../../projects/environments/rules.js'
import { countsOf } from '../../sdk/client-metrics/lookup.js'
import type { OperationContext } from '../../shared/context.js'
import { view } from '../../shared/operation.js'
import { activeChildren } from '../dependencies/lookup.js'
import { isFavorite } from '../favorites/lookup.js'
import { presentEnvironment, presentFeature } from '../features/present.js'
import { type FeatureRecord, featureSchema } from '../features/schema.js'
import {
  projectFeaturesSchema,
  type ServiceFeature,
  serviceFeatureSchema,
  serviceProjectFeaturesSchema,
} from './schema.js'

type Stored = Frozen<FeatureRecord>

interface ReadFeature {
  feature: Stored
  /** Whether the caller asked for the variants of its environments. */
  withVariants: boolean
}

/** One feature as the running service answers it. */
function presentServiceFeature(
  { feature, withVariants }: ReadFeature,
  { tables, caller, now }: OperationContext,
): Frozen<ServiceFeature> {
  const environments = byEnvironment(feature.environments, tables.environments).map((environment) => {
    const { name, type, enabled, sortOrder, lastSeenAt } = presentEnvironment(environment, tables)
    const { strategies, variants } = environment
    const counts = countsOf(tables, now, { featureName: feature.name, environment: name })
    return { name, lastSeenAt, enabled, ...counts, type, sortOrder, strategies, variants }
  })
  return {
    environments: (environments.length === 0 ? [NO_ENVIRONMENT] : environments).map(({ variants, ...shown }) =>
      withVariants ? { ...shown, variants } : shown,
    ),
    name: feature.name,
    ...(caller.user === undefined ? {} : { favorite: isFavorite(tables, caller.id, 'feature', feature.name) }),
    impressionData: feature.impressionData,
    description: feature.description,
    project: feature.project,
    stale: feature.stale,
    createdAt: feature.createdAt,
    createdBy: feature.createdBy,
    type: feature.type,
    archived: feature.archived,
    dependencies: feature.dependencies,
    children: activeChildren(tables, feature.name),
    lifecycle: feature.lifecycle,
    links: withVariants ? feature.links : feature.links.map((link) => ({ ...link, feature: feature.name })),
    collaborators: feature.collaborators,
  }
}

/** The single entry that the service shows when a feature is in no environment. */
const NO_ENVIRONMENT = {
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

/** A feature as the list of a project shows it, with counts in place of strategies and variants. */
function presentListedFeature(feature: Stored, { tables, caller }: OperationContext) {
  return {
    type: feature.type,
    description: feature.description,
    favorite: isFavorite(tables, caller.id, 'feature', feature.name),
    name: feature.name,
    createdAt: feature.createdAt,
    stale: feature.stale,
    impressionData: feature.impressionData,
    tags: feature.tags,
    environments: byEnvironment(feature.environments, tables.environments).map((environment) =>
      presentEnvironment(environment, tables),
    ),
  }
}

/** The same as the running service shows it: `tags` only if there are any. */
export function presentServiceListedFeature(feature: Stored, context: OperationContext) {
  const { tags, ...listed } = presentListedFeature(feature, context)
  return tags.length === 0 ? listed : { ...listed, tags }
}

export const featureView = view<ReadFeature>({
  documented: {
    schema: featureSchema,
    present: ({ feature }, { tables, caller }) => presentFeature(feature, tables, caller.id),
  },
  'unleash-8': { schema: serviceFeatureSchema, present: presentServiceFeature },
})

export const projectFeaturesView = view<readonly Stored[]>({
  documented: {
    schema: projectFeaturesSchema,
    present: (features, context) => ({
      version: 2,
      features: features.map((feature) => presentListedFeature(feature, context)),
    }),
  },
  'unleash-8': {
    schema: serviceProjectFeaturesSchema,
    present: (features, context) => ({
      version: 2,
      features: features.map((feature) => presentServiceListedFeature(feature, context)),
    }),
  },
})
