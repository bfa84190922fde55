import type { Failure } from '../../../contract/errors.js'

export const maintenanceFailure: Failure = {
  kind: 'maintenance',
  message: 'The service is in maintenance mode and takes no changes just now.',
}
