import { expect, it } from 'vitest'
import { onEveryAdapter, VIEWER } from '../../support/adapters.js'

const projects = '/api/admin/projects'
const read = { key: VIEWER }

onEveryAdapter('projects', (client) => {
  const get = async (path: string) => (await client.send('GET', path, undefined, read)).body

  it('projects are listed with their statistics', async () => {
    const { body } = await client.send('GET', projects)
    expect(body.projects).toMatchObject([
      { id: 'default', featureCount: 2, memberCount: 0, owners: [{ ownerType: 'system' }] },
      { id: 'mobile-app', featureCount: 1, onboardingStatus: { status: 'first-flag-created', feature: 'push-opt-in' } },
    ])
  })

  it('a project shows the time of its latest event', async () => {
    const updated = async () => (await get(projects)).projects.map((p: { lastUpdatedAt: string }) => p.lastUpdatedAt)
    expect(await updated()).toEqual([null, null])
    client.mock.clock.advance({ minutes: 1 })
    await client.send('POST', `${projects}/mobile-app/features`, { name: 'new' })
    expect(await updated()).toEqual([null, '2026-11-20T12:01:00.000Z'])
  })

  it('a project has owners and members', async () => {
    const members = [
      { id: 2, role: 4 },
      { id: 3, role: 5 },
    ]
    client.mock.add({ projects: [{ id: 'default', members }] })
    const [project] = (await get(projects)).projects
    expect(project).toMatchObject({ memberCount: 2, owners: [{ ownerType: 'user', name: 'Editor' }] })
    expect((await get(`${projects}/default/overview`)).members).toBe(2)
  })

  it('the overview of a project follows its changes', async () => {
    const before = await get(`${projects}/default/overview`)
    expect(before).toMatchObject({
      name: 'Default',
      environments: [{ environment: 'development' }, { environment: 'production' }],
      featureTypeCounts: [
        { type: 'kill-switch', count: 1 },
        { type: 'release', count: 1 },
      ],
      stats: { createdCurrentWindow: 1, createdPastWindow: 0, archivedCurrentWindow: 1 },
    })
    await client.send('POST', `${projects}/default/features/legacy-export/clone`, { name: 'copy' })
    const after = await get(`${projects}/default/overview`)
    expect(after.featureTypeCounts[0]).toEqual({ type: 'kill-switch', count: 2 })
    expect(after.stats.createdCurrentWindow).toBe(2)
  })

  it('a project has a status', async () => {
    await client.send('DELETE', `${projects}/default/features/legacy-export`)
    expect(await get(`${projects}/default/status`)).toMatchObject({
      activityCountByDate: [{ date: '2026-11-20', count: 1 }],
      staleFlags: { total: 0 },
      lifecycleSummary: { live: { currentFlags: 1 }, archived: { currentFlags: 2, last30Days: 2 } },
    })
  })

  it('a project lists the creators of its flags', async () => {
    expect(await get(`${projects}/default/flag-creators`)).toEqual([
      { id: 1, name: 'Admin' },
      { id: 2, name: 'Editor' },
    ])
  })

  it('creators of flags are found by part of their name, in pages', async () => {
    const makers = (query = '') => get(`/api/admin/flag-creators${query}`)
    const both = [
      { id: 1, name: 'Admin' },
      { id: 2, name: 'Editor' },
    ]
    expect(await makers()).toEqual({ flagCreators: both, total: 2 })
    expect(await makers('?q=DIT')).toEqual({ flagCreators: [both[1]], total: 1 })
    expect(await makers('?q=admin@')).toEqual({ flagCreators: [both[0]], total: 1 })
    expect(await makers('?offset=1&limit=1')).toEqual({ flagCreators: [both[1]], total: 2 })
    await client.send('DELETE', `${projects}/default/features/legacy-export`)
    expect((await makers()).total).toBe(1)
    await client.send('POST', `${projects}/default/features`, { name: 'by-a-token' })
    expect((await makers('?q=unleash_admin')).flagCreators).toEqual([{ id: -42, name: 'Unleash Admin Token' }])
  })

  it('an unknown or an archived project gets a 404', async () => {
    client.mock.add({ projects: [{ id: 'old', archivedAt: 'now-1d' }] })
    for (const project of ['nope', 'old']) {
      const { status, body } = await client.send('GET', `${projects}/${project}/overview`)
      expect([status, body.message]).toEqual([404, expect.stringContaining(`"${project}"`)])
    }
  })

  it('the status, the creators and the applications of an unknown project are empty', async () => {
    const status = await client.send('GET', `${projects}/nope/status`)
    expect(status.body).toMatchObject({ activityCountByDate: [], health: { current: 100 }, staleFlags: { total: 0 } })
    expect((await client.send('GET', `${projects}/nope/flag-creators`)).body).toEqual([])
    const applications = await client.send('GET', `${projects}/nope/applications`)
    expect(applications.body).toEqual({ applications: [], total: 0 })
  })

  it('a project shows the time at which a flag was last in use', async () => {
    const environments = { development: { lastSeenAt: '2026-11-19T12:00:00Z' } }
    client.mock.add({ features: [{ name: 'seen', project: 'mobile-app', environments }] })
    expect((await get(projects)).projects).toMatchObject([
      { id: 'default', lastReportedFlagUsage: null },
      { id: 'mobile-app', lastReportedFlagUsage: '2026-11-19T12:00:00.000Z' },
    ])
  })

  it('the status has the average days that flags spent in a stage', async () => {
    const pastStages = [{ stage: 'initial' as const, enteredStageAt: '2026-11-10T12:00:00Z' }]
    const lifecycle = { stage: 'live' as const, enteredStageAt: '2026-11-14T12:00:00Z' }
    client.mock.add({ features: [{ name: 'aged', project: 'mobile-app', pastStages, lifecycle }] })
    const { lifecycleSummary } = await get(`${projects}/mobile-app/status`)
    expect(lifecycleSummary).toMatchObject({ initial: { averageDays: 4 }, live: { averageDays: null } })
  })
})

