import { expect, it } from 'vitest'
import { CLIENT, NOW, onEveryAdapter, VIEWER } from '../../support/adapters.js'

onEveryAdapter('applications', (client) => {
  const list = async (query = '') =>
    (await client.send('GET', `/api/admin/metrics/applications${query}`, undefined, { key: VIEWER })).body
  const inProject = async (project: string, query = '') =>
    (await client.send('GET', `/api/admin/projects/${project}/applications${query}`, undefined, { key: VIEWER })).body
  const names = ({ applications }: { applications: { appName?: string; name?: string }[] }) =>
    applications.map(({ appName, name }) => appName ?? name)

  const register = (appName: string, instanceId: string) =>
    client.send(
      'POST',
      '/api/client/register',
      {
        appName,
        instanceId,
        sdkVersion: 'unleash-client-node:6.12.1',
        interval: 0,
        started: NOW,
        strategies: ['b', 'a'],
      },
      { key: CLIENT },
    )
  const count = (appName: string, feature: string) => {
    const bucket = { start: NOW, stop: NOW, toggles: { [feature]: { yes: 1 } } }
    return client.send('POST', '/api/client/metrics', { appName, bucket }, { key: CLIENT })
  }

  it('an application is known once an SDK has registered it', async () => {
    expect(await list()).toEqual({ applications: [], total: 0 })
    await register('shop', 'one')
    await register('shop', 'two')
    await register('admin', 'one')
    const usage = [{ project: '*', environments: ['development'] }]
    const empty = { description: null, url: null, color: null, icon: null }
    const own = {
      strategies: ['b', 'a'],
      createdBy: 'system',
      project: '*',
      environment: 'development',
      usage,
    }
    const common = { ...empty, ...own, createdAt: NOW, updatedAt: NOW }
    expect(await list()).toEqual({
      applications: [
        { appName: 'admin', ...common },
        { appName: 'shop', ...common },
      ],
      total: 2,
    })
    expect(names(await list('?sortOrder=desc&limit=1'))).toEqual(['shop'])
    expect(names(await list('?query=ADM'))).toEqual(['admin'])
  })

  it('an application is known once users have saved notes about it', async () => {
    await register('shop', 'one')
    const note = (appName: string, body: object) =>
      client.send('POST', `/api/admin/metrics/applications/${appName}`, body)
    await note('shop', { url: 'https://shop.example.com', strategies: ['c'] })
    await note('planned', { icon: 'star' })
    const everywhere = { project: '*', environments: ['*'] }
    expect(await list()).toMatchObject({
      applications: [
        { appName: 'planned', icon: 'star', strategies: [], createdBy: null, environment: '*', usage: [everywhere] },
        {
          appName: 'shop',
          url: 'https://shop.example.com',
          strategies: ['c'],
          usage: [{ project: '*', environments: ['*', 'development'] }],
        },
      ],
      total: 2,
    })
    expect(names(await list('?query=plan'))).toEqual(['planned'])
  })

  it('a note replaces the reported strategies only if it has some, and an empty list clears them', async () => {
    await register('shop', 'one')
    client.mock.clock.advance(1)
    const strategiesAfter = async (body: object) => {
      await client.send('POST', '/api/admin/metrics/applications/shop', body)
      return (await list()).applications[0].strategies
    }
    expect(await strategiesAfter({ icon: 'star' })).toEqual(['b', 'a'])
    expect(await strategiesAfter({ strategies: [] })).toEqual([])
    client.mock.restore(client.mock.state())
    expect((await list()).applications[0].strategies).toEqual([])
    expect(await strategiesAfter({ strategies: ['c'] })).toEqual(['c'])
    expect(await strategiesAfter({ icon: 'moon' })).toEqual(['c'])
  })

  it('the description of an application isn’t checked, and is stored as text', async () => {
    const note = (body: object) => client.send('POST', '/api/admin/metrics/applications/noted', body)
    const described = async () => (await client.send('GET', '/api/admin/metrics/applications/noted')).body.description
    expect((await note({ description: { a: 1 }, url: 3 })).status).toBe(202)
    expect(await described()).toBe('{"a":1}')
    const nested = await note({
      description: Array(100)
        .fill(0)
        .reduce((inner) => [inner], []),
    })
    expect(nested.status).toBe(400)
    expect(nested.body.details[0].message).toBe('The description is nested deeper than 64 levels.')
    await note({ description: null })
    expect(await described()).toBeNull()
    expect((await note({ url: [] })).status).toBe(400)
  })

  it('users declare the usage of an application, and each declaration adds to it', async () => {
    const note = (body: object) => client.send('POST', '/api/admin/metrics/applications/planned', body)
    const usage = async () => (await list('?query=planned')).applications[0].usage
    await note({ projects: ['default', 'mobile-app'], environment: 'production' })
    expect(await usage()).toEqual([
      { project: 'default', environments: ['production'] },
      { project: 'mobile-app', environments: ['production'] },
    ])
    await note({ projects: ['default'], description: 'Soon' })
    await note({ environment: 'development' })
    await register('planned', 'one')
    const declared = [
      { project: 'default', environments: ['production', '*'] },
      { project: 'mobile-app', environments: ['production'] },
      { project: '*', environments: ['development'] },
    ]
    expect(await usage()).toEqual(declared)
    client.mock.restore(client.mock.state())
    expect(await usage()).toEqual(declared)
    // The first note or report makes the application.
    expect((await list('?query=planned')).applications[0]).toMatchObject({
      ...{ createdBy: null, strategies: [], project: 'default', environment: 'production' },
    })
  })

  it('an SDK is used in the projects of its token, and by its metrics alone anywhere', async () => {
    client.mock.add({
      apiTokens: [
        { secret: 'default:production.till', type: 'client', environment: 'production', projects: ['default'] },
      ],
    })
    const key = { key: 'default:production.till' }
    await client.send('POST', '/api/client/metrics', { appName: 'counted', instanceId: 'a' }, key)
    const sdk = { appName: 'registered', instanceId: 'a', interval: 1, started: NOW, strategies: [] }
    await client.send('POST', '/api/client/register', sdk, key)
    await client.send('POST', '/api/client/metrics', { appName: 'registered', instanceId: 'a' }, key)
    expect((await list()).applications).toMatchObject([
      { appName: 'counted', usage: [{ project: '*', environments: ['production'] }] },
      { appName: 'registered', usage: [{ project: 'default', environments: ['production'] }] },
    ])
  })

  it('an application belongs to the projects whose flags it has reported', async () => {
    await register('shop', 'one')
    await register('shop', 'two')
    expect(await inProject('default')).toEqual({ applications: [], total: 0 })
    await count('shop', 'checkout-redesign')
    expect(await inProject('default')).toEqual({
      applications: [
        {
          name: 'shop',
          environments: ['development'],
          instances: ['default', 'one', 'two'],
          sdks: [{ name: 'unleash-client-node', versions: ['6.12.1'] }],
        },
      ],
      total: 1,
    })
    expect(names(await inProject('default', '?query=two'))).toEqual(['shop'])
    expect(names(await inProject('mobile-app'))).toEqual([])
  })

  it('an application without a known SDK in the environment of its metrics has none, and a deleted one is left out', async () => {
    client.mock.add({ clientInstances: [{ appName: 'shop', environment: 'production', instanceId: 'one' }] })
    const metrics = [{ appName: 'shop', featureName: 'checkout-redesign', environment: 'development', yes: 1 }]
    await client.send('POST', '/api/client/metrics/bulk', { applications: [], metrics }, { key: CLIENT })
    expect((await inProject('default')).applications).toEqual([
      { name: 'shop', environments: ['development'], instances: [null], sdks: [] },
    ])
    await client.send('DELETE', '/api/admin/metrics/applications/shop')
    expect((await inProject('default')).applications).toEqual([])
  })

  it('a page beyond the end counts no applications', async () => {
    await register('shop', 'one')
    expect(await list('?offset=5')).toEqual({ applications: [], total: 0 })
  })

  it('an outdated SDK of a reporting application counts for the project, whatever its environment', async () => {
    const old = {
      appName: 'shop',
      instanceId: 'old',
      environment: 'production',
      sdkVersion: 'unleash-client-node:1.0.0',
    }
    client.mock.add({ clientInstances: [old] })
    await count('shop', 'checkout-redesign')
    const { sdks } = (await client.send('GET', '/api/admin/projects/default/sdks/outdated')).body
    expect(sdks).toEqual([{ sdkVersion: old.sdkVersion, applications: ['shop'] }])
  })

  it('the status of a project counts its applications', async () => {
    const status = async () => (await client.send('GET', '/api/admin/projects/default/overview')).body.onboardingStatus
    expect(await status()).toEqual({ status: 'first-flag-created', feature: 'legacy-export' })
    await count('shop', 'checkout-redesign')
    expect(await status()).toEqual({ status: 'sdk-connected' })
    await client.send('POST', '/api/admin/projects/default/features/checkout-redesign/environments/production/on')
    expect(await status()).toEqual({ status: 'onboarded' })
  })

  it('the statistics of the instance count the applications', async () => {
    const stats = async () => (await client.send('GET', '/api/admin/instance-admin/statistics')).body
    expect(await stats()).toMatchObject({
      users: 3,
      featureToggles: 3,
      projects: 2,
      environments: 2,
      apiTokens: { admin: 1, client: 1, frontend: 1 },
      productionChanges: { last30: 0 },
      clientApps: [{ count: 0 }, { count: 0 }, { count: 0 }],
    })
    await register('shop', 'one')
    await client.send('POST', '/api/admin/projects/default/features/checkout-redesign/environments/production/on')
    client.mock.clock.advance({ days: 10 })
    expect(await stats()).toMatchObject({
      productionChanges: { last30: 1, last60: 1, last90: 1 },
      clientApps: [
        { range: '7d', count: 0 },
        { range: '30d', count: 1 },
        { range: 'allTime', count: 1 },
      ],
    })
  })
})
