import { expect, it } from 'vitest'
import { EDITOR, NOW, onEveryAdapter, VIEWER } from '../../support/adapters.js'

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

  it('a context field is created, changed and deleted', async () => {
    const { status, headers, body } = await client.send('POST', context, { name: 'region' }, { key: EDITOR })
    expect([status, headers.get('location')]).toEqual([201, 'context/region'])
    expect(body).toMatchObject({ name: 'region', description: null, sortOrder: 0, createdAt: NOW })
    expect(body).toMatchObject({ stickiness: false, legalValues: [] })
    expect((await client.send('PUT', `${context}/region`, { description: 'Where', stickiness: true })).status).toBe(200)
    expect((await client.send('GET', `${context}/region`)).body).toMatchObject({
      description: 'Where',
      stickiness: true,
      sortOrder: 0,
    })
    expect((await client.send('DELETE', `${context}/region`)).status).toBe(200)
    expect((await client.send('GET', `${context}/region`)).status).toBe(404)
    expect(client.mock.events.list().map(({ type }) => type)).toEqual([
      'context-field-created',
      'context-field-updated',
      'context-field-deleted',
    ])
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

  it.each([
    ['a free name', 'region', 200],
    ['a taken name', 'userId', 409],
    ['a name that no URL carries', 'a b', 400],
  ])('validating a context field: %s', async (_, name, expected) => {
    expect((await client.send('POST', `${context}/validate`, { name })).status).toBe(expected)
    expect((await client.send('POST', context, { name })).status).toBe(expected === 200 ? 201 : expected)
  })

  it("a viewer can't create context fields", async () => {
    expect((await client.send('POST', context, { name: 'region' }, { key: VIEWER })).status).toBe(403)
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
    const { status, headers, body } = await client.send('POST', types, custom, { key: EDITOR })
    expect([status, headers.get('location')]).toEqual([201, 'strategies/my-own'])
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

  it.each([
    ['CREATE_STRATEGY', 'POST', types, { ...custom, name: 'other' }, 201],
    ['UPDATE_STRATEGY', 'PUT', `${types}/my-own`, { parameters: [] }, 200],
    ['UPDATE_STRATEGY', 'POST', `${types}/my-own/deprecate`, undefined, 200],
    ['UPDATE_STRATEGY', 'POST', `${types}/my-own/reactivate`, undefined, 200],
    ['DELETE_STRATEGY', 'DELETE', `${types}/my-own`, undefined, 200],
  ])('only the permission %s allows %s %s', async (needed, method, path, body, status) => {
    const permissions = ['CREATE_STRATEGY', 'UPDATE_STRATEGY', 'DELETE_STRATEGY']
    const permit = (granted: string[]) =>
      client.mock.add({ roles: [{ id: 10, permissions: granted.map((name) => ({ name })) }] })
    permit(permissions.filter((name) => name !== needed))
    client.mock.add({
      strategyTypes: [{ name: 'my-own' }],
      users: [{ id: 10, rootRole: 10 }],
      apiTokens: [{ secret: 'user:limited', userId: 10 }],
    })
    expect((await client.send(method, path, body, { key: 'user:limited' })).status).toBe(403)
    permit([needed])
    expect((await client.send(method, path, body, { key: 'user:limited' })).status).toBe(status)
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

  it('the name of a strategy type is unique', async () => {
    expect((await client.send('POST', types, { ...custom, name: 'default' })).status).toBe(409)
    expect((await client.send('GET', `${types}/nope`)).status).toBe(404)
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
