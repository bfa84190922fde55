import type { TablesOf } from '../store/database.js'
import type { Key, TableKeys } from '../store/table.js'
import { favoriteTable } from './flags/favorites/table.js'
import { featureTypeTable } from './flags/feature-types/table.js'
import { featureTable } from './flags/features/table.js'
import { tagTypeTable } from './flags/tag-types/table.js'
import { tagTable } from './flags/tags/table.js'
import { addonTable, integrationEventTable } from './instance/addons/table.js'
import type { EventRecord } from './instance/events/schema.js'
import { eventTable } from './instance/events/table.js'
import { settingTable } from './instance/maintenance/table.js'
import { apiTokenTable } from './people/api-tokens/table.js'
import { loginTable, resetTokenTable } from './people/login/table.js'
import { roleTable } from './people/roles/table.js'
import { signupTokenTable } from './people/signup-tokens/table.js'
import { userTable } from './people/users/table.js'
import { environmentTable } from './projects/environments/table.js'
import { projectTable } from './projects/projects/table.js'
import { applicationTable } from './sdk/application-details/table.js'
import { clientInstanceTable } from './sdk/client-instances/table.js'
import { clientMetricsTable } from './sdk/client-metrics/table.js'
import { impactMetricTable } from './sdk/impact-metrics/table.js'
import { unknownFlagTable } from './sdk/unknown-flags/table.js'
import { sequenceTable } from './shared/sequences/table.js'
import { contextFieldTable } from './targeting/context-fields/table.js'
import { segmentTable } from './targeting/segments/table.js'
import { strategyTypeTable } from './targeting/strategy-types/table.js'

/** THE list of tables, in the order in which snapshots show them. A new kind of record is a folder and a line here. */
export const tables = {
  /** Projects. Only `id` is needed. */
  projects: projectTable,
  /** Environments. Only `name` is needed. */
  environments: environmentTable,
  /** Feature flags. Only `name` is needed. */
  features: featureTable,
  /** Invitations to sign up. Only `secret` is needed. */
  signupTokens: signupTokenTable,
  /** Users. Only `id` is needed. */
  users: userTable,
  /** Roles. Only `id` is needed. */
  roles: roleTable,
  /** Keys for the API and for SDKs. Only `secret` is needed. */
  apiTokens: apiTokenTable,
  /** Users who are signed in. */
  logins: loginTable,
  /** Links to choose a new password. */
  resetTokens: resetTokenTable,
  /** Switches of the whole service: maintenance mode. */
  settings: settingTable,
  /** Types of features. Only `id` is needed. */
  featureTypes: featureTypeTable,
  /** Types of strategies. Only `name` is needed. */
  strategyTypes: strategyTypeTable,
  /** Segments. Only `id` is needed. */
  segments: segmentTable,
  /** Fields of the context. Only `name` is needed. */
  contextFields: contextFieldTable,
  /** Types of tags. Only `name` is needed. */
  tagTypes: tagTypeTable,
  /** All tags, whether a feature has them or not. */
  tags: tagTable,
  /** Features and projects that users marked. */
  favorites: favoriteTable,
  /** How often features were on and off, as SDKs reported it. */
  clientMetrics: clientMetricsTable,
  /** Running SDKs. */
  clientInstances: clientInstanceTable,
  /** What is noted about applications. Only `appName` is needed. */
  applications: applicationTable,
  /** Names that SDKs report and no feature has. */
  unknownFlags: unknownFlagTable,
  /** Metrics of applications. */
  impactMetrics: impactMetricTable,
  /** Integrations, such as webhooks. Only `id` is needed. */
  addons: addonTable,
  /** Messages that integrations would have sent. */
  integrationEvents: integrationEventTable,
  /** The highest numbers of removed records, which are never given again. */
  sequences: sequenceTable,
} as const

/** All kinds of records: the tables, and the log, which is stored in its own way. */
export const kinds: typeof tables & {
  /** The event log, oldest first. */
  readonly events: typeof eventTable
} = { ...tables, events: eventTable }

export type TableName = keyof typeof tables
export type KindName = keyof typeof kinds

/** Everything that a world holds, one table per kind of record. */
export type Tables = TablesOf<typeof tables, EventRecord>

/** A stored record of a kind. */
export type RecordOf<Name extends KindName> =
  (typeof kinds)[Name] extends TableKeys<infer Item, infer _Key extends Key, infer _Index> ? Item : never
