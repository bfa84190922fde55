import type { Scenario } from '../src/scenarios/scenario.js'

export const offline: Scenario = {
  name: 'offline',
  title: 'The connection breaks',
  promise: 'Every request for an operation ends with a broken connection.',
  extends: 'default',
  force: [{ operation: '*', fault: 'reset' }],
}
