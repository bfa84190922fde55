import builtIn from '../fixtures/built-in.json' with { type: 'json' }
import sample from '../fixtures/sample.json' with { type: 'json' }
import service from '../fixtures/service.json' with { type: 'json' }
import type { PartialState, Scenario } from '../src/scenarios/scenario.js'

/** Its three users sign in with the password `flagdouble`, stored as hashes in fixtures/service.json. */
export const defaultScenario: Scenario = {
  name: 'default',
  title: 'A small service',
  promise:
    'Two projects with four features, three signup tokens, three users and six keys, and what your fixtures add. Nothing goes wrong.',
  seed: { ...builtIn, ...service, ...sample } as PartialState,
}
