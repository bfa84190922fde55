import { beforeEach, expect, it } from 'vitest'
import { EDITOR, VIEWER } from '../../support/adapters.js'
import { onBothProfiles } from '../../support/both.js'

const project = '/api/admin/projects/default'
const environments = `${project}/environments`
const flag = `${project}/features/flag`

onBothProfiles('environments of a project', (client) => {
  const send = (method: string, path: string, body?: unknown) => client.send(method, path, body)
  const connect = (environment: string) => send('POST', environments, { environment })
  const disconnect = (environment: string) => send('DELETE', `${environments}/${environment}`)
  const last = () => client.mock.events.list().at(-1)
  const namesOfFlag = async () => (await send('GET', flag)).body.environments.map(({ name }: { name: string }) => name)

  beforeEach(() => {
    client.mock.add({
      environments: [{ name: 'staging', sortOrder: 0 }],
      features: [
        {
          name: 'flag',
          environments: [{ name: 'production', enabled: true, strategies: [{ id: 's1', name: 'default' }] }],
        },
        { name: 'gone', archived: true },
      ],
    })
  })

  it('an environment is connected with a project and all its features', async () => {
    const { status, body } = await connect('staging')
    expect([status, body]).toEqual([200, undefined])
    expect(await namesOfFlag()).toEqual(['staging', 'development', 'production'])
    const names = client.mock.features.get('gone')?.environments.map(({ name }) => name)
    expect(names).toContain('staging')
    const event = { type: 'project-environment-added', project: 'default', environment: 'staging', data: null }
    expect(last()).toMatchObject({ ...event, groupId: expect.any(String) })
    const { body: overview } = await send('GET', `${project}/overview`)
    expect(overview.environments).toContainEqual({ environment: 'staging' })
  })

  it('it can be connected only once, and must exist', async () => {
    const twice = await connect('development')
    expect([twice.status, twice.body.name]).toEqual([409, 'NameExistsError'])
    const unknown = await connect('nope')
    expect([unknown.status, unknown.body.name]).toEqual([400, 'BadDataError'])
    expect((await send('POST', '/api/admin/projects/nope/environments', { environment: 'staging' })).status).toBe(404)
    for (const body of [{}, { environment: 'staging', more: 1 }]) {
      expect((await send('POST', environments, body)).status).toBe(400)
    }
  })

  it('when it is disconnected, features lose it but keep their strategies, switched off', async () => {
    expect((await disconnect('production')).status).toBe(200)
    expect(await namesOfFlag()).toEqual(['development'])
    expect(last()).toMatchObject({ type: 'project-environment-removed', environment: 'production', data: null })
    expect((await send('GET', `${flag}/environments/production`)).status).toBe(404)
    await connect('production')
    expect((await send('GET', `${flag}/environments/production`)).body).toMatchObject({
      enabled: false,
      strategies: [{ id: 's1', name: 'default' }],
    })
  })

  it('SDKs still receive the strategies of a disconnected environment, for features that are off', async () => {
    const key = '*:production.sdk'
    client.mock.add({ apiTokens: [{ secret: key, type: 'client', environment: 'production' }] })
    await disconnect('production')
    const received = await client.send('GET', '/api/client/features/flag', undefined, { key })
    expect(received.body).toMatchObject({ enabled: false, strategies: [{ name: 'default' }], variants: [] })
    const tested = await send('POST', '/api/admin/playground', {
      environment: 'production',
      context: { appName: 'shop' },
    })
    const flag = tested.body.features.find(({ name }: { name: string }) => name === 'flag')
    expect(flag).toMatchObject({ isEnabled: false, strategies: { data: [{ id: 's1', name: 'default' }] } })
  })

  it('a snapshot keeps the strategies of disconnected environments', async () => {
    await disconnect('production')
    const state = client.mock.state()
    client.mock.restore(state)
    expect(client.mock.state()).toEqual(state)
    await connect('production')
    expect((await send('GET', `${flag}/environments/production/strategies`)).body).toHaveLength(1)
  })

  it('disconnecting an environment twice has no effect', async () => {
    for (const path of [`${environments}/nope`, '/api/admin/projects/nope/environments/development']) {
      expect((await send('DELETE', path)).status).toBe(200)
    }
  })

  it('features get the default strategy of their environment when they are enabled without strategies', async () => {
    const strategy = {
      name: 'flexibleRollout',
      title: 'Ten',
      parameters: { rollout: '10' },
      constraints: [{ contextName: 'appName', operator: 'IN', values: ['shop'] }],
    }
    const path = `${environments}/development/default-strategy`
    const { status, body } = await send('POST', path, strategy)
    expect([status, body]).toEqual([200, strategy])
    const event = { type: 'default-strategy-updated', project: 'default', environment: 'development' }
    expect(last()).toMatchObject({ ...event, data: strategy, preData: null })
    await send('POST', `${flag}/environments/development/on`)
    const [added] = (await send('GET', `${flag}/environments/development/strategies`)).body
    expect(added).toMatchObject({
      ...strategy,
      parameters: { rollout: '10', stickiness: 'default', groupId: 'flag' },
    })
    const { body: overview } = await send('GET', `${project}/overview`)
    expect(overview.environments).toContainEqual({ environment: 'development', defaultStrategy: strategy })
    await disconnect('development')
    await connect('development')
    const { body: after } = await send('GET', `${project}/overview`)
    expect(after.environments).toContainEqual({ environment: 'development' })
  })

  it('only a gradual rollout can be a default strategy', async () => {
    const path = `${environments}/development/default-strategy`
    const other = await send('POST', path, { name: 'default' })
    expect([other.status, other.body.name]).toEqual([400, 'BadDataError'])
    expect((await send('POST', path, { constraints: [] })).status).toBe(400)
    const unknown = await send('POST', `${environments}/nope/default-strategy`, { name: 'flexibleRollout' })
    expect(unknown.status).toBe(404)
  })

  it("editors can change the environments of a project, but viewers can't", async () => {
    const as = async (key: string) =>
      (await client.send('DELETE', `${environments}/production`, undefined, { key })).status
    expect(await as(VIEWER)).toBe(403)
    expect(await as(EDITOR)).toBe(200)
  })
})

