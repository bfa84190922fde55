import * as z from 'zod'
import { type Frozen, none } from '../../../support/freeze.js'
import { actorOf } from '../../people/users/present.js'
import { avatarOf } from '../../people/users/rules.js'
import { environmentsInOrder } from '../../projects/environments/rules.js'
import { listOf, listOfNames } from '../../shared/given-list.js'
import { type Actor, actorSchema, fixtureInstantSchema, openEnum, toInstant } from '../../shared/schema.js'
import { defineTable, type FixtureContext, instantOr, type KnownRecords } from '../../shared/table.js'
import { dependencySchema } from '../dependencies/schema.js'
import type { FeatureEnvironment } from '../feature-environments/schema.js'
import { completeFeatureEnvironment, featureEnvironmentFixtureSchema } from '../feature-environments/table.js'
import { builtInFeatureTypes } from '../feature-types/schema.js'
import { lifecycleFixtureSchema } from '../lifecycle/schema.js'
import { featureLinkSchema } from '../links/schema.js'
import { tagKey } from '../tags/rules.js'
import { tagSchema } from '../tags/schema.js'
import { type FeatureInState, showFeature } from './present.js'
import { createFeatureRecord, emptyEnvironment, faultsOfGiven } from './rules.js'
import { type FeatureRecord, featureName, featureRecordSchema } from './schema.js'

/** A feature as a fixture may give it: only its name is needed. */
const featureFixtureSchema = z.strictObject({
  ...featureRecordSchema.partial().shape,
  /** Its name, unique in the whole service. */
  name: featureName.schema,
  /** Its type: a built-in one, or one of the `featureTypes`. Default: `release`. */
  type: openEnum<(typeof builtInFeatureTypes)[number]>().optional(),
  /** When it was created. Default: the start of the world. */
  createdAt: fixtureInstantSchema.optional(),
  /** The user who created it. Default: the first user. */
  createdBy: actorSchema.partial({ name: true, imageUrl: true }).optional(),
  /** When it was archived. */
  archivedAt: fixtureInstantSchema.nullable().optional(),
  /** When an SDK last used it. Default: null, never. */
  lastSeenAt: fixtureInstantSchema.nullable().optional(),
  /** The stage of its life. Default: `initial`, or `archived`. */
  lifecycle: lifecycleFixtureSchema.optional(),
  /** Earlier stages of its life. */
  pastStages: z.array(lifecycleFixtureSchema).optional(),
  /** The parent features that it depends on. */
  dependencies: listOf(dependencySchema, { by: 'feature' }).optional(),
  /** Its tags. */
  tags: listOf(tagSchema, { by: 'value' }).optional(),
  /** Links to related pages. */
  links: listOf(featureLinkSchema.partial({ id: true, title: true }).strict(), { by: 'id' }).optional(),
  /** What holds in each environment. Those of its project that are left out have it off, with no strategies. */
  environments: listOf(featureEnvironmentFixtureSchema, { by: 'name', merges: true }).optional(),
  /** The environments that it is in besides those listed, if not all of its project. */
  onlyIn: listOfNames()
    .optional()
    .meta({ description: 'The environments that it is in besides those listed, if not all of its project' }),
  /** Switches it on or off in all its environments that don't say otherwise. */
  enabled: z
    .boolean()
    .optional()
    .meta({ description: 'Switches it on or off in all its environments that do not say otherwise' }),
  /** Whether a user marked it as a favorite. It must agree with `favorites`. */
  favorite: z.boolean().optional(),
  /** The features that depend on it. They must agree with their `dependencies`. */
  children: z.array(z.string()).optional(),
  /** Variants belong to an environment: see `environments`. Responses have an empty list here. */
  variants: z.array(z.never('belongs to an environment: give it in environments[].variants')).optional(),
  /** Strategies belong to an environment: see `environments`. Responses have an empty list here. */
  strategies: z.array(z.never('belongs to an environment: give it in environments[].strategies')).optional(),
})

export type FeatureFixture = z.infer<typeof featureFixtureSchema>

type FeatureContext = FixtureContext<'environments' | 'projects' | 'users'>

const builtIn: ReadonlySet<string> = new Set(builtInFeatureTypes)

/** The creator of a feature whose fixture names nobody. */
const FIRST_USER = 1

