import { defineScenario } from 'flagdouble'

export const cloningFails = defineScenario({
  name: 'cloning-fails',
  title: 'Cloning fails',
  promise: 'Every attempt to clone a feature is answered 503; everything else works.',
  force: [{ operation: 'cloneFeature', status: 503 }],
})
