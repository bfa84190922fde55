import type { Scenario } from '../src/scenarios/scenario.js'

export const expiredToken: Scenario = {
  name: 'expired-token',
  title: 'The invite has expired',
  promise: 'The signup token live-invite expired a day ago: it reads as disabled, and nobody can sign up with it.',
  extends: 'default',
  seed: {
    signupTokens: [
      {
        secret: 'live-invite',
        name: 'Live invite',
        enabled: true,
        expiresAt: 'now-1d',
        createdAt: 'now-31d',
        createdBy: 'admin@example.com',
        users: [{ id: 3 }],
        role: { id: 3 },
      },
    ],
  },
}
