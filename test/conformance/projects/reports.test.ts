import { beforeEach, expect, it } from 'vitest'
import { EDITOR } from '../../support/adapters.js'
import { onBothProfiles } from '../../support/both.js'

const project = '/api/admin/projects/reported'

onBothProfiles('reports about a project', (client) => {
  const get = (path: string) => client.send('GET', path)

  beforeEach(() => {
    const features = [
      { name: 'fresh' },
      { name: 'outlived', createdAt: 'now-41d' },
      { name: 'permanent', type: 'permission', createdAt: 'now-400d' },
      { name: 'stale', stale: true, createdAt: 'now-400d' },
      { name: 'gone', archived: true, createdAt: 'now-400d' },
    ]
    client.mock.add({
      projects: [{ id: 'reported', name: 'Reported' }],
      features: features.map((feature) => ({ ...feature, project: 'reported' })),
    })
  })

  const counts = { activeCount: 3, potentiallyStaleCount: 1, staleCount: 1 }

  it('the health report lists the active features and counts the stale ones', async () => {
    const { status, body } = await get(`${project}/health-report`)
    expect([status, body]).toEqual([200, expect.objectContaining({ name: 'Reported', ...counts })])
    expect(body.features.map(({ name }: { name: string }) => name)).toEqual(['fresh', 'outlived', 'permanent', 'stale'])
    expect(body.environments).toEqual([{ environment: 'development' }, { environment: 'production' }])
    expect(body).not.toHaveProperty('onboardingStatus')
    expect((await get('/api/admin/projects/nope/health-report')).status).toBe(404)
  })

  it.each([
    [2, true],
    [3, false],
  ])('the health report shows the favorite of user %i to the editor: %s', async (userId, expected) => {
    client.mock.add({ favorites: [{ userId, kind: 'project', name: 'reported' }] })
    const { body } = await client.send('GET', `${project}/health-report`, undefined, { key: EDITOR })
    expect(body.favorite).toBe(expected)
  })

  it('insights count flags by type and age', async () => {
    const { body } = await get(`${project}/insights`)
    expect(body).toMatchObject({
      featureTypeCounts: [
        { type: 'permission', count: 1 },
        { type: 'release', count: 3 },
      ],
      technicalDebt: { ...counts },
      health: { ...counts },
      leadTime: { features: [], projectAverage: 0 },
    })
    expect((await get('/api/admin/projects/nope/insights')).status).toBe(404)
  })

  it('the time to production ends when a feature is first enabled there', async () => {
    const on = (name: string, environment: string) =>
      client.send('POST', `${project}/features/${name}/environments/${environment}/on`)
    await on('outlived', 'production')
    await on('fresh', 'development')
    client.mock.clock.advance({ days: 3 })
    await client.send('POST', `${project}/features/outlived/environments/production/off`)
    await on('outlived', 'production')
    const expected = { features: [{ name: 'outlived', timeToProduction: 41 }], projectAverage: 41 }
    expect((await get(`${project}/dora`)).body).toEqual(expected)
    // By name, in whole days, and without a deleted flag of the same name.
    await client.send('DELETE', `${project}/features/outlived`)
    await client.send('DELETE', '/api/admin/archive/outlived')
    client.mock.clock.advance({ hours: 1 })
    await client.send('POST', `${project}/features`, { name: 'outlived' })
    await client.send('POST', `${project}/features`, { name: 'late' })
    client.mock.clock.advance({ hours: 47 })
    for (const name of ['outlived', 'late']) await on(name, 'production')
    expect((await get(`${project}/dora`)).body.features).toEqual([
      { name: 'late', timeToProduction: 1 },
      { name: 'outlived', timeToProduction: 1 },
    ])
    expect((await get('/api/admin/projects/nope/dora')).body).toEqual({ features: [], projectAverage: 0 })
  })
})
