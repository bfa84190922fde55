import type { Scenario } from '../src/scenarios/scenario.js'

export const rateLimited: Scenario = {
  name: 'rate-limited',
  title: 'Too many requests',
  promise: 'Every operation is rejected with 429 TooManyRequestsError and a Retry-After header of 30 seconds.',
  extends: 'default',
  force: [{ operation: '*', status: 429, headers: { 'retry-after': '30' } }],
}
