import { expect, it } from 'vitest'
import { EDITOR } from '../../support/adapters.js'
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

  it('every response shows the current rating', async () => {
    client.mock.useScenario('empty')
    client.mock.add(aging('default'))
    const expectRating = async (health: number) => {
      const rating = { health, technicalDebt: 100 - health }
      expect(await get('default/overview')).toMatchObject(rating)
      expect(await get('default/health-report')).toMatchObject(rating)
      expect((await get('')).projects).toContainEqual(expect.objectContaining({ id: 'default', ...rating }))
      expect(client.mock.projects.get('default')).toMatchObject(rating)
      const { health: shown, technicalDebt } = await get('default/insights')
      expect([shown.rating, technicalDebt.rating]).toEqual([health, 100 - health])
      const { body } = await client.send('GET', '/api/admin/personal-dashboard', undefined, { key: EDITOR })
      expect(body.projects[0]).toMatchObject(rating)
    }
    await expectRating(67)
    await client.send('POST', '/api/admin/projects/default/stale', { features: ['fresh'], stale: true })
    await expectRating(33)
  })
})
