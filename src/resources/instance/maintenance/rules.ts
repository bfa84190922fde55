import type { Failure } from '../../../contract/errors.js'

export const maintenanceFailure: Failure = {
  kind: 'maintenance',
  message: 'The service is in maintenance mode and accepts no changes right now.',
}
