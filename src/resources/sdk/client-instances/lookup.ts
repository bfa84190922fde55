import type { Frozen } from '../../../support/freeze.js'
import type { Tables } from '../../shared/context.js'
import type { ClientInstanceRecord } from './schema.js'

/** The SDKs whose applications have reported metrics of a project's features, in the SDK's environment. */
export function instancesWithMetrics(tables: Tables, project: string): Frozen<ClientInstanceRecord>[] {
  const metrics = tables.features.by('project', project).flatMap(({ name }) => tables.clientMetrics.by('feature', name))
  return tables.clientInstances
    .list()
    .filter(({ appName, environment }) =>
      metrics.some((entry) => entry.appName === appName && entry.environment === environment),
    )
}
