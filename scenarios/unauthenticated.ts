import type { Scenario } from '../src/scenarios/scenario.js'

export const unauthenticated: Scenario = {
  name: 'unauthenticated',
  title: 'Nobody is signed in',
  promise: 'Every operation is rejected with 401 AuthenticationRequired, whatever key is sent.',
  extends: 'default',
  force: [{ operation: '*', status: 401 }],
}
