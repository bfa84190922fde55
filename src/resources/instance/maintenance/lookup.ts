import type { Tables } from '../../shared/context.js'

/** Whether the service is in maintenance mode, in which it accepts no changes. */
export function inMaintenance(tables: Tables): boolean {
  return tables.settings.get('maintenance')?.enabled ?? false
}
