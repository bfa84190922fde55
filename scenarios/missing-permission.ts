import type { Scenario } from '../src/scenarios/scenario.js'

export const missingPermission: Scenario = {
  name: 'missing-permission',
  title: 'The permission is missing',
  promise: 'Every operation that changes something is refused with 403 NoAccessError, which names the permission.',
  extends: 'default',
  force: [
    { operation: 'cloneFeature', error: { permission: 'CREATE_FEATURE' } },
    { operation: 'createFeature', error: { permission: 'CREATE_FEATURE' } },
    { operation: 'archiveFeature', error: { permission: 'DELETE_FEATURE' } },
    { operation: 'createPublicSignupToken', error: { permission: 'ADMIN' } },
    { operation: 'updatePublicSignupToken', error: { permission: 'ADMIN' } },
  ],
}
