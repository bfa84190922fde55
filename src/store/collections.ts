import { type ApiTokenRecord, apiTokenRecordSchema } from '../resources/api-tokens/schema.js'
import {
  type ClientInstanceRecord,
  clientInstanceKey,
  clientInstanceRecordSchema,
} from '../resources/client-instances/schema.js'
import {
  type ClientMetricsRecord,
  clientMetricsKey,
  clientMetricsRecordSchema,
} from '../resources/client-metrics/schema.js'
import { type ContextFieldRecord, contextFieldRecordSchema } from '../resources/context-fields/schema.js'
import { type EnvironmentRecord, environmentRecordSchema } from '../resources/environments/schema.js'
import { favoriteKey } from '../resources/favorites/rules.js'
import { type FavoriteRecord, favoriteRecordSchema } from '../resources/favorites/schema.js'
import { type FeatureType, featureTypeSchema } from '../resources/feature-types/schema.js'
import { type FeatureRecord, featureRecordSchema } from '../resources/features/schema.js'
import {
  type LoginRecord,
  loginRecordSchema,
  type ResetTokenRecord,
  resetTokenRecordSchema,
} from '../resources/login/schema.js'
import { type SettingRecord, settingRecordSchema } from '../resources/maintenance/schema.js'
import { type ProjectRecord, projectRecordSchema } from '../resources/projects/schema.js'
import { type RoleRecord, roleRecordSchema } from '../resources/roles/schema.js'
import { type SegmentRecord, segmentRecordSchema } from '../resources/segments/schema.js'
import { type SignupTokenRecord, signupTokenRecordSchema } from '../resources/signup-tokens/schema.js'
import { type StrategyType, strategyTypeSchema } from '../resources/strategy-types/schema.js'
import { type TagType, tagTypeSchema } from '../resources/tag-types/schema.js'
import { tagKey } from '../resources/tags/rules.js'
import { type Tag, tagSchema } from '../resources/tags/schema.js'
import { type UserRecord, userRecordSchema } from '../resources/users/schema.js'
import type { Frozen } from '../support/freeze.js'
import { type CollectionOptions, KeyedCollection } from './keyed-collection.js'

const present = <Value>(value: Value | null): readonly Value[] => (value === null ? [] : [value])

