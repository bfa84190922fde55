import type { Scenario } from '../src/scenarios/scenario.js'

export const unknownFeature: Scenario = {
  name: 'unknown-feature',
  title: 'The feature is gone',
  promise: 'Reading, cloning or archiving any feature is rejected with 404 NotFoundError.',
  extends: 'default',
  force: [
    { operation: 'cloneFeature', status: 404 },
    { operation: 'getFeature', status: 404 },
    { operation: 'archiveFeature', status: 404 },
  ],
}
