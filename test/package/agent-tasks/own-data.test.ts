import { useMock } from 'flagdouble/vitest'
import { expect, test } from 'vitest'

const mock = useMock({
  scenario: 'empty',
  fixtures: {
    users: [{ id: 100, name: 'Ada', email: 'ada@example.com', rootRole: 2 }],
    apiTokens: [{ secret: 'user:ada', type: 'user', userId: 100 }],
    features: [{ name: 'our-banner', stale: true }],
  },
})

test('Test the list of flags with our user and our flags only.', async () => {
  const response = await fetch('http://flags.example.com/api/admin/projects/default/features', {
    headers: { authorization: 'user:ada' },
  })
  const { features } = await response.json()
  expect(features.map(({ name }: { name: string }) => name)).toEqual(['our-banner'])
  expect(mock.requests.count({ operation: 'getFeatures', status: 200 })).toBe(1)
})

test('Test that the app says so if the service cannot be reached.', async () => {
  mock.useScenario('offline')
  await expect(fetch('http://flags.example.com/api/admin/projects')).rejects.toThrow('Failed to fetch')
})
