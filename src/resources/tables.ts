import type { TablesOf } from '../store/database.js'
import type { Key, TableKeys } from '../store/table.js'
import { favoriteTable } from './flags/favorites.js'
import { featureTypeTable } from './flags/feature-types.js'
import { featureTable } from './flags/features.js'
import { tagTable, tagTypeTable } from './flags/tags.js'
import { addonTable, integrationEventTable } from './instance/addons.js'
import { eventTable } from './instance/events.js'
import { settingTable } from './instance/maintenance.js'
import { apiTokenTable } from './people/api-tokens.js'
import { loginTable, resetTokenTable } from './people/login.js'
import { roleTable } from './people/roles.js'
import { signupTokenTable } from './people/signup-tokens.js'
import { userTable } from './people/users.js'
import { environmentTable } from './projects/environments.js'
import { projectTable } from './projects/projects.js'
import { applicationTable } from './sdk/application-details.js'
import { clientInstanceTable } from './sdk/client-instances.js'
import { clientMetricsTable } from './sdk/client-metrics.js'
import { impactMetricTable } from './sdk/impact-metrics.js'
import { unknownFlagTable } from './sdk/unknown-flags.js'
import { sequenceTable } from './shared/sequences.js'
import { contextFieldTable } from './targeting/context-fields.js'
import { segmentTable } from './targeting/segments.js'
import { strategyTypeTable } from './targeting/strategy-types.js'

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
  /** The event log, oldest first. */
  events: eventTable,
} as const

export type TableName = keyof typeof tables

/** Everything that a world holds, one table per kind of record. */
export interface Tables extends TablesOf<typeof tables> {}

/** A stored record of a kind. */
export type RecordOf<Name extends TableName> =
  (typeof tables)[Name] extends TableKeys<infer Item, infer _Key extends Key, infer _Index> ? Item : never