/** What a world holds: each kind of record with its schema, its key and the ways to find it. */
const definitions = {
  projects: define({
    name: 'projects',
    schema: projectRecordSchema,
    key: ({ id }: Frozen<ProjectRecord>) => id,
    indexes: {},
  }),
  environments: define({
    name: 'environments',
    schema: environmentRecordSchema,
    key: ({ name }: Frozen<EnvironmentRecord>) => name,
    indexes: {},
  }),
  roles: define({ name: 'roles', schema: roleRecordSchema, key: ({ id }: Frozen<RoleRecord>) => id, indexes: {} }),
  users: define({
    name: 'users',
    schema: userRecordSchema,
    key: ({ id }: Frozen<UserRecord>) => id,
    indexes: {
      email: ({ email }: Frozen<UserRecord>) => present(email),
      username: ({ username }: Frozen<UserRecord>) => present(username || null),
    },
  }),
  apiTokens: define({
    name: 'apiTokens',
    schema: apiTokenRecordSchema,
    key: ({ secret }: Frozen<ApiTokenRecord>) => secret,
    indexes: { user: ({ userId }: Frozen<ApiTokenRecord>) => present(userId) },
  }),
  logins: define({
    name: 'logins',
    schema: loginRecordSchema,
    key: ({ secret }: Frozen<LoginRecord>) => secret,
    indexes: { user: ({ userId }: Frozen<LoginRecord>) => [userId] },
  }),
  resetTokens: define({
    name: 'resetTokens',
    schema: resetTokenRecordSchema,
    key: ({ secret }: Frozen<ResetTokenRecord>) => secret,
    indexes: { user: ({ userId }: Frozen<ResetTokenRecord>) => [userId] },
  }),
  settings: define({
    name: 'settings',
    schema: settingRecordSchema,
    key: ({ name }: Frozen<SettingRecord>) => name,
    indexes: {},
  }),
  featureTypes: define({
    name: 'featureTypes',
    schema: featureTypeSchema,
    key: ({ id }: Frozen<FeatureType>) => id,
    indexes: {},
  }),
  strategyTypes: define({
    name: 'strategyTypes',
    schema: strategyTypeSchema,
    key: ({ name }: Frozen<StrategyType>) => name,
    indexes: {},
  }),
  segments: define({
    name: 'segments',
    schema: segmentRecordSchema,
    key: ({ id }: Frozen<SegmentRecord>) => id,
    indexes: { name: ({ name }: Frozen<SegmentRecord>) => [name] },
  }),
  contextFields: define({
    name: 'contextFields',
    schema: contextFieldRecordSchema,
    key: ({ name }: Frozen<ContextFieldRecord>) => name,
    indexes: {},
  }),
  tagTypes: define({
    name: 'tagTypes',
    schema: tagTypeSchema,
    key: ({ name }: Frozen<TagType>) => name,
    indexes: {},
  }),
  tags: define({ name: 'tags', schema: tagSchema, key: (tag: Frozen<Tag>) => tagKey(tag), indexes: {} }),
  features: define({
    name: 'features',
    schema: featureRecordSchema,
    key: ({ name }: Frozen<FeatureRecord>) => name,
    indexes: {
      project: ({ project }: Frozen<FeatureRecord>) => [project],
      activeInProject: ({ project, archived }: Frozen<FeatureRecord>) => (archived ? [] : [project]),
      parent: ({ dependencies }: Frozen<FeatureRecord>) => dependencies.map(({ feature }) => feature),
      tag: ({ tags }: Frozen<FeatureRecord>) => tags.map(tagKey),
      strategy: (feature: Frozen<FeatureRecord>) => strategiesOf(feature).map(({ id }) => id),
      segment: (feature: Frozen<FeatureRecord>) => strategiesOf(feature).flatMap(({ segments }) => segments),
      contextField: (feature: Frozen<FeatureRecord>) =>
        strategiesOf(feature).flatMap(({ constraints }) => constraints.map(({ contextName }) => contextName)),
    },
  }),
  signupTokens: define({
    name: 'signupTokens',
    schema: signupTokenRecordSchema,
    key: ({ secret }: Frozen<SignupTokenRecord>) => secret,
    indexes: {},
  }),
  favorites: define({
    name: 'favorites',
    schema: favoriteRecordSchema,
    key: (favorite: Frozen<FavoriteRecord>) => favoriteKey(favorite),
    indexes: { marked: ({ kind, name }: Frozen<FavoriteRecord>) => [`${kind} ${name}`] },
  }),
  clientMetrics: define({
    name: 'clientMetrics',
    schema: clientMetricsRecordSchema,
    key: (metrics: Frozen<ClientMetricsRecord>) => clientMetricsKey(metrics),
    indexes: { feature: ({ featureName }: Frozen<ClientMetricsRecord>) => [featureName] },
  }),
  clientInstances: define({
    name: 'clientInstances',
    schema: clientInstanceRecordSchema,
    key: (instance: Frozen<ClientInstanceRecord>) => clientInstanceKey(instance),
    indexes: {},
  }),
}

function strategiesOf({ environments }: Frozen<FeatureRecord>) {
  return environments.flatMap(({ strategies }) => strategies)
}

function define<Item, ItemKey extends string | number, Index extends string>(
  options: CollectionOptions<Item, ItemKey, Index>,
): CollectionOptions<Item, ItemKey, Index> {
  return options
}

export type TableName = keyof typeof definitions

/** The names of the tables, in an order in which each comes after those it points at. */
export const tableNames = Object.keys(definitions) as TableName[]

type CollectionOf<Options> =
  Options extends CollectionOptions<infer Item extends object, infer ItemKey, infer Index>
    ? KeyedCollection<Item, ItemKey, Index>
    : never

export type RecordOf<Name extends TableName> =
  (typeof definitions)[Name] extends CollectionOptions<infer Item, infer _Key, infer _Index> ? Item : never

/** Completed records, one list a table. */
export type Records = { [Name in TableName]: Frozen<RecordOf<Name>>[] }

/** The key of a record of a table. */
export function keyOf(name: TableName, record: unknown): string | number {
  return definitions[name].key(record as never)
}

export type Collections = { [Name in TableName]: CollectionOf<(typeof definitions)[Name]> }

export function createCollections(): Collections {
  return Object.fromEntries(
    tableNames.map((name) => [name, new KeyedCollection(definitions[name] as never)]),
  ) as unknown as Collections
}
