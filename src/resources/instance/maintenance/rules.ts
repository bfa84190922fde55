import type { Failure } from '../../../contract/errors.js'
import type { Tables } from '../../shared/context.js'

/** Whether the service is in maintenance mode, in which it takes no changes. */
export function inMaintenance(tables: Tables): boolean {
  return tables.settings.get('maintenance')?.enabled ?? false
}

export const maintenanceFailure: Failure = {
  kind: 'maintenance',
  message: 'The service is in maintenance mode and takes no changes just now.',
}
