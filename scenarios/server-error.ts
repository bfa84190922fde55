import type { Scenario } from '../src/scenarios/scenario.js'

export const serverError: Scenario = {
  name: 'server-error',
  title: 'The service is broken',
  promise: 'Every operation fails with 500 InternalServerError.',
  extends: 'default',
  force: [{ operation: '*', status: 500 }],
}
