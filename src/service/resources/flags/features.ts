import * as z from 'zod'
import { assigned, type Frozen, none } from '../../../support/freeze.js'
import { isObject, show } from '../../../support/json.js'
import { isBuiltIn } from '../../evaluation/strategies.js'
import { type Actor, actorOf, actorSchema, avatarOf } from '../people/users.js'
import { environmentsInOrder } from '../projects/environments.js'
import { duplicateFaults, nameRule } from '../shared/checks.js'
import {
  completed,
  computed,
  consequent,
  type FieldsOf,
  field,
  given,
  givenShape,
  instant,
  openEnum,
  optional,
  written,
} from '../shared/fields.js'
import { type Patch, recordsBy } from '../shared/merge-patch.js'
import { object, strictObject } from '../shared/object.js'
import { pick } from '../shared/pick.js'
import { fixtureInstantSchema, instantSchema, named, sentInstantSchema, toInstant } from '../shared/schema.js'
import { type DataFault, defineTable, type FixtureContext, instantOr, type KnownRecords } from '../shared/table.js'
import { builtInStrategyTypes } from '../targeting/strategy-types.js'
import { Circles, dependencySchema } from './dependencies.js'
import {
  completeFeatureEnvironment,
  type FeatureEnvironment,
  featureEnvironmentFixtureSchema,
  featureEnvironmentSchema,
} from './feature-environments.js'
import { builtInFeatureTypes } from './feature-types.js'
import { enterStage, lifecycleFixtureSchema, lifecycleSchema } from './lifecycle.js'
import { featureLinkSchema, linkFixtureSchema } from './links.js'
import { strategySchema } from './strategies.js'
import { SIMPLE, sentTagOfFeatureSchema, tagKey, tagSchema } from './tags.js'
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

interface GivenArchiving {
  archived?: boolean | undefined
  archivedAt?: string | null | undefined
  environments?: readonly { name: string }[] | object | undefined
}

/** The errors of a feature in seed data, except for its references. */
function faultsOfGiven(
  feature: StoredFeature,
  { archived, archivedAt, environments }: GivenArchiving,
  find: (name: string) => StoredFeature | undefined,
  circles: Circles,
): readonly DataFault[] {
  const faults: DataFault[] = []
  if (archived !== undefined && archivedAt !== undefined && archived !== (archivedAt !== null)) {
    const message = `is ${archived}, but archivedAt is ${archivedAt === null ? 'null' : `"${archivedAt}"`}: give only one of them`
    faults.push({ path: 'archived', message })
  }
  if (Array.isArray(environments) && environments.length > 1) {
    const names = environments.map(({ name }: { name: string }) => name)
    faults.push(...duplicateFaults('environments', names))
  } else if (isObject(environments)) {
    for (const [name, given] of Object.entries(environments)) {
      if (!isObject(given) || given.name === undefined || given.name === name) continue
      faults.push({ path: `environments.${name}.name`, message: `must be ${show(name)}, but is ${show(given.name)}` })
    }
  }
  const circle = feature.dependencies.length === 0 ? undefined : circles.of(feature, find)
  if (circle !== undefined) {
    faults.push({ path: 'dependencies', message: `lead in a circle: ${circle}` })
  }
  return faults
}

/** Fields of seed data that responses have, or that stand for several environments. */
const furtherFields = {
  onlyIn: field(z.array(z.string()).optional(), "Its further environments, if it isn't in all of its project's."),
  enabled: field(z.boolean().optional(), 'Enables or disables it in every environment without its own `enabled`.'),
  favorite: computed(z.boolean(), "Whether it is a user's favorite, computed from `favorites`."),
  children: computed(z.array(z.string()), 'The features that depend on it, computed from their `dependencies`.'),
  variants: field(
    z.array(z.never('belongs to an environment. Give it in environments[].variants.')).optional(),
    'Variants belong to an environment: see `environments`. Responses have an empty list here.',
  ),
  strategies: field(
    z.array(z.never('belongs to an environment. Give it in environments[].strategies.')).optional(),
    'Strategies belong to an environment: see `environments`. Responses have an empty list here.',
  ),
}

const featureFixtureSchema = strictObject(() => ({ ...givenShape(featureRecordSchema), ...furtherFields }))

type FeatureFixture = z.infer<typeof featureFixtureSchema>

const builtIn: ReadonlySet<string> = new Set(builtInFeatureTypes)

/** The creator of a feature whose fixture names none. */
const FIRST_USER = 1

/** The fields that depend on each other, or on other records. */
function ownFields(given: FeatureFixture, context: FixtureContext): FieldsOf<FeatureRecord> {
  const { ids } = context
  const now = toInstant(context.now)
  const createdBy = makerOf(given, context)
  const createdAt = instantOr(given.createdAt, now, context)
  const archived = given.archived ?? (given.archivedAt !== undefined && given.archivedAt !== null)
  const archivedAt = archived ? instantOr(given.archivedAt, now, context) : null
  const stage = given.lifecycle ?? { stage: archived ? ('archived' as const) : ('initial' as const) }
  return {
    archived,
    archivedAt,
    createdAt,
    createdBy,
    lifecycle: assigned(stage, { enteredStageAt: instantOr(stage.enteredStageAt, archivedAt ?? createdAt, context) }),
    pastStages: given.pastStages?.map((past) =>
      assigned(past, { enteredStageAt: instantOr(past.enteredStageAt, createdAt, context) }),
    ),
    collaborators: given.collaborators ?? { users: [createdBy] },
    links: given.links?.map((link) =>
      completed(featureLinkSchema, link, context, { id: link.id ?? ids.ulid(context.now.getTime()) }),
    ),
    environments: completeEnvironments(given, given.project ?? 'default', context),
  }
}

