import { beforeEach, expect, it } from 'vitest'
import { CLIENT, EDITOR, FRONTEND, NOW, VIEWER } from '../../support/adapters.js'
import { onBothProfiles } from '../../support/both.js'

const applications = '/api/admin/metrics/applications'

onBothProfiles('an application', (client) => {
  const get = async (path: string) => (await client.send('GET', path)).body
  const register = (sdkVersion: string, more: object = {}) => {
    const sent = {
      appName: 'till',
      instanceId: sdkVersion,
      sdkVersion,
      interval: 1,
      started: NOW,
      strategies: ['default'],
    }
    return client.send('POST', '/api/client/register', { ...sent, ...more }, { key: CLIENT })
  }
  const report = (toggles: object) =>
    client.send(
      'POST',
      '/api/client/metrics',
      { appName: 'till', instanceId: 'unleash-client-node:6.9.0', bucket: { start: NOW, stop: NOW, toggles } },
      { key: CLIENT },
    )

  const inBrowser = (sdkVersion: string, more: object = { instanceId: sdkVersion }) =>
    client.send(
      'POST',
      '/api/frontend/client/metrics',
      { appName: 'till', ...more },
      { key: FRONTEND, headers: { 'unleash-sdk': sdkVersion } },
    )

  beforeEach(async () => {
    await register('unleash-client-node:6.9.0', { strategies: ['homemade', 'default'] })
    await register('unleash-client-node:3.0.0', { strategies: ['ignored'] })
    await inBrowser('unleash-client-js:5.0.0')
    await report({ 'legacy-export': { yes: 1, no: 0 }, forgotten: { yes: 1, no: 1 } })
  })

  it('it is returned with its SDKs, its strategies and its reported features', async () => {
    const body = await get(`${applications}/till`)
    expect(body).toMatchObject({
      appName: 'till',
      description: null,
      strategies: [{ name: 'homemade', notFound: true }, { name: 'default' }],
      seenToggles: [{ name: 'legacy-export' }],
      links: { self: '/api/applications/till' },
    })
    expect(body.instances).toContainEqual({
      appName: 'till',
      instanceId: 'unleash-client-js:5.0.0',
      sdkVersion: 'unleash-client-js:5.0.0',
      sdkType: 'frontend',
      clientIp: '127.0.0.1',
      lastSeen: NOW,
      createdAt: NOW,
      environment: 'development',
    })
    expect((await client.send('GET', `${applications}/nope`)).status).toBe(404)
  })

  it('its overview lists its problems', async () => {
    expect(await get(`${applications}/till/overview`)).toEqual({
      projects: ['default'],
      featureCount: 1,
      environments: [
        {
          name: 'development',
          instanceCount: 3,
          sdks: ['unleash-client-js:5.0.0', 'unleash-client-node:3.0.0', 'unleash-client-node:6.9.0'],
          frontendSdks: ['unleash-client-js:5.0.0'],
          backendSdks: ['unleash-client-node:3.0.0', 'unleash-client-node:6.9.0'],
          lastSeen: NOW,
          issues: { missingFeatures: [], outdatedSdks: ['unleash-client-node:3.0.0'] },
        },
      ],
      issues: { missingStrategies: ['homemade'] },
    })
    await register('unleash-client-node:6.9.0', { appName: 'other' })
    expect((await get(`${applications}/till/overview`)).featureCount).toBe(1)
    expect((await client.send('GET', `${applications}/nope/overview`)).status).toBe(404)
  })

  it('its overview shows the environments with its metrics, and the SDKs of the last 24 hours', async () => {
    client.mock.add({ clientInstances: [{ appName: 'till', environment: 'production', instanceId: 'silent' }] })
    const sdks = async () =>
      (await get(`${applications}/till/overview`)).environments.map((one: { name: string; instanceCount: number }) => [
        one.name,
        one.instanceCount,
      ])
    const instances = async () =>
      (await get('/api/admin/metrics/instances/till/environment/development')).instances.map(
        ({ instanceId }: { instanceId: string }) => instanceId,
      )
    expect(await sdks()).toEqual([['development', 3]])
    client.mock.clock.advance({ hours: 23 })
    await register('unleash-client-node:3.0.0')
    expect(await instances()).toEqual([
      'unleash-client-node:3.0.0',
      'unleash-client-node:6.9.0',
      'unleash-client-js:5.0.0',
    ])
    client.mock.clock.advance({ hours: 1, ms: 1 })
    expect(await sdks()).toEqual([['development', 1]])
    expect(await instances()).toEqual(['unleash-client-node:3.0.0'])
    expect((await get(`${applications}/till/overview`)).environments[0].lastSeen).toBe('2026-11-21T11:00:00.000Z')
    client.mock.clock.advance({ days: 2 })
    expect((await get(`${applications}/till/overview`)).environments).toMatchObject([
      { name: 'development', instanceCount: 0, sdks: [], lastSeen: null },
    ])
  })

  it('a flag that is created after a report about it is no longer missing, and counts once', async () => {
    await client.send('POST', '/api/admin/projects/default/features', { name: 'forgotten' })
    await report({ forgotten: { yes: 1 } })
    const { featureCount, environments } = await get(`${applications}/till/overview`)
    expect([featureCount, environments[0].issues.missingFeatures]).toEqual([2, []])
  })

  it('a flag that is deleted after a report about it is missing', async () => {
    await client.send('DELETE', '/api/admin/projects/default/features/legacy-export')
    await client.send('DELETE', '/api/admin/archive/legacy-export')
    const { projects, featureCount, environments } = await get(`${applications}/till/overview`)
    expect([projects, featureCount]).toEqual([[], 1])
    expect(environments[0].issues.missingFeatures).toEqual(['legacy-export'])
    expect((await get(`${applications}/till`)).seenToggles).toEqual([{ name: 'legacy-export', notFound: true }])
  })

  it('strategy types that Unleash has removed are not missing', async () => {
    const strategies = ['userWithId', 'gradualRolloutRandom', 'homemade']
    await register('unleash-client-node:1.0.0', { appName: 'old', strategies })
    const toggles = { 'legacy-export': { yes: 1 } }
    const old = { appName: 'old', bucket: { start: NOW, stop: NOW, toggles } }
    await client.send('POST', '/api/client/metrics', old, { key: CLIENT })
    expect((await get(`${applications}/old/overview`)).issues).toEqual({ missingStrategies: ['homemade'] })
  })

  it('the type of an SDK that only reports metrics is unknown until it registers', async () => {
    const sent = { appName: 'quiet', instanceId: 'one', bucket: { start: NOW, stop: NOW, toggles: {} } }
    await client.send('POST', '/api/client/metrics', sent, { key: CLIENT })
    const typesOf = async () =>
      (await get(`${applications}/quiet`)).instances.map(({ sdkType }: { sdkType: string | null }) => sdkType)
    expect(await typesOf()).toEqual([null])
    await register('unleash-client-node:6.9.0', { appName: 'quiet', instanceId: 'one' })
    expect(await typesOf()).toEqual(['backend'])
  })

  it('it keeps the strategies and the creator of its first report, even one of metrics alone', async () => {
    const bucket = { start: NOW, stop: NOW, toggles: {} }
    await client.send('POST', '/api/client/metrics', { appName: 'quiet', instanceId: 'one', bucket }, { key: CLIENT })
    await register('unleash-client-node:6.9.0', { appName: 'quiet', instanceId: 'one' })
    const { applications: found } = await get(`${applications}?query=quiet`)
    expect(found).toMatchObject([{ createdBy: null, strategies: [] }])
    expect((await get(`${applications}/quiet`)).strategies).toEqual([])
    expect((await get(`${applications}?query=till`)).applications[0].createdBy).not.toBe(null)
  })

  it('a report of metrics does not change the version of its SDK', async () => {
    const bucket = { start: NOW, stop: NOW, toggles: {} }
    const sent = { appName: 'till', instanceId: 'unleash-client-node:6.9.0', sdkVersion: 'unleash-client-node:7.0.0' }
    await client.send('POST', '/api/client/metrics', { ...sent, bucket }, { key: CLIENT })
    const { instances } = await get(`${applications}/till`)
    expect(instances.map(({ sdkVersion }: { sdkVersion: string }) => sdkVersion)).not.toContain(sent.sdkVersion)
  })

  it('it was created at its first report or note', async () => {
    client.mock.clock.advance({ hours: 1 })
    await client.send('POST', `${applications}/till`, { icon: 'shop' }, { key: EDITOR })
    expect((await get(`${applications}/till`)).createdAt).toBe(NOW)
  })

  it('the applications of a flag are in the order of their letters', async () => {
    for (const appName of ['Zoo', 'alpha', 'Beta']) {
      const bucket = { start: NOW, stop: NOW, toggles: { 'legacy-export': { yes: 1 } } }
      await client.send('POST', '/api/client/metrics', { appName, bucket }, { key: CLIENT })
    }
    const { seenApplications } = await get('/api/admin/client-metrics/features/legacy-export')
    expect(seenApplications).toEqual(['alpha', 'Beta', 'till', 'Zoo'])
  })

  it('it has no overview after it was deleted', async () => {
    await register('unleash-client-node:6.9.0', { appName: 'other' })
    await client.send('DELETE', `${applications}/till`)
    expect((await client.send('GET', `${applications}/till/overview`)).status).toBe(404)
  })

  it.each([
    ['unleash-client-python:5.10.9', true],
    ['unleash-client-python:5.11.0', false],
    ['unleash-client-nextjs:1.6.1', true],
    ['unleash-php-sdk:2.9.0', true],
    ['unleash-node-sdk:6.6.0-beta.1', true],
    ['unleash-node-sdk:6.6.0', false],
    ['unheard-of:0.0.1', false],
  ])('whether %s is outdated', async (sdkVersion, isOutdated) => {
    await register(sdkVersion)
    const { sdks } = await get('/api/admin/metrics/sdks/outdated')
    expect(sdks.some((sdk: { sdkVersion: string }) => sdk.sdkVersion === sdkVersion)).toBe(isOutdated)
  })

  it("only its token determines an SDK's environment", async () => {
    await register('unleash-client-node:9.0.0', { environment: 'production' })
    expect(await get('/api/admin/metrics/instances/till/environment/production')).toEqual({ instances: [] })
  })

  it('an SDK of a frontend is known by its metrics, if it identifies itself there', async () => {
    const count = async () => (await get('/api/admin/metrics/instances/till/environment/development')).instances.length
    expect(await count()).toBe(3)
    const sent = { appName: 'till', instanceId: 'another', interval: 15, started: NOW, strategies: [] }
    expect((await client.send('POST', '/api/frontend/client/register', sent, { key: FRONTEND })).status).toBe(200)
    await client.send('POST', '/api/frontend/client/metrics', sent, { key: FRONTEND })
    await inBrowser('unleash-client-js:5.0.0', {})
    expect(await count()).toBe(3)
    await inBrowser('unleash-client-js:5.1.0')
    expect(await count()).toBe(4)
  })

  it('reports without a count are ignored', async () => {
    await report({ nothing: { yes: 0, no: 0 }, 'checkout-redesign': { yes: 0, no: 0 } })
    expect((await get('/api/admin/metrics/unknown-flags')).unknownFlags).toMatchObject([{ name: 'forgotten' }])
    expect((await get(`${applications}/till/overview`)).featureCount).toBe(1)
  })

  it('a collected report describes each SDK', async () => {
    const one = { appName: 'till', environment: 'production', sdkVersion: 'unleash-client-js:5.0.0' }
    const bulk = {
      applications: [
        { ...one, instanceId: 'a', sdkType: 'frontend', projects: ['default'], started: NOW, interval: 1 },
        { ...one, instanceId: 'b', started: NOW, interval: 1 },
      ],
      metrics: [],
    }
    expect((await client.send('POST', '/api/client/metrics/bulk', bulk, { key: CLIENT })).status).toBe(202)
    const types = (await get(`${applications}/till`)).instances
      .filter(({ environment }: { environment: string }) => environment === 'production')
      .map(({ instanceId, sdkType }: { instanceId: string; sdkType: string }) => [instanceId, sdkType])
    expect(types).toEqual([
      ['a', 'frontend'],
      ['b', 'backend'],
    ])
  })

  it('its SDKs are listed per environment, and outdated SDKs for the instance and per project', async () => {
    const { instances } = await get('/api/admin/metrics/instances/till/environment/development')
    expect(instances).toHaveLength(3)
    expect(await get('/api/admin/metrics/instances/till/environment/production')).toEqual({ instances: [] })
    const outdated = { sdkVersion: 'unleash-client-node:3.0.0', applications: ['till'] }
    expect((await get('/api/admin/metrics/sdks/outdated')).sdks).toContainEqual(outdated)
    expect((await get('/api/admin/projects/default/sdks/outdated')).sdks).toContainEqual(outdated)
    expect((await get('/api/admin/projects/mobile-app/sdks/outdated')).sdks).not.toContainEqual(outdated)
  })

  it('unknown flags are listed until they exist', async () => {
    const flag = {
      name: 'forgotten',
      lastSeenAt: NOW,
      lastEventAt: null,
      reports: [{ appName: 'till', environments: [{ environment: 'development', seenAt: NOW }] }],
    }
    expect(await get('/api/admin/metrics/unknown-flags')).toEqual({ unknownFlags: [flag] })
    await client.send('POST', '/api/admin/projects/default/features', { name: 'forgotten' })
    expect(await get('/api/admin/metrics/unknown-flags')).toEqual({ unknownFlags: [] })
  })

  it('an unknown flag was seen at the end of the reported period, by its applications in the order of their reports', async () => {
    const stop = '2026-11-20T11:30:00.000Z'
    for (const appName of ['another', 'Zoo', 'shop']) {
      const bucket = { start: '2026-11-20T11:00:00Z', stop, toggles: { stray: { yes: 1 } } }
      await client.send('POST', '/api/client/metrics', { appName, bucket }, { key: CLIENT })
    }
    const [, stray] = (await get('/api/admin/metrics/unknown-flags')).unknownFlags
    expect([stray.name, stray.lastSeenAt, stray.reports[0].environments[0].seenAt]).toEqual(['stray', stop, stop])
    expect(stray.reports.map(({ appName }: { appName: string }) => appName)).toEqual(['another', 'Zoo', 'shop'])
  })

  it('users can save notes about it, and delete it', async () => {
    const note = (body: object, key = EDITOR) => client.send('POST', `${applications}/till`, body, { key })
    expect((await note({ description: 'At the counter', color: 'red' })).status).toBe(202)
    expect((await note({ icon: 'shop' })).status).toBe(202)
    expect(await get(`${applications}/till`)).toMatchObject({
      description: 'At the counter',
      color: 'red',
      icon: 'shop',
    })
    expect((await note({}, VIEWER)).status).toBe(403)
    expect((await client.send('DELETE', `${applications}/till`, undefined, { key: EDITOR })).status).toBe(200)
    expect((await client.send('GET', `${applications}/till`)).status).toBe(404)
    expect((await get(applications)).applications.map(({ appName }: { appName: string }) => appName)).not.toContain(
      'till',
    )
  })
})
