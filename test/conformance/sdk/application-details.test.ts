import { beforeEach, expect, it } from 'vitest'
import { onBothProfiles } from '../../support/both.js'
import { CLIENT, EDITOR, FRONTEND, NOW, VIEWER } from '../../support/doors.js'

const applications = '/api/admin/metrics/applications'

onBothProfiles('an application', (client) => {
  const get = async (path: string) => (await client.send('GET', path)).body
  const register = (sdkVersion: string, more: object = {}, key = CLIENT) => {
    const path = key === FRONTEND ? '/api/frontend/client/register' : '/api/client/register'
    const sent = {
      appName: 'till',
      instanceId: sdkVersion,
      sdkVersion,
      interval: 1,
      started: NOW,
      strategies: ['default'],
    }
    return client.send('POST', path, { ...sent, ...more }, { key })
  }
  const report = (toggles: object) =>
    client.send(
      'POST',
      '/api/client/metrics',
      { appName: 'till', instanceId: 'unleash-client-node:6.9.0', bucket: { start: NOW, stop: NOW, toggles } },
      { key: CLIENT },
    )

  beforeEach(async () => {
    await register('unleash-client-node:6.9.0')
    await register('unleash-client-node:3.0.0', { strategies: ['homemade'] })
    await register('unleash-client-js:5.0.0', {}, FRONTEND)
    await report({ 'legacy-export': { yes: 1, no: 0 }, forgotten: { yes: 1, no: 1 } })
  })

  it('it is read with its SDKs, its strategies and the features that it reports', async () => {
    const body = await get(`${applications}/till`)
    expect(body).toMatchObject({
      appName: 'till',
      description: null,
      strategies: [{ name: 'default' }, { name: 'homemade', notFound: true }],
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

  it('its overview says what is wrong with it', async () => {
    expect(await get(`${applications}/till/overview`)).toEqual({
      projects: ['default'],
      featureCount: 2,
      environments: [
        {
          name: 'development',
          instanceCount: 3,
          sdks: ['unleash-client-js:5.0.0', 'unleash-client-node:3.0.0', 'unleash-client-node:6.9.0'],
          frontendSdks: ['unleash-client-js:5.0.0'],
          backendSdks: ['unleash-client-node:3.0.0', 'unleash-client-node:6.9.0'],
          lastSeen: NOW,
          issues: { missingFeatures: ['forgotten'], outdatedSdks: ['unleash-client-node:3.0.0'] },
        },
      ],
      issues: { missingStrategies: ['homemade'] },
    })
    expect(await get(`${applications}/nope/overview`)).toMatchObject({ projects: [], environments: [] })
  })

  it('its SDKs are listed per environment, and outdated ones everywhere and per project', async () => {
    const { instances } = await get('/api/admin/metrics/instances/till/environment/development')
    expect(instances).toHaveLength(3)
    expect(await get('/api/admin/metrics/instances/till/environment/production')).toEqual({ instances: [] })
    const outdated = { sdkVersion: 'unleash-client-node:3.0.0', applications: ['till'] }
    expect((await get('/api/admin/metrics/sdks/outdated')).sdks).toContainEqual(outdated)
    expect((await get('/api/admin/projects/default/sdks/outdated')).sdks).toContainEqual(outdated)
    expect((await get('/api/admin/projects/mobile-app/sdks/outdated')).sdks).not.toContainEqual(outdated)
  })

  it('flags that do not exist are listed until they do', async () => {
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

  it('people can note something about it, and have it forgotten', async () => {
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
