import type { Ids } from '../../../support/ids.js'
import type { Permission } from '../../contract/permissions.js'
import type { ServiceEvent, StoredEvent } from '../instance/events.js'
import type { StoredApiToken } from '../people/api-tokens.js'
import type { LoginBook } from '../people/login.js'
import type { Actor, StoredUser } from '../people/users.js'
import type { Tables } from '../tables.js'

export type { Key, Table } from '../../store/table.js'
export type { Tables }

/** An event before it is logged. */
export type NewEvent = Pick<ServiceEvent, 'type' | 'data'> & Partial<Omit<ServiceEvent, 'id' | 'createdAt'>>

/** The scope of a permission: a project, an environment, or (with neither) any. */
export interface PermissionScope {
  project?: string | undefined
  environment?: string | undefined
}

/** The sender of a request, with its permissions. */
export interface Caller {
  /** A user's ID. Negative for an API token. */
  id: number
  /** The email address, or the username, or the token's name: the `createdBy` of events and signup tokens. */
  username: string
  /** The `createdBy` of features. */
  actor: Actor
  may(permission: Permission, scope?: PermissionScope): boolean
  /** The signed-in user, or the owner of the personal token. Undefined for API tokens. */
  user?: StoredUser
  /** The admin API token of the request. */
  token?: StoredApiToken
  /** The secret in the login cookie, if present. */
  login?: string
  /** The access of an SDK's token. Only on SDK paths. */
  sdk?: SdkScope
}

/** The environment and the projects of a client or frontend token. `*` means all projects. */
export interface SdkScope {
  environment: string
  projects: readonly string[]
  /** Whether the token is for frontends. */
  isFrontend?: boolean
}

/** A mail, or a message of an integration. It is recorded, and never sent. */
export interface Message {
  /** The kind of integration: `webhook`, `slack-app` … A mail has `email`. */
  provider: string
  /** Left out for mails. */
  integrationId?: number
  text: string
}

/** The API of an SDK. The SDK of a frontend gets evaluated features, and the SDK of a server evaluates them itself. */
export type SdkKind = 'frontend' | 'server'

/** The evaluations of a feature in an SDK's report. */
export interface ReportedFlag {
  name: string
  exists: boolean
  yes: number
  no: number
  variants: Readonly<Record<string, number>>
}

/** Where the operations of SDKs report the features that they serve, and that SDKs asked for. */
export interface FlagSightings {
  /** An SDK gets features: for a frontend, in a context with values in these fields. */
  fetched(kind: SdkKind, headers: Headers, fields?: readonly string[]): void
  served(kind: SdkKind, name: string, isOn: boolean, variant?: string): void
  /** A list of features for a server. The same body has the same features, which are only read for a new body. */
  servedList(body: object, features: () => Iterable<readonly [name: string, isOn: boolean]>): void
  /** An SDK sends a report. */
  reported(kind: SdkKind, headers: Headers, flags: readonly ReportedFlag[]): void
}

/** The tables from which SDKs are told features. Those of flags with a state differ from the data. */
export interface SdkTables extends Omit<Tables, 'features'> {
  readonly features: Pick<Tables['features'], 'get' | 'list' | 'count' | 'cache'>
}

/** The context of an operation. */
export interface OperationContext {
  tables: Tables
  /** What SDKs are told: the tables, unless flags have states. */
  told: SdkTables
  caller: Caller
  /** The time on the world's clock. */
  now: Date
  ids: Ids
  logins: LoginBook
  /** The start of every link in a response. */
  baseUrl: string
  /** The path that prefixes every route: `''` or `'/x'`. */
  basePath: string
  /** Messages for the journal. */
  sent: Message[]
  /** The events that were logged. */
  logged: StoredEvent[]
  /** Undefined for anything but a request of an SDK. */
  seen?: FlagSightings | undefined
}

/** The context for reading records, besides them: the time, or the caller. */
export type AtATime = Pick<OperationContext, 'tables' | 'now'>
export type AsCaller = Pick<OperationContext, 'tables' | 'caller'>
