import * as z from 'zod'
import { assigned, type Frozen } from '../../../support/freeze.js'
import { isObject, show } from '../../../support/json.js'
import { isBuiltIn } from '../../evaluation/strategies.js'
import { type Actor, actorOf, avatarOf } from '../people/users.js'
import { environmentsInOrder } from '../projects/environments.js'
import { duplicateFaults } from '../shared/checks.js'
import { completed, computed, type FieldsOf, field, givenShape } from '../shared/fields.js'
import type { Patch } from '../shared/merge-patch.js'
import { strictObject } from '../shared/object.js'
import { toInstant } from '../shared/schema.js'
import { type DataFault, defineTable, type FixtureContext, instantOr, type KnownRecords } from '../shared/table.js'
import { builtInStrategyTypes } from '../targeting/strategy-types.js'
import { Circles } from './dependencies.js'
import { completeFeatureEnvironment, type FeatureEnvironment } from './feature-environments.js'
import { builtInFeatureTypes } from './feature-types.js'
import { emptyEnvironment, type FeatureRecord, featureRecordSchema, placesOf, type StoredFeature } from './features.js'
import { featureLinkSchema } from './links.js'
import { SIMPLE, tagKey } from './tags.js'

/** The fields of a feature in seed data that can contradict each other. */
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