/** The record that a fixture means, with what it leaves out filled in. */
function completeFeature(given: FeatureFixture, context: FeatureContext): FeatureRecord {
  const project = given.project ?? 'default'
  const now = toInstant(context.now)
  const actor = makerOf(given, context)
  const plain = createFeatureRecord(given, { now, actor, project, environments: [] })
  const createdAt = instantOr(given.createdAt, now, context)
  const archived = given.archived ?? (given.archivedAt !== undefined && given.archivedAt !== null)
  const archivedAt = archived ? instantOr(given.archivedAt, now, context) : null
  const lifecycle = given.lifecycle ?? { stage: archived ? ('archived' as const) : ('initial' as const) }
  // Laid over it in place: what is spread, and frozen then, has a hidden class of its own in V8, a kilobyte each.
  return Object.assign(plain, {
    description: given.description ?? null,
    stale: given.stale ?? false,
    archived,
    archivedAt,
    createdAt,
    lastSeenAt: instantOr(given.lastSeenAt, null, context),
    lifecycle: Object.assign({}, lifecycle, {
      enteredStageAt: instantOr(given.lifecycle?.enteredStageAt, archivedAt ?? createdAt, context),
    }),
    pastStages:
      given.pastStages?.map((past) => ({
        ...past,
        enteredStageAt: instantOr(past.enteredStageAt, createdAt, context),
      })) ?? none,
    dependencies: given.dependencies ?? none,
    links:
      given.links?.map(({ id = context.ids.ulid(context.now.getTime()), url, title = null }) => ({ id, url, title })) ??
      none,
    collaborators: given.collaborators ?? plain.collaborators,
    environments: completeEnvironments(given, project, context),
    ...(given.detached === undefined ? {} : { detached: given.detached }),
  })
}

function makerOf({ createdBy }: FeatureFixture, { users }: FixtureContext<'users'>): Actor {
  const known = knownActor(createdBy?.id ?? FIRST_USER, users)
  if (createdBy === undefined) return known
  const { id, name = known.name, imageUrl = known.imageUrl } = createdBy
  return { id, name, imageUrl }
}

function completeEnvironments(given: FeatureFixture, project: string, context: FeatureContext): FeatureEnvironment[] {
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

function strategiesOf({ environments, detached = [] }: Frozen<FeatureRecord>) {
  return [...environments, ...detached].flatMap(({ strategies }) => strategies)
}

/** `enabled` concerns all environments; a feature that is archived or revived enters another stage. */
function beneath(shown: FeatureInState, { enabled, archived, archivedAt }: FeatureFixture): object {
  const willBeArchived = archived ?? (archivedAt === undefined ? shown.archived : archivedAt !== null)
  const environments =
    enabled === undefined ? shown.environments : shown.environments.map((one) => ({ ...one, enabled }))
  if (willBeArchived === shown.archived) return { ...shown, environments }
  const { archived: _, archivedAt: __, lifecycle, pastStages, ...others } = shown
  return { ...others, environments, pastStages: willBeArchived ? [...pastStages, lifecycle] : [] }
}

export const featureTable = defineTable({
  record: featureRecordSchema,
  keyName: 'a feature',
  key: ({ name }) => name,
  indexes: {
    project: ({ project }) => [project],
    activeInProject: ({ project, archived }) => (archived ? [] : [project]),
    parent: ({ dependencies }) => dependencies.map(({ feature }) => feature),
    tag: ({ tags }) => tags.map(tagKey),
    strategy: (feature) => strategiesOf(feature).map(({ id }) => id),
    segment: (feature) => strategiesOf(feature).flatMap(({ segments }) => segments),
    contextField: (feature) =>
      strategiesOf(feature).flatMap(({ constraints }) => constraints.map(({ contextName }) => contextName)),
  },
  fixture: featureFixtureSchema,
  needs: ['environments', 'projects', 'users'],
  complete: completeFeature,
  beneath,
  *references({ project, type, environments, dependencies, tags }) {
    yield { at: 'project', to: 'projects', key: project }
    if (!builtIn.has(type)) yield { at: 'type', to: 'featureTypes', key: type, isLoose: true, unlessNone: true }
    for (const [i, tag] of tags.entries()) {
      yield { at: `tags[${i}].type`, to: 'tagTypes', key: tag.type, isLoose: true, unlessNone: true }
    }
    for (const [i, { name, strategies }] of environments.entries()) {
      yield { at: `environments[${i}].name`, to: 'environments', key: name }
      for (const [j, strategy] of strategies.entries()) {
        const path = `environments[${i}].strategies[${j}]`
        yield { at: `${path}.name`, to: 'strategyTypes', key: strategy.name, isLoose: true, unlessNone: true }
        for (const [k, id] of strategy.segments.entries()) {
          yield { at: `${path}.segments[${k}]`, to: 'segments', key: id, isLoose: true }
        }
      }
    }
    for (const [i, { feature }] of dependencies.entries()) {
      yield { at: `dependencies[${i}].feature`, to: 'features', key: feature }
    }
  },
  faults: (feature, { given, known }) => faultsOfGiven(feature, given, known.get),
  show: showFeature,
})
