import type { Permission } from '../../contract/permissions.js'
import type { Frozen } from '../../support/freeze.js'
import type { Ids } from '../../support/ids.js'
import type { FavoriteRecord } from '../flags/favorites/schema.js'
import type { FeatureType } from '../flags/feature-types/schema.js'
import type { FeatureRecord } from '../flags/features/schema.js'
import type { TagType } from '../flags/tag-types/schema.js'
import type { Tag } from '../flags/tags/schema.js'
import type { EventRecord } from '../instance/events/schema.js'
import type { SettingRecord } from '../instance/maintenance/schema.js'
import type { ApiTokenRecord } from '../people/api-tokens/schema.js'
import type { LoginRecord, ResetTokenRecord } from '../people/login/schema.js'
import type { RoleRecord } from '../people/roles/schema.js'
import type { SignupTokenRecord } from '../people/signup-tokens/schema.js'
import type { UserRecord } from '../people/users/schema.js'
import type { EnvironmentRecord } from '../projects/environments/schema.js'
import type { ProjectRecord } from '../projects/projects/schema.js'
import type { ClientInstanceRecord } from '../sdk/client-instances/schema.js'
import type { ClientMetricsRecord } from '../sdk/client-metrics/schema.js'
import type { ContextFieldRecord } from '../targeting/context-fields/schema.js'
import type { SegmentRecord } from '../targeting/segments/schema.js'
import type { StrategyType } from '../targeting/strategy-types/schema.js'
import type { Actor } from './schema.js'

export type Key = string | number

/** One kind of record, as an operation reads and writes it. What it hands out is frozen. */
export interface Table<Item, ItemKey extends Key, Index extends string = never> {
  get(key: ItemKey): Frozen<Item> | undefined
  has(key: ItemKey): boolean
  /** All records, in the order in which they came. */
  list(): Frozen<Item>[]
  /** The records under a value of an index. */
  by(index: Index, value: Key): Frozen<Item>[]
  /** How many records are under a value of an index. */
  count(index: Index, value: Key): number
  /** Adds a record; false, and nothing done, if its key is taken. */
  insert(record: Frozen<Item>): boolean
  /** Puts a record in the place of the one with its key. */
  replace(record: Frozen<Item>): void
  remove(key: ItemKey): void
}

/** Everything a world holds, one table a resource. */
export interface Tables {
  projects: Table<ProjectRecord, string>
  environments: Table<EnvironmentRecord, string>
  features: Table<
    FeatureRecord,
    string,
    'project' | 'activeInProject' | 'parent' | 'tag' | 'strategy' | 'segment' | 'contextField'
  >
  featureTypes: Table<FeatureType, string>
  strategyTypes: Table<StrategyType, string>
  segments: Table<SegmentRecord, number, 'name'>
  contextFields: Table<ContextFieldRecord, string>
  tagTypes: Table<TagType, string>
  /** Tags that were created; features may bear others. */
  tags: Table<Tag, string>
  favorites: Table<FavoriteRecord, string, 'marked'>
  signupTokens: Table<SignupTokenRecord, string>
  users: Table<UserRecord, number, 'email' | 'username'>
  roles: Table<RoleRecord, number>
  apiTokens: Table<ApiTokenRecord, string, 'user'>
  logins: Table<LoginRecord, string, 'user'>
  resetTokens: Table<ResetTokenRecord, string, 'user'>
  settings: Table<SettingRecord, SettingRecord['name']>
  clientMetrics: Table<ClientMetricsRecord, string, 'feature'>
  clientInstances: Table<ClientInstanceRecord, string>
  events: EventLog
}

/** An event before it has its number and its place in time. */
export type NewEvent = Pick<EventRecord, 'type' | 'data'> & Partial<Omit<EventRecord, 'id' | 'createdAt'>>

/** The log of what happened. Newest last. */
export interface EventLog {
  append(event: EventRecord): void
  /** The number of the next event. */
  readonly nextId: number
  /** The newest events, newest first, at most so many. */
  newest(limit: number): Frozen<EventRecord>[]
  /** All that are kept, newest first. */
  newestFirst(): Iterable<Frozen<EventRecord>>
  /** How many there have been. */
  readonly total: number
}

/** Where something is to be done. Left out: wherever, as far as that is one matter. */
export interface Where {
  project?: string | undefined
  environment?: string | undefined
}

/** Who sends a request, and what they may do. */
export interface Caller {
  /** A user's id; below zero for an API token. */
  id: number
  /** E-mail, else username, else token name: as events and signup tokens name their maker. */
  username: string
  /** As features show their maker. */
  actor: Actor
  may(permission: Permission, where?: Where): boolean
  /** The user that sends it, or in whose name a personal token does; undefined for API tokens. */
  user?: Frozen<UserRecord>
  /** The secret of the login by which they are known. */
  login?: string
  /** What an SDK sees of the service by its token; only on paths for SDKs. */
  sdk?: SdkScope
}

/** The environment and the projects that a client or frontend token is for; `*` stands for all projects. */
export interface SdkScope {
  environment: string
  projects: readonly string[]
}

/** What an operation acts on. */
export interface OperationContext {
  tables: Tables
  caller: Caller
  /** The time, by the world's clock. */
  now: Date
  ids: Ids
  /** Where links that the service gives out begin. */
  baseUrl: string
}
