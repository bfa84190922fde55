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
import { contextFieldTable } from './targeting/context-fields/table.js'
import { segmentTable } from './targeting/segments/table.js'
import { strategyTypeTable } from './targeting/strategy-types/table.js'

/** THE list of tables, in the order in which snapshots show them. A new kind of record is a folder and a line here. */
export const tables = {
  projects: projectTable,
  environments: environmentTable,
  features: featureTable,
  signupTokens: signupTokenTable,
  users: userTable,
  roles: roleTable,
  apiTokens: apiTokenTable,
  logins: loginTable,
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
} as const

/** All kinds of records: the tables, and the log, which is stored in its own way. */
export const kinds: typeof tables & { readonly events: typeof eventTable } = { ...tables, events: eventTable }

export type TableName = keyof typeof tables
export type KindName = keyof typeof kinds

/** Everything that a world holds, one table per kind of record. */
export type Tables = TablesOf<typeof tables, EventRecord>

/** A stored record of a kind. */
export type RecordOf<Name extends KindName> =
  (typeof kinds)[Name] extends TableKeys<infer Item, infer _Key extends Key, infer _Index> ? Item : never
