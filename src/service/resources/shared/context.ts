import type { Ids } from '../../../support/ids.js'
import type { Permission } from '../../contract/permissions.js'
import type { ServiceEvent } from '../instance/events.js'
import type { StoredApiToken } from '../people/api-tokens.js'
import type { LoginBook } from '../people/login.js'
import type { StoredUser } from '../people/users.js'
import type { Tables } from '../tables.js'
import type { Actor } from './schema.js'

export type { Key, Table } from '../../store/table.js'
export type { Tables }

/** An event that is about to be logged. */
export type NewEvent = Pick<ServiceEvent, 'type' | 'data'> & Partial<Omit<ServiceEvent, 'id' | 'createdAt'>>

/** Where a permission is needed: in a project, in an environment, or (with neither) anywhere. */
export interface PermissionScope {
  project?: string | undefined
  environment?: string | undefined
}

/** The sender of a request, and what it may do. */
export interface Caller {
  /** A user's id. Negative for an API token. */
  id: number
  /** The e-mail address, else the username, else the token's name: the `createdBy` of events and signup tokens. */
  username: string
  /** The `createdBy` of features. */
  actor: Actor
  may(permission: Permission, scope?: PermissionScope): boolean
  /** The user who is signed in, or who owns the personal token. Undefined for API tokens. */
  user?: StoredUser
  /** The admin API token that was sent. */
  token?: StoredApiToken
  /** The secret of the login cookie, if one was sent. */
  login?: string
  /** The part of the service that an SDK's token gives access to. Only on SDK paths. */
  sdk?: SdkScope
}

/** The environment and the projects of a client or frontend token. `*` stands for all projects. */
export interface SdkScope {
  environment: string
  projects: readonly string[]
  /** Whether the token is for frontends. */
  isFrontend?: boolean
}

/** A message that an integration would send, or a mail. It is recorded, and never sent. */
export interface Message {
  /** The kind of integration: `webhook`, `slack-app` … A mail has `email`. */
  provider: string
  /** Left out for mails. */
  integrationId?: number
  text: string
}

/** What an operation works with. */
export interface OperationContext {
  tables: Tables
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
}

/** What reading records needs, besides them: the time, or who asks. */
export type AtATime = Pick<OperationContext, 'tables' | 'now'>
export type AsCaller = Pick<OperationContext, 'tables' | 'caller'>
