import { defineScenario } from 'flagdouble'

export const cloningFails = defineScenario({
  name: 'cloning-fails',
  title: 'Cloning fails',
  promise: 'Every clone request fails with 503.',
  force: [{ operation: 'cloneFeature', status: 503 }],
})
