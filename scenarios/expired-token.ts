import type { Scenario } from '../src/scenarios/scenario.js'

export const expiredToken: Scenario = {
  name: 'expired-token',
  title: 'The invite has expired',
  promise: 'The signup token live-invite expired a day ago: it reads as disabled, and nobody can sign up with it.',
  extends: 'default',
  seed: { signupTokens: { 'live-invite': { createdAt: 'now-31d', expiresAt: 'now-1d' } } },
}
