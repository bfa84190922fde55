import builtIn from '../fixtures/built-in.json' with { type: 'json' }
import service from '../fixtures/service.json' with { type: 'json' }
import type { PartialState, Scenario } from '../src/scenarios/scenario.js'

export const empty: Scenario = {
  name: 'empty',
  title: 'Nothing yet',
  promise: 'No features and no signup tokens; keys, users, roles, environments and projects remain.',
  seed: { ...builtIn, ...service } as PartialState,
}