function makerOf({ createdBy }: FeatureFixture, { users }: FixtureContext): Actor {
  const known = knownActor(createdBy?.id ?? FIRST_USER, users)
  if (createdBy === undefined) return known
  const { id, name = known.name, imageUrl = known.imageUrl } = createdBy
  return { id, name, imageUrl }
}

function completeEnvironments(given: FeatureFixture, project: string, context: FixtureContext): FeatureEnvironment[] {
  const fixtures = given.environments ?? []
  const connected = context.projects.get(project)?.environments ?? []
  const others = given.onlyIn ?? environmentsInOrder(connected, context.environments.list())
  const missing = others.filter((name) => !fixtures.some((fixture) => fixture.name === name))
  return [
    ...fixtures.map((fixture) => completeFeatureEnvironment(fixture, given, context)),
    ...missing.map((name) => emptyEnvironment(name, given.enabled)),
  ]
}

function knownActor(id: number, users: KnownRecords['users']): Actor {
  const user = users.get(id)
  const name = `User ${id}`
  return user === undefined ? { id, name, imageUrl: avatarOf(name) } : actorOf(user)
}

/** The environments in which a feature has or can have strategies: its own, and the detached ones. */
export function placesOf({ environments, detached = [] }: StoredFeature) {
  return [...environments, ...detached]
}

function strategiesOf(feature: StoredFeature) {
  return placesOf(feature).flatMap(({ strategies }) => strategies)
}

/** `enabled` applies to all environments, another creator has another name, and archiving or reviving starts a stage. */
function implies(shown: FeatureInState, { enabled, archived, archivedAt, createdBy }: Patch<FeatureFixture>): object {
  const { environments, createdBy: maker, lifecycle, pastStages } = shown
  const willBeArchived = archived ?? (archivedAt === undefined ? shown.archived : archivedAt !== null)
  return {
    ...(typeof enabled === 'boolean' ? { environments: environments.map(({ name }) => ({ name, enabled })) } : {}),
    ...(createdBy && createdBy.id !== maker.id ? { createdBy: { name: null, imageUrl: null } } : {}),
    ...(willBeArchived === shown.archived
      ? {}
      : {
          archived: null,
          archivedAt: null,
          lifecycle: null,
          pastStages: willBeArchived ? [...pastStages, lifecycle] : [],
        }),
  }
}

/** A feature in a snapshot: with its environments, if they differ from its project's. */
type FeatureInState = FeatureRecord & { onlyIn?: string[] }

function showFeature(feature: StoredFeature, { projects }: KnownRecords): Frozen<FeatureInState> {
  const names = feature.environments.map(({ name }) => name)
  const isEverywhere = projects.get(feature.project)?.environments.every((name) => names.includes(name)) ?? true
  return isEverywhere ? feature : { ...feature, onlyIn: names }
}

export const featureTable = defineTable({
  meaning: 'Feature flags. Only `name` is needed.',
  record: featureRecordSchema,
  keyName: 'a feature',
  key: ({ name }) => name,
  indexes: {
    project: ({ project }) => [project],
    activeInProject: ({ project, archived }) => (archived ? [] : [project]),
    parent: ({ dependencies }) => dependencies.map(({ feature }) => feature),
    tag: ({ tags }) => tags.map(tagKey),
    link: ({ links }) => links.map(({ id }) => id),
    strategy: (feature) => strategiesOf(feature).map(({ id }) => id),
    segment: (feature) => strategiesOf(feature).flatMap(({ segments }) => segments),
    contextField: (feature) =>
      strategiesOf(feature).flatMap(({ constraints }) => constraints.map(({ contextName }) => contextName)),
  },
  more: furtherFields,
  own: ownFields,
  implies,
  *references({ project, type, environments, dependencies, tags }) {
    yield { at: 'project', to: 'projects', key: project }
    if (!builtIn.has(type)) yield { at: 'type', to: 'featureTypes', key: type, onWriting: true }
    for (const [i, tag] of tags.entries()) {
      if (tag.type !== SIMPLE) yield { at: `tags[${i}].type`, to: 'tagTypes', key: tag.type, onWriting: true }
    }
    for (const [i, { name, strategies }] of environments.entries()) {
      yield { at: `environments[${i}].name`, to: 'environments', key: name }
      for (const [j, strategy] of strategies.entries()) {
        const path = `environments[${i}].strategies[${j}]`
        // The types of older versions need no record: SDKs evaluate them all the same.
        if (!builtInStrategyTypes.includes(strategy.name) && !isBuiltIn(strategy.name)) {
          yield { at: `${path}.name`, to: 'strategyTypes', key: strategy.name, onWriting: true }
        }
        for (const [k, id] of strategy.segments.entries()) {
          yield { at: `${path}.segments[${k}]`, to: 'segments', key: id, onWriting: true }
        }
      }
    }
    for (const [i, { feature }] of dependencies.entries()) {
      yield { at: `dependencies[${i}].feature`, to: 'features', key: feature }
    }
  },
  faults(known) {
    const circles = new Circles()
    return { of: (feature, given) => faultsOfGiven(feature, given, (name) => known.get(name), circles) }
  },
  show: showFeature,
})
