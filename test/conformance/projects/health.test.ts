import { expect, it } from 'vitest'
import { EDITOR, FIXED, onEveryAdapter } from '../../support/adapters.js'
import { onBothProfiles } from '../../support/both.js'

/** One of three features is stale. */
const aging = (project: string) => ({
  projects: [{ id: project, name: `Project ${project}`, createdAt: 'now-1d' }],
  features: [
    { name: 'fresh' },
    { name: 'permanent', type: 'permission', createdAt: 'now-400d' },
    { name: 'stale', stale: true, createdAt: 'now-400d' },
    { name: 'gone', archived: true, stale: true, createdAt: 'now-400d' },
  ].map((feature) => ({ ...feature, project })),
})

onBothProfiles('the health of a project', (client) => {
  const get = async (path: string) => (await client.send('GET', `/api/admin/projects/${path}`)).body
  const current = async (project: string) => {
    const { health, technicalDebt } = await get(`${project}/status`)
    return [health.current, technicalDebt.current]
  }

  it('the status of a project is as healthy as its features are now', async () => {
    client.mock.add(aging('aging'))
    expect(await current('aging')).toEqual([67, 33])
    client.mock.add({ features: [{ name: 'outlived', project: 'aging', createdAt: 'now-40d' }] })
    expect(await current('aging')).toEqual([50, 50])
    expect((await get('aging/status')).staleFlags).toEqual({ total: 2 })
    client.mock.add({ projects: [{ id: 'empty' }] })
    expect(await current('empty')).toEqual([100, 0])
  })

  it("a feature has exceeded its type's lifetime at its very end", async () => {
    client.mock.add({ projects: [{ id: 'one' }], features: [{ name: 'only', project: 'one' }] })
    client.mock.clock.advance({ days: 40, ms: -1 })
    expect(await current('one')).toEqual([100, 0])
    client.mock.clock.advance(1)
    expect(await current('one')).toEqual([0, 100])
  })

  it('the days of activity are in order, and none is older than a year', async () => {
    const event = (id: number, createdAt: string) => ({ id, type: 'feature-created', project: 'default', createdAt })
    client.mock.add({ events: [event(1, 'now-3d'), event(2, 'now-5d'), event(3, 'now-4d'), event(4, 'now-400d')] })
    expect((await get('default/status')).activityCountByDate).toEqual([
      { date: '2026-11-15', count: 1 },
      { date: '2026-11-16', count: 1 },
      { date: '2026-11-17', count: 1 },
    ])
  })

  it('the dashboard lists the projects in which the user has a role, and favorites, by name', async () => {
    const members = [{ id: 2, role: 5 }]
    client.mock.add({
      projects: [
        { id: 'a', name: 'Zebra', members },
        { id: 'b', name: 'Ape' },
        { id: 'c', name: 'Bear' },
        { id: 'd', name: 'Cat', members, archivedAt: 'now-1d' },
      ],
      favorites: [
        { userId: 2, kind: 'project', name: 'b' },
        { userId: 3, kind: 'project', name: 'c' },
      ],
    })
    const { body } = await client.send('GET', '/api/admin/personal-dashboard', undefined, { key: EDITOR })
    expect(body.projects.map(({ name }: { name: string }) => name)).toEqual(['Ape', 'Default', 'Zebra'])
  })

  it("the dashboard counts the flags of a project that have exceeded their type's lifetime", async () => {
    client.mock.add({ features: [{ name: 'outlived', createdAt: 'now-41d' }] })
    const read = () => client.send('GET', '/api/admin/personal-dashboard/default', undefined, { key: EDITOR })
    const { insights } = (await read()).body
    expect(insights).toMatchObject({ totalFlags: 3, staleFlags: 1, potentiallyStaleFlags: 1, activeFlags: 1 })
  })
})

onEveryAdapter(
  'the rating of a project',
  (client) => {
    it('every response shows the current rating', async () => {
      client.mock.add(aging('default'))
      const get = async (path: string) => (await client.send('GET', path)).body
      const rating = { health: 67, technicalDebt: 33 }
      expect(await get('/api/admin/projects/default/overview')).toMatchObject(rating)
      expect(await get('/api/admin/projects/default/health-report')).toMatchObject(rating)
      expect((await get('/api/admin/projects')).projects).toContainEqual(
        expect.objectContaining({ id: 'default', ...rating }),
      )
      expect(client.mock.projects.get('default')).toMatchObject(rating)
      expect(await get('/api/admin/projects/default/insights')).toMatchObject({
        health: { rating: 67 },
        technicalDebt: { rating: 33 },
      })
    })
  },
  { ...FIXED, scenario: 'empty' },
)

onEveryAdapter(
  'the hourly rating of projects (unleash-8)',
  (client) => {
    const project = '/api/admin/projects/default'
    const get = async (path: string, key?: string) =>
      (await client.send('GET', path, undefined, key === undefined ? {} : { key })).body

    it("ratings other than the status's follow once an hour, and count as an update", async () => {
      client.mock.add({ projects: [{ id: 'default', createdAt: 'now', updatedAt: null }] })
      for (const name of ['a', 'b', 'c']) await client.send('POST', `${project}/features`, { name })
      await client.send('PATCH', `${project}/features/a`, [{ op: 'replace', path: '/stale', value: true }])
      expect((await get(`${project}/status`)).health).toEqual({ current: 67 })
      expect(await get(`${project}/overview`)).toMatchObject({ health: 100, technicalDebt: 0, updatedAt: null })
      client.mock.clock.advance({ minutes: 90 })
      const rated = { health: 67, technicalDebt: 33, updatedAt: '2026-11-20T13:00:00.000Z' }
      expect(await get(`${project}/overview`)).toMatchObject(rated)
      await client.send('PATCH', `${project}/features/b`, [{ op: 'replace', path: '/stale', value: true }])
      await client.send('PATCH', `${project}/features/a`, [{ op: 'replace', path: '/stale', value: false }])
      await client.send('DELETE', `${project}/features/a`)
      expect((await get(`${project}/status`)).health).toEqual({ current: 50 })
      expect(await get(`${project}/health-report`)).toMatchObject({ ...rated, staleCount: 1, activeCount: 1 })
      expect((await get(`${project}/insights`)).health).toMatchObject({ rating: 67, staleCount: 1 })
      expect((await get('/api/admin/projects')).projects[0]).toMatchObject({ health: 67, technicalDebt: 33 })
      const dashboard = await get('/api/admin/personal-dashboard', EDITOR)
      expect(dashboard.projects[0]).toMatchObject({ health: 67, technicalDebt: 33 })
      client.mock.clock.advance({ minutes: 30 })
      expect(await get(`${project}/overview`)).toMatchObject({ health: 50, updatedAt: '2026-11-20T14:00:00.000Z' })
    })
  },
  { ...FIXED, scenario: 'empty', profile: 'unleash-8' },
)
