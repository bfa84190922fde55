import type { Scenario } from '../src/scenarios/scenario.js'

export const disabledToken: Scenario = {
  name: 'disabled-token',
  title: 'The invite is switched off',
  promise: 'The signup token live-invite is disabled, and nobody can sign up with it.',
  extends: 'default',
  seed: { signupTokens: { 'live-invite': { enabled: false } } },
}
