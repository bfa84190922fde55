import type { Scenario } from '../src/scenarios/scenario.js'

export const nameTaken: Scenario = {
  name: 'name-taken',
  title: 'The name is taken',
  promise: 'Cloning or creating a feature is rejected with 409 NameExistsError, whatever its name.',
  extends: 'default',
  force: [
    { operation: 'cloneFeature', status: 409 },
    { operation: 'createFeature', status: 409 },
  ],
}
