import type { PartialState } from '../scenarios/scenario.js'

/** What `flagdouble init` writes: one record of each kind that people add first. It is added to the scenario's own data. */
export const starterFixture = {
  features: [
    {
      name: 'my-first-flag',
      description: 'On in development for a quarter of the users',
      type: 'release',
      project: 'default',
      environments: [
        {
          name: 'development',
          enabled: true,
          strategies: [
            { name: 'flexibleRollout', parameters: { rollout: '25', stickiness: 'default', groupId: 'my-first-flag' } },
          ],
        },
      ],
    },
  ],
  signupTokens: [{ secret: 'my-invite', name: 'My invite', expiresAt: 'now+7d' }],
  users: [{ id: 100, name: 'Ada', email: 'ada@example.com', rootRole: 2 }],
} satisfies PartialState
