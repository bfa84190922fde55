import type { Scenario } from '../src/scenarios/scenario.js'

export const disabledToken: Scenario = {
  name: 'disabled-token',
  title: 'The invite is switched off',
  promise: 'The signup token live-invite is disabled, and nobody can sign up with it.',
  extends: 'default',
  seed: {
    signupTokens: [
      {
        secret: 'live-invite',
        name: 'Live invite',
        enabled: false,
        expiresAt: 'now+30d',
        createdAt: 'now-3d',
        createdBy: 'admin@example.com',
        users: [{ id: 3 }],
        role: { id: 3 },
      },
    ],
  },
}