onEveryAdapter('environments', (client) => {
  const path = '/api/admin/environments'

  it('environments are listed in their order, with their usage', async () => {
    const { body } = await client.send('GET', path, undefined, read)
    expect(body.environments).toMatchObject([
      { name: 'development', projectCount: 2, apiTokenCount: 2, enabledToggleCount: 3 },
      { name: 'production', projectCount: 2, apiTokenCount: 0, enabledToggleCount: 1 },
    ])
  })

  it('an environment is read by its name', async () => {
    expect((await client.send('GET', `${path}/production`)).body).toMatchObject({ name: 'production', enabled: true })
    expect((await client.send('GET', `${path}/nope`)).status).toBe(404)
  })

  it('a project shows its connected environments', async () => {
    client.mock.add({ projects: [{ id: 'default', environments: ['development'] }] })
    const { body } = await client.send('GET', `${path}/project/default`)
    expect(body.environments).toMatchObject([
      { name: 'development', visible: true, projectApiTokenCount: 2, projectEnabledToggleCount: 2 },
      { name: 'production', visible: false },
    ])
    const elsewhere = await client.send('GET', `${path}/project/nope`)
    expect(elsewhere.body.environments).toMatchObject([{ visible: false }, { visible: false }])
  })

  it('a single environment is read without counts', async () => {
    expect((await client.send('GET', `${path}/development`)).body).toEqual({
      name: 'development',
      type: 'development',
      sortOrder: 2,
      enabled: true,
      protected: false,
      requiredApprovals: null,
    })
  })
})

onEveryAdapter('the configuration of the user interface', (client) => {
  const config = async (key?: string) =>
    (await client.send('GET', '/api/admin/ui-config', undefined, key === undefined ? {} : { key })).body

  it('the configuration of the user interface contains the base URL, and maintenance mode', async () => {
    expect(await config()).toMatchObject({ unleashUrl: client.mock.baseUrl, baseUriPath: '', maintenanceMode: false })
    await client.send('POST', '/api/admin/maintenance', { enabled: true })
    expect((await config()).maintenanceMode).toBe(true)
  })

  it('the user interface can report an error, even in maintenance mode', async () => {
    await client.send('POST', '/api/admin/maintenance', { enabled: true })
    const report = (body: unknown) => client.send('POST', '/api/admin/record-ui-error', body, { key: VIEWER })
    expect((await report({ errorMessage: 'x is undefined' })).status).toBe(204)
    expect((await report({})).body.details[0].path).toBe('/body/errorMessage')
  })

  it('the configuration of the user interface distinguishes users without naming them', async () => {
    expect((await config()).unleashContext).toEqual({})
    expect((await config(VIEWER)).unleashContext).toEqual({
      userId: 3,
      email: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })
})
