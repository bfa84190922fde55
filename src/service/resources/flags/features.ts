import * as z from 'zod'
import { type Frozen, none } from '../../../support/freeze.js'
import { type Actor, actorSchema } from '../people/users.js'
import { nameRule } from '../shared/checks.js'
import { completed, consequent, field, given, instant, openEnum, optional, written } from '../shared/fields.js'
import { recordsBy } from '../shared/merge-patch.js'
import { object } from '../shared/object.js'
import { pick } from '../shared/pick.js'
import { fixtureInstantSchema, instantSchema, named, sentInstantSchema } from '../shared/schema.js'
import { dependencySchema } from './dependencies.js'
import {
  type FeatureEnvironment,
  featureEnvironmentFixtureSchema,
  featureEnvironmentSchema,
} from './feature-environments.js'
import { builtInFeatureTypes } from './feature-types.js'
import { enterStage, lifecycleFixtureSchema, lifecycleSchema } from './lifecycle.js'
import { featureLinkSchema, linkFixtureSchema } from './links.js'
import { strategySchema } from './strategies.js'
import { sentTagOfFeatureSchema, tagSchema } from './tags.js'
import { variantSchema } from './variants.js'

export const featureName = nameRule({ shortest: 1, longest: 100 })

const collaboratorsSchema = named('collaboratorsSchema', () => ({
  users: field(z.array(actorSchema), 'The users, with their names and pictures.'),
}))

/** A feature as stored, and as in snapshots. */
export const featureRecordSchema = object(() => ({
  name: given(z.string(), z.string().min(1), 'The name, unique in the instance.'),
  type: given(z.string(), openEnum(builtInFeatureTypes), 'release', 'The type: built-in, or from `featureTypes`.'),
  description: optional(z.string().nullable(), null, 'The description.'),
  project: optional(z.string(), 'default', 'The ID of its project.'),
  stale: optional(z.boolean(), false, 'Whether it is marked as stale.'),
  impressionData: optional(z.boolean(), false, 'Whether SDKs report each evaluation.'),
  archived: given(
    z.boolean(),
    z.boolean().optional(),
    'Whether it is archived. Default: whether it has an `archivedAt`.',
  ),
  archivedAt: given(
    instantSchema.nullable(),
    fixtureInstantSchema.nullable().optional(),
    "The time of archiving; null if it isn't archived.",
  ),
  createdAt: written(instant('now', 'The time of creation.')),
  createdBy: written(
    given(
      actorSchema,
      actorSchema
        .partial({
          name: true,
          imageUrl: true,
        })
        .optional(),
      'The user who created it. Default: the first user.',
    ),
  ),
  lastSeenAt: written(instant(null, 'The time of the last use by an SDK; null for never.')),
  lifecycle: written(
    given(
      lifecycleSchema,
      lifecycleFixtureSchema.optional(),
      'The lifecycle stage. Default: `initial`, or `archived`.',
    ),
  ),
  pastStages: written(
    given(z.array(lifecycleSchema), z.array(lifecycleFixtureSchema), [], 'Earlier lifecycle stages, oldest first.'),
  ),
  dependencies: optional(z.array(dependencySchema), [], 'The parent features that it depends on.'),
  collaborators: consequent(
    given(collaboratorsSchema, collaboratorsSchema.optional(), 'The users who changed it. Default: its creator.'),
  ),
  tags: optional(z.array(tagSchema), [], 'Its tags.'),
  links: given(z.array(featureLinkSchema), z.array(linkFixtureSchema), [], 'Links to related pages.'),
  environments: given(
    z.array(featureEnvironmentSchema),
    recordsBy('name', featureEnvironmentFixtureSchema).optional(),
    'Its settings in each environment. In omitted environments of its project it is off, without strategies.',
  ),
  detached: field(
    z
      .array(
        featureEnvironmentSchema.pick({
          name: true,
          strategies: true,
        }),
      )
      .optional(),
    'Strategies in environments that its project is disconnected from. They return with the connection.',
  ),
}))

export type FeatureRecord = z.infer<typeof featureRecordSchema>

export type StoredFeature = Frozen<FeatureRecord>

const strategyOfFeatureSchema = named(
  'strategyOfFeatureSchema',
  () => strategySchema.extend({ title: z.string().optional(), featureName: z.string() }).shape,
)

export const environmentOfFeatureSchema = named('featureEnvironmentSchema', () => ({
  name: z.string(),
  featureName: z.string(),
  environment: z.string(),
  type: z.string(),
  enabled: z.boolean(),
  sortOrder: z.int(),
  variantCount: z.int(),
  strategies: z.array(strategyOfFeatureSchema),
  variants: z.array(variantSchema),
  lastSeenAt: instantSchema.optional(),
  hasStrategies: z.boolean(),
  hasEnabledStrategies: z.boolean(),
}))

