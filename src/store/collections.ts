import { favoriteKey } from '../resources/flags/favorites/rules.js'
import type { FavoriteRecord } from '../resources/flags/favorites/schema.js'
import type { FeatureType } from '../resources/flags/feature-types/schema.js'
import type { FeatureRecord } from '../resources/flags/features/schema.js'
import type { TagType } from '../resources/flags/tag-types/schema.js'
import { tagKey } from '../resources/flags/tags/rules.js'
import type { Tag } from '../resources/flags/tags/schema.js'
import type { SettingRecord } from '../resources/instance/maintenance/schema.js'
import type { ApiTokenRecord } from '../resources/people/api-tokens/schema.js'
import type { LoginRecord, ResetTokenRecord } from '../resources/people/login/schema.js'
import type { RoleRecord } from '../resources/people/roles/schema.js'
import type { SignupTokenRecord } from '../resources/people/signup-tokens/schema.js'
import type { UserRecord } from '../resources/people/users/schema.js'
import type { EnvironmentRecord } from '../resources/projects/environments/schema.js'
import type { ProjectRecord } from '../resources/projects/projects/schema.js'
import { type ClientInstanceRecord, clientInstanceKey } from '../resources/sdk/client-instances/schema.js'
import { type ClientMetricsRecord, clientMetricsKey } from '../resources/sdk/client-metrics/schema.js'
import type { ContextFieldRecord } from '../resources/targeting/context-fields/schema.js'
import type { SegmentRecord } from '../resources/targeting/segments/schema.js'
import type { StrategyType } from '../resources/targeting/strategy-types/schema.js'
import type { Frozen } from '../support/freeze.js'
import { type CollectionOptions, KeyedCollection } from './keyed-collection.js'

const present = <Value>(value: Value | null): readonly Value[] => (value === null ? [] : [value])

/** What a world holds: each kind of record with its key and the ways to find it. */
const definitions = {
  projects: define<ProjectRecord>()({
    name: 'projects',
    key: ({ id }: Frozen<ProjectRecord>) => id,
    indexes: {},
  }),
  environments: define<EnvironmentRecord>()({
    name: 'environments',
    key: ({ name }: Frozen<EnvironmentRecord>) => name,
    indexes: {},
  }),
  roles: define<RoleRecord>()({ name: 'roles', key: ({ id }: Frozen<RoleRecord>) => id, indexes: {} }),
  users: define<UserRecord>()({
    name: 'users',
    key: ({ id }: Frozen<UserRecord>) => id,
    indexes: {
      email: ({ email }: Frozen<UserRecord>) => present(email),
      username: ({ username }: Frozen<UserRecord>) => present(username || null),
    },
  }),
  apiTokens: define<ApiTokenRecord>()({
    name: 'apiTokens',
    key: ({ secret }: Frozen<ApiTokenRecord>) => secret,
    indexes: { user: ({ userId }: Frozen<ApiTokenRecord>) => present(userId) },
  }),
  logins: define<LoginRecord>()({
    name: 'logins',
    key: ({ secret }: Frozen<LoginRecord>) => secret,
    indexes: { user: ({ userId }: Frozen<LoginRecord>) => [userId] },
  }),
  resetTokens: define<ResetTokenRecord>()({
    name: 'resetTokens',
    key: ({ secret }: Frozen<ResetTokenRecord>) => secret,
    indexes: { user: ({ userId }: Frozen<ResetTokenRecord>) => [userId] },
  }),
  settings: define<SettingRecord>()({
    name: 'settings',
    key: ({ name }: Frozen<SettingRecord>) => name,
    indexes: {},
  }),
  featureTypes: define<FeatureType>()({
    name: 'featureTypes',
    key: ({ id }: Frozen<FeatureType>) => id,
    indexes: {},
  }),
  strategyTypes: define<StrategyType>()({
    name: 'strategyTypes',
    key: ({ name }: Frozen<StrategyType>) => name,
    indexes: {},
  }),
  segments: define<SegmentRecord>()({
    name: 'segments',
    key: ({ id }: Frozen<SegmentRecord>) => id,
    indexes: { name: ({ name }: Frozen<SegmentRecord>) => [name] },
  }),
  contextFields: define<ContextFieldRecord>()({
    name: 'contextFields',
    key: ({ name }: Frozen<ContextFieldRecord>) => name,
    indexes: {},
  }),
  tagTypes: define<TagType>()({
    name: 'tagTypes',
    key: ({ name }: Frozen<TagType>) => name,
    indexes: {},
  }),
  tags: define<Tag>()({ name: 'tags', key: (tag: Frozen<Tag>) => tagKey(tag), indexes: {} }),
  features: define<FeatureRecord>()({
    name: 'features',
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
  signupTokens: define<SignupTokenRecord>()({
    name: 'signupTokens',
    key: ({ secret }: Frozen<SignupTokenRecord>) => secret,
    indexes: {},
  }),
  favorites: define<FavoriteRecord>()({
    name: 'favorites',
    key: (favorite: Frozen<FavoriteRecord>) => favoriteKey(favorite),
    indexes: { marked: ({ kind, name }: Frozen<FavoriteRecord>) => [`${kind} ${name}`] },
  }),
  clientMetrics: define<ClientMetricsRecord>()({
    name: 'clientMetrics',
    key: (metrics: Frozen<ClientMetricsRecord>) => clientMetricsKey(metrics),
    indexes: { feature: ({ featureName }: Frozen<ClientMetricsRecord>) => [featureName] },
  }),
  clientInstances: define<ClientInstanceRecord>()({
    name: 'clientInstances',
    key: (instance: Frozen<ClientInstanceRecord>) => clientInstanceKey(instance),
    indexes: {},
  }),
}

function strategiesOf({ environments }: Frozen<FeatureRecord>) {
  return environments.flatMap(({ strategies }) => strategies)
}

/** The kind of record is said, its key and indexes are inferred. */
function define<Item>() {
  return <ItemKey extends string | number, Index extends string>(
    options: CollectionOptions<Item, ItemKey, Index>,
  ): CollectionOptions<Item, ItemKey, Index> => options
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
