import type { TablesOf } from '../store/database.js'
import type { Key, TableKeys } from '../store/table.js'
import { favoriteTable } from './flags/favorites.js'
import { featureTypeTable } from './flags/feature-types.js'
import { featureTable } from './flags/given-features.js'
import { tagTable, tagTypeTable } from './flags/tags.js'
import { addonTable, integrationEventTable } from './instance/addons.js'
import { eventTable } from './instance/events.js'
import { settingTable } from './instance/maintenance.js'
import { apiTokenTable } from './people/api-tokens.js'
import { resetTokenTable } from './people/login.js'
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

/** THE list of tables, in the order of snapshots. A new kind of record is a file and a line here. */
export const tables = {
  projects: projectTable,
  environments: environmentTable,
  features: featureTable,
  signupTokens: signupTokenTable,
  users: userTable,
  roles: roleTable,
  apiTokens: apiTokenTable,
  resetTokens: resetTokenTable,
  settings: settingTable,
  featureTypes: featureTypeTable,
  strategyTypes: strategyTypeTable,
  segments: segmentTable,
  contextFields: contextFieldTable,
  tagTypes: tagTypeTable,
  tags: tagTable,
  favorites: favoriteTable,
  clientMetrics: clientMetricsTable,
  clientInstances: clientInstanceTable,
  applications: applicationTable,
  unknownFlags: unknownFlagTable,
  impactMetrics: impactMetricTable,
  addons: addonTable,
  integrationEvents: integrationEventTable,
  sequences: sequenceTable,
  events: eventTable,
} as const

export type TableName = keyof typeof tables

/** The contents of a world, one table per kind of record. */
export interface Tables extends TablesOf<typeof tables> {}

/** A stored record of a kind. */
export type RecordOf<Name extends TableName> =
  (typeof tables)[Name] extends TableKeys<infer Item, infer _Key extends Key, infer _Index> ? Item : never