onBothProfiles('environments of the instance', (client) => {
  const path = '/api/admin/environments'
  const shown = async () =>
    (await client.send('GET', path)).body.environments.map(
      ({ name, sortOrder, enabled }: { name: string; sortOrder: number; enabled: boolean }) => [
        name,
        sortOrder,
        enabled,
      ],
    )

  it('they are sorted', async () => {
    const order = { production: 1, development: 5, nope: 7 }
    expect((await client.send('PUT', `${path}/sort-order`, order)).status).toBe(200)
    expect(await shown()).toEqual([
      ['production', 1, true],
      ['development', 5, true],
    ])
    expect((await client.send('PUT', `${path}/sort-order`, { development: 'x' })).status).toBe(400)
    expect((await client.send('PUT', `${path}/sort-order`, { development: 2 ** 31 })).status).toBe(400)
    expect((await client.send('PUT', `${path}/sort-order`, order, { key: EDITOR })).status).toBe(403)
  })

  it('they are switched off and on', async () => {
    expect((await client.send('POST', `${path}/production/off`)).status).toBe(204)
    expect(await shown()).toContainEqual(['production', 3, false])
    expect((await client.send('POST', `${path}/production/on`)).status).toBe(204)
    expect(await shown()).toContainEqual(['production', 3, true])
    expect((await client.send('POST', `${path}/nope/off`)).status).toBe(404)
  })
})

onBothProfiles('default strategies of a project', (client) => {
  it('they are listed with its environments', async () => {
    const defaultStrategy = { name: 'flexibleRollout', parameters: { rollout: '20' } }
    const path = '/api/admin/projects/default/environments/development/default-strategy'
    await client.send('POST', path, defaultStrategy)
    const { environments } = (await client.send('GET', '/api/admin/environments/project/default')).body
    expect(environments).toMatchObject([{ name: 'development', defaultStrategy }, { name: 'production' }])
    expect(environments[1]).not.toHaveProperty('defaultStrategy')
  })
})
