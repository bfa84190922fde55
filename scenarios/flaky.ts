import type { Scenario } from '../src/scenarios/scenario.js'

export const flaky: Scenario = {
  name: 'flaky',
  title: 'Fails twice, then works',
  promise: 'The first two requests fail with 503 ServiceUnavailableError; all later ones work.',
  extends: 'default',
  force: [{ operation: '*', status: 503, times: 2 }],
}
