import service from '../fixtures/service.json' with { type: 'json' }
import { operations } from '../src/api/operations.js'
import type { Scenario } from '../src/scenarios/scenario.js'

const guarded = operations.filter(({ method, permission }) => method !== 'GET' && permission !== undefined)

export const missingPermission: Scenario = {
  name: 'missing-permission',
  title: 'The permission is missing',
  promise:
    'Every change that needs a permission is rejected with a 403 NoAccessError that names it, for admin keys too; all users are Viewers.',
  extends: 'default',
  // So that the users' own permissions match, and a user interface can disable what they may not do.
  seed: { users: service.users.map(({ id }) => ({ id, rootRole: 'Viewer' })) },
  force: guarded.map(({ id }) => ({ operation: id, status: 403 })),
}