/** A feature with all documented fields. The document marks the nullable fields; others without a value are absent. */
export const featureSchema = named('featureSchema', () => ({
  name: z.string(),
  type: z.string(),
  description: z.string().nullable(),
  archived: z.boolean(),
  project: z.string(),
  enabled: z.boolean(),
  stale: z.boolean(),
  favorite: z.boolean(),
  impressionData: z.boolean(),
  createdAt: instantSchema.nullable(),
  createdBy: actorSchema,
  archivedAt: instantSchema.nullable(),
  lastSeenAt: instantSchema.nullable().meta({ deprecated: true }),
  environments: z.array(environmentOfFeatureSchema),
  variants: z.array(variantSchema).meta({ deprecated: true }),
  strategies: z.array(strategyOfFeatureSchema).meta({ deprecated: true }),
  tags: z.array(tagSchema).nullable(),
  children: z.array(z.string()),
  lifecycle: lifecycleSchema,
  dependencies: z.array(dependencySchema),
  collaborators: collaboratorsSchema,
}))

export type Feature = z.infer<typeof featureSchema> & Pick<FeatureRecord, 'createdAt' | 'tags'>

/** The settings of a feature. Requests can set them, and its copies, exports and SDKs have them. */
export const featureSettings = { type: true, description: true, impressionData: true, stale: true } as const

const settingsSchema = object(() => featureRecordSchema.pick(featureSettings).shape)

/** The fields of a feature that a request can set, at its creation and later. */
export const sentFeatureSchema = object(() => ({
  name: featureName.schema,
  ...settingsSchema.partial().shape,
  archived: z.boolean().optional(),
}))

/** A feature in brief: as in events, and as in Unleash's response to its creation or change. */
export const featureSummarySchema = named(
  'featureSummarySchema',
  () =>
    featureSchema
      .pick({
        name: true,
        ...featureSettings,
        project: true,
        createdAt: true,
        archived: true,
      })
      .extend({ createdAt: instantSchema, archivedAt: instantSchema.optional() }).shape,
)

/** The body of a new feature, for these types. */
export function createFeatureSchemaWith(types: readonly string[]) {
  return sentFeatureSchema.extend({
    type: z.enum(types).optional(),
    createdAt: sentInstantSchema.optional(),
    tags: z.array(sentTagOfFeatureSchema).optional(),
  })
}

export const createFeatureSchema = named(
  'createFeatureSchema',
  () => createFeatureSchemaWith(builtInFeatureTypes).shape,
)

export const batchFeaturesSchema = named('batchFeaturesSchema', () => ({ features: z.array(z.string()) }))

/** The data of a new feature that a pure rule can't determine: the time, the caller, the place and new IDs. */
export interface CreationContext {
  now: string
  actor: Actor
  project: string
  /** The names of its environments, in order. */
  environments: readonly string[]
  links?: FeatureRecord['links']
  newStrategyId: () => string
}

/** The caller's settings for a new feature, with `createdAt` as stored. */
type FeatureInput = z.infer<typeof createFeatureSchema>

export const settingsOf = pick(settingsSchema.partial())

/** A new feature: disabled in every environment, without strategies. */
export function createFeatureRecord(
  input: FeatureInput,
  { now, actor, project, environments, links = none }: Omit<CreationContext, 'newStrategyId'>,
): FeatureRecord {
  const { description, archived = false, createdAt = now, ...others } = input
  const own = {
    description: description || null,
    project,
    archived,
    archivedAt: archived ? now : null,
    createdAt,
    createdBy: actor,
    lifecycle: { stage: 'initial', enteredStageAt: now },
    collaborators: { users: [actor] },
    links,
    environments: environments.map((name) => emptyEnvironment(name)),
  } as const
  return completed(featureRecordSchema, others, { now: new Date(now) }, own)
}

export function emptyEnvironment(name: string, enabled = false): FeatureEnvironment {
  return { name, enabled, lastSeenAt: null, strategies: none, variants: none }
}

/** The feature, archived at a given time. It stays enabled where it is, as its records do in Unleash. */
export function archiveFeatureRecord(feature: StoredFeature, now: string): StoredFeature {
  return {
    ...feature,
    archived: true,
    archivedAt: now,
    ...enterStage(feature, { stage: 'archived', enteredStageAt: now }),
  }
}

/** An archived feature, revived: disabled everywhere, at the first stage of its lifecycle. */
export function reviveFeatureRecord(feature: StoredFeature, now: string): StoredFeature {
  const lifecycle = { stage: 'initial', enteredStageAt: now } as const
  const environments = feature.environments.map((environment) => ({ ...environment, enabled: false }))
  return { ...feature, archived: false, archivedAt: null, lifecycle, pastStages: [], environments }
}

/** The feature after an update. Omitted fields get their defaults, so an archived feature becomes active. Its stage stays. */
export function updateFeatureRecord(
  feature: StoredFeature,
  input: Omit<FeatureInput, 'name' | 'createdAt' | 'tags'>,
  now: string,
): StoredFeature {
  const { archived = false } = input
  const settings = completed(settingsSchema, settingsOf(input), { now: new Date(now) })
  const description = settings.description || null
  return { ...feature, ...settings, description, archived, archivedAt: archived ? now : null }
}

/** The environments in which a feature has or can have strategies: its own, and the detached ones. */
export function placesOf({ environments, detached = [] }: StoredFeature) {
  return [...environments, ...detached]
}
