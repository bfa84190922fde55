import { expect, it } from 'vitest'
import { EDITOR, onEveryAdapter, VIEWER } from '../../support/adapters.js'

const context = '/api/admin/context'
const types = '/api/admin/strategies'
const strategies = '/api/admin/projects/default/features/checkout-redesign/environments/development/strategies'

onEveryAdapter('fields of the context', (client) => {
  const names = async (path: string) => (await client.send('GET', path)).body.map(({ name }: { name: string }) => name)

  it('context fields are listed by name, with their usage', async () => {
    const { body } = await client.send('GET', context)
    expect(body.map(({ name }: { name: string }) => name)).toEqual([
      'appName',
      'currentTime',
      'environment',
      'sessionId',
      'userId',
    ])
    expect(body[4]).toMatchObject({ name: 'userId', sortOrder: 1, usedInProjects: 1, usedInFeatures: 1 })
    expect(body[3]).toMatchObject({ name: 'sessionId', stickiness: true, usedInProjects: 0 })
    const using = await client.send('GET', `${context}/userId/strategies`)
    expect(using.body.strategies).toMatchObject([{ featureName: 'checkout-redesign', environment: 'development' }])
  })

  it('context fields of a project are listed there, with the global ones on request', async () => {
    await client.send('POST', context, { name: 'region', project: 'default' })
    expect(await names('/api/admin/projects/default/context')).toEqual(['region'])
    expect(await names('/api/admin/projects/default/context?include=root')).toHaveLength(6)
    expect(await names('/api/admin/projects/mobile-app/context')).toEqual([])
    expect(await names(context)).toHaveLength(5)
  })

  it('constraints can only use the legal values of a context field', async () => {
    await client.send('POST', context, { name: 'region', legalValues: [{ value: 'north' }] })
    await client.send('POST', `${context}/region/legal-values`, { value: 'south', description: 'warm' })
    const constraint = (value: string) => ({ contextName: 'region', operator: 'IN', values: [value] })
    const add = (value: string) =>
      client.send('POST', strategies, { name: 'default', constraints: [constraint(value)] })
    expect((await add('south')).status).toBe(200)
    expect((await add('west')).status).toBe(400)
    await client.send('DELETE', `${context}/region/legal-values/south`)
    expect((await add('south')).status).toBe(400)
  })
})

onEveryAdapter('types of strategies', (client) => {
  const custom = { name: 'my-own', parameters: [{ name: 'groupId', type: 'string' }] }

  it('a parameter without a name is told by its place, even for an unknown type', async () => {
    const parameters = [
      { name: 'a', type: 'string' },
      { name: '', type: 'string' },
    ]
    const created = await client.send('POST', types, { name: 'own', parameters })
    const changed = await client.send('PUT', `${types}/nope`, { parameters })
    expect([created.status, changed.status]).toEqual([400, 400])
    expect(changed.body.details[0].message).toContain('"parameters[1].name"')
  })

  it('the built-in strategy types exist from the start', async () => {
    const { body } = await client.send('GET', types)
    expect(body.strategies.map(({ name }: { name: string }) => name)).toEqual([
      'flexibleRollout',
      'default',
      'remoteAddress',
      'applicationHostname',
    ])
    expect((await client.send('GET', `${types}/default`)).body).toEqual(body.strategies[1])
  })

  it('a strategy type is created, used, changed, deprecated and deleted', async () => {
    const { status, body } = await client.send('POST', types, custom, { key: EDITOR })
    expect(status).toBe(201)
    expect(body).toEqual({
      name: 'my-own',
      displayName: null,
      title: null,
      description: null,
      editable: true,
      deprecated: false,
      parameters: [{ name: 'groupId', type: 'string' }],
    })
    expect((await client.send('POST', strategies, { name: 'my-own', parameters: { groupId: 'g' } })).status).toBe(200)
    const change = { title: 't', description: 'd', parameters: [] }
    expect((await client.send('PUT', `${types}/my-own`, change)).status).toBe(200)
    expect((await client.send('POST', `${types}/my-own/deprecate`)).status).toBe(200)
    expect((await client.send('GET', `${types}/my-own`)).body).toMatchObject({
      title: 't',
      description: 'd',
      deprecated: true,
    })
    expect((await client.send('POST', `${types}/my-own/reactivate`)).status).toBe(200)
    expect((await client.send('DELETE', `${types}/my-own`)).status).toBe(200)
    expect((await client.send('POST', strategies, { name: 'my-own' })).status).toBe(400)
    expect(client.mock.events.list().map(({ type }) => type)).toEqual([
      'strategy-created',
      'feature-strategy-add',
      'strategy-updated',
      'strategy-deprecated',
      'strategy-reactivated',
      'strategy-deleted',
    ])
  })

  it.each(['deprecate', 'reactivate'])('to %s a strategy type needs a permission', async (verb) => {
    const { status, body } = await client.send('POST', `${types}/default/${verb}`, undefined, { key: VIEWER })
    expect([status, body.message]).toEqual([403, expect.stringContaining('"UPDATE_STRATEGY"')])
  })

  it('a new strategy type is not deprecated', async () => {
    expect((await client.send('POST', types, { ...custom, deprecated: true })).body.deprecated).toBe(false)
  })

  it('built-in strategy types can be deprecated, but not changed', async () => {
    expect((await client.send('PUT', `${types}/default`, { parameters: [] })).status).toBe(403)
    expect((await client.send('DELETE', `${types}/flexibleRollout`)).status).toBe(403)
    expect((await client.send('POST', `${types}/default/deprecate`)).status).toBe(200)
    expect((await client.send('GET', `${types}/default`)).body.deprecated).toBe(true)
  })
})

onEveryAdapter('types of features', (client) => {
  it('feature types are listed with their expected lifetime in days', async () => {
    const { body } = await client.send('GET', '/api/admin/feature-types')
    expect(body.types.map(({ id, lifetimeDays }: { id: string; lifetimeDays: number }) => [id, lifetimeDays])).toEqual([
      ['release', 40],
      ['experiment', 40],
      ['operational', 7],
      ['kill-switch', null],
      ['permission', null],
      ['sunset', 90],
    ])
  })

  it('an admin can change the lifetime of a feature type', async () => {
    const path = '/api/admin/feature-types/release/lifetime'
    const { body } = await client.send('PUT', path, { lifetimeDays: 7 })
    expect(body).toMatchObject({ id: 'release', lifetimeDays: 7 })
    expect((await client.send('PUT', path, { lifetimeDays: 7 }, { key: EDITOR })).status).toBe(403)
    expect((await client.send('PUT', path.replace('release', 'nope'), { lifetimeDays: 7 })).status).toBe(404)
  })
})
