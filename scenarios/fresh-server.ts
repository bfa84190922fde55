import builtIn from '../fixtures/built-in.json' with { type: 'json' }
import fresh from '../fixtures/fresh-server.json' with { type: 'json' }
import service from '../fixtures/service.json' with { type: 'json' }
import type { PartialState, Scenario } from '../src/scenarios/scenario.js'

export const freshServer: Scenario = {
  name: 'fresh-server',
  title: 'A service just set up',
  promise: 'Four users with passwords and keys, four projects, one of them archived, and no features.',
  seed: { ...builtIn, ...fresh, roles: [...service.roles, ...fresh.roles] } as PartialState,
}
