import { describe, expect, it } from 'vitest'
import { onEveryAdapter, VIEWER } from '../../support/adapters.js'

const features = '/api/admin/search/features'
const events = '/api/admin/search/events'

onEveryAdapter('searching features', (client) => {
  const search = async (query: string) =>
    (await client.send('GET', `${features}?${query}`, undefined, { key: VIEWER })).body
  const names = async (query: string) => (await search(query)).features.map(({ name }: { name: string }) => name)

  it('searching finds all features that are not archived, oldest first', async () => {
    const { features, total } = await search('')
    expect(total).toBe(3)
    expect(features.map(({ name }: { name: string }) => name)).toEqual([
      'legacy-export',
      'checkout-redesign',
      'push-opt-in',
    ])
    expect(features[1]).toMatchObject({
      project: 'default',
      dependencyType: null,
      createdBy: { id: 2, name: 'Editor' },
      tags: [{ type: 'simple', value: 'checkout' }],
      environments: [{ name: 'development', enabled: true, hasStrategies: true }, { name: 'production' }],
    })
  })

  describe('by a filter', () => {
    it.each([
      ['project=IS:default', ['legacy-export', 'checkout-redesign']],
      ['project=IS_NOT:default', ['push-opt-in']],
      ['type=IS_ANY_OF:release,experiment', ['checkout-redesign', 'push-opt-in']],
      ['type=IS_NONE_OF:release,experiment', ['legacy-export']],
      ['state=IS:stale', ['legacy-export']],
      ['lifecycle=IS:live', ['checkout-redesign']],
      ['lifecycle=IS:archived', ['archived-banner']],
      ['lifecycle=IS_ANY_OF:live,archived', ['archived-banner', 'checkout-redesign']],
      ['lifecycle=IS_NOT:live', ['legacy-export', 'push-opt-in']],
      ['lifecycle=IS_NOT:live&archived=IS:true', ['archived-banner']],
      ['lifecycle=IS:live&archived=IS:true', []],
      ['createdBy=IS:1', ['legacy-export']],
      ['tag=INCLUDE:simple:checkout', ['checkout-redesign']],
      ['tag=DO_NOT_INCLUDE:simple:checkout', ['legacy-export', 'push-opt-in']],
      ['tag=INCLUDE_ALL_OF:simple:checkout,simple:other', []],
      ['tag=INCLUDE_ANY_OF: simple:other , simple:checkout ', ['checkout-redesign']],
      ['tag=EXCLUDE_IF_ANY_OF:simple:checkout,simple:other', ['legacy-export', 'push-opt-in']],
      ['tag=EXCLUDE_ALL:simple:checkout,simple:other', ['legacy-export', 'checkout-redesign', 'push-opt-in']],
      ['createdAt=IS_ON_OR_AFTER:2026-11-01', ['push-opt-in']],
      ['createdAt=IS_BEFORE:2026-11-01', ['legacy-export', 'checkout-redesign']],
      ['archived=IS:true', ['archived-banner']],
      ['status=production:enabled', ['legacy-export']],
      ['status[]=production:enabled&status[]=development:disabled', ['legacy-export']],
      ['query=CHECK', ['checkout-redesign']],
      ['query=old%20export', ['legacy-export']],
      ['query=simple:check', []],
      ['project=IS:mobile-app&type=IS:release', []],
    ])('%s', async (query, expected) => {
      expect(await names(query)).toEqual(expected)
    })

    it('searching rejects a malformed filter', async () => {
      for (const query of ['project=default', 'type=LIKE:x', 'project=constructor:x']) {
        const { status, body } = await client.send('GET', `${features}?${query}`)
        expect([status, body.details[0].path]).toEqual([400, `/query/${query.split('=')[0]}`])
      }
    })
  })

  it.each([
    ['tag', `INCLUDE:${'a:b,'.repeat(3000)}a:b\n`],
    ['tag', `INCLUDE:${'a:b,\n'.repeat(1500)}a`],
    ['segment', `INCLUDE:${',a'.repeat(6000)}\n`],
    ['project', `IS:${',a'.repeat(6000)}\n`],
  ])('searching rejects a malformed filter of any length at once: %s', async (facet, filter) => {
    expect((await client.send('GET', `${features}?${facet}=${filter.replaceAll('\n', '%0A')}`)).status).toBe(400)
  })

  it('searching sorts the features', async () => {
    expect(await names('sortBy=name')).toEqual(['checkout-redesign', 'legacy-export', 'push-opt-in'])
    expect(await names('sortBy=createdAt&sortOrder=desc')).toEqual([
      'push-opt-in',
      'checkout-redesign',
      'legacy-export',
    ])
    expect((await names('sortBy=environment:production&sortOrder=desc'))[0]).toBe('legacy-export')
  })

  it('searching returns pages', async () => {
    const page = await search('sortBy=name&offset=1&limit=1')
    expect([page.total, page.features.map(({ name }: { name: string }) => name)]).toEqual([3, ['legacy-export']])
    expect(await names('offset=9')).toEqual([])
    expect(await names('offset=x&limit=y')).toHaveLength(3)
  })

  it('searching lists favourites first on request', async () => {
    const mark = '/api/admin/projects/mobile-app/features/push-opt-in/favorites'
    await client.send('POST', mark, undefined, { key: VIEWER })
    expect(await names('favorite=IS:true')).toEqual(['push-opt-in'])
    expect(await names('favoritesFirst=true')).toEqual(['push-opt-in', 'legacy-export', 'checkout-redesign'])
    expect((await client.send('GET', `${features}?favorite=IS:true`)).body.total).toBe(0)
  })

  it('searching shows parents and children', async () => {
    client.mock.add({ features: [{ name: 'child', dependencies: [{ feature: 'legacy-export' }] }] })
    const { features } = await search('project=IS:default&sortBy=name')
    const types = features.map((it: { name: string; dependencyType: string }) => [it.name, it.dependencyType])
    expect(types).toEqual([
      ['checkout-redesign', null],
      ['child', 'child'],
      ['legacy-export', 'parent'],
    ])
  })
})

onEveryAdapter('events', (client) => {
  const create = (name: string) => client.send('POST', '/api/admin/projects/default/features', { name })
  const search = async (query: string) =>
    (await client.send('GET', `${events}?${query}`, undefined, { key: VIEWER })).body

  it('events are filtered, newest first, each with a label and a summary', async () => {
    await create('one')
    await create('two')
    await client.send('DELETE', '/api/admin/projects/default/features/one')
    const { events, total } = await search('feature=IS:one')
    expect([total, events.map(({ type }: { type: string }) => type)]).toEqual([
      2,
      ['feature-archived', 'feature-created'],
    ])
    const { baseUrl } = client.mock
    expect(events[1]).toMatchObject({
      label: 'Flag created',
      summary: `**mock-admin** created **[one](${baseUrl}/projects/default/features/one)** in project **[default](${baseUrl}/projects/default)**`,
    })
  })

  it.each([
    ['type=IS_ANY_OF:feature-created,feature-revived', 2],
    ['type=IS:feature-archived', 0],
    ['project=IS:mobile-app', 0],
    ['createdBy=IS_ANY_OF:-42,1', 2],
    ['from=IS:2026-11-20&to=IS:2026-11-20', 2],
    ['to=IS:2026-11-19', 0],
    ['query=TWO', 1],
    ['id=IS:1', 1],
  ])('searching events by %s finds %i', async (query, expected) => {
    await create('one')
    await create('two')
    expect((await search(query)).total).toBe(expected)
  })

  it('events are returned in pages', async () => {
    await create('one')
    await create('two')
    const { total, events } = await search('offset=1&limit=1')
    expect([total, events.map(({ featureName }: { featureName: string }) => featureName)]).toEqual([2, ['one']])
  })

  it('all users can read the events of a feature; an unknown feature has none', async () => {
    await create('one')
    const of = async (name: string) =>
      (await client.send('GET', `/api/admin/events/${name}`, undefined, { key: VIEWER })).body
    expect(await of('one')).toMatchObject({ toggleName: 'one', totalEvents: 1, events: [{ type: 'feature-created' }] })
    expect(await of('nope')).toMatchObject({ events: [], totalEvents: 0 })
  })

  it('the creators of events are listed', async () => {
    await create('one')
    const invited = { email: 'new@example.com', name: 'New', password: 'x' }
    await client.send('POST', '/invite/live-invite/signup', invited, { key: null })
    await client.send('POST', '/api/admin/splash/x', undefined, { key: VIEWER })
    expect((await client.send('GET', '/api/admin/event-creators')).body).toEqual([
      { id: -1337, name: 'Unleash System' },
      { id: -42, name: 'Unleash Admin Token' },
    ])
  })
})

onEveryAdapter('the personal dashboard', (client) => {
  const path = '/api/admin/personal-dashboard'

  it('the dashboard shows the caller’s flags, the projects and the admins', async () => {
    const { body } = await client.send('GET', path, undefined, { key: 'user:mock-editor' })
    expect(body.flags.map(({ name }: { name: string }) => name)).toEqual(['push-opt-in', 'checkout-redesign'])
    expect(body.projects).toMatchObject([{ id: 'default', featureCount: 2 }])
    expect(body.admins).toMatchObject([{ id: 1, email: 'admin@example.com' }])
  })

  it('the dashboard shows the events in a project, and the caller’s roles in it', async () => {
    client.mock.add({ projects: [{ id: 'default', members: [{ id: 3, role: 5 }] }] })
    await client.send('POST', '/api/admin/projects/default/features', { name: 'new' })
    const { body } = await client.send('GET', `${path}/default`, undefined, { key: VIEWER })
    expect(body).toMatchObject({
      latestEvents: [{ createdBy: 'mock-admin', createdByImageUrl: expect.stringContaining('https://gravatar.com/') }],
      roles: [{ name: 'Member' }],
      insights: { totalFlags: 3, staleFlags: 1, activeFlags: 2 },
    })
    expect((await client.send('GET', `${path}/nope`, undefined, { key: VIEWER })).status).toBe(404)
  })
})

onEveryAdapter('searching by environment and by pattern', (client) => {
  const search = async (query: string) => (await client.send('GET', `${features}?${query}`)).body
  const names = async (query: string) => (await search(query)).features.map(({ name }: { name: string }) => name)

  it('a search by state lists only the environments in this state', async () => {
    const { features: found } = await search('status[]=development:enabled&query=checkout')
    expect(found[0].environments.map(({ name }: { name: string }) => name)).toEqual(['development'])
    expect((await search('query=checkout')).features[0].environments).toHaveLength(2)
  })

  it('a state without a value finds all', async () => {
    expect((await search('status[]=development')).total).toBe(3)
  })

  it('a search by last use lists only the environments that match', async () => {
    const environments = { development: { lastSeenAt: '2026-11-19T12:00:00Z' } }
    client.mock.add({ features: [{ name: 'seen', environments }] })
    const { features: found } = await search('lastSeenAt=IS_ON_OR_AFTER:2026-11-19&query=seen')
    expect(found[0].environments.map(({ name }: { name: string }) => name)).toEqual(['development'])
  })

  it.each([
    ['INCLUDE:simple:blue', ['blue']],
    ['INCLUDE_ANY_OF:simple:blue,simple:grey', ['blue']],
    ['INCLUDE_ALL_OF:simple:blue,simple:red', ['blue', 'red']],
    ['EXCLUDE_ALL:simple:grey', ['blue', 'red']],
  ])('a search by tag (%s) lists the tags %j', async (filter, expected) => {
    const tags = ['blue', 'red'].map((value) => ({ type: 'simple', value }))
    client.mock.add({ features: [{ name: 'tagged', tags }] })
    const { features: found } = await search(`query=tagged&tag=${filter}`)
    expect(found[0].tags.map(({ value }: { value: string }) => value)).toEqual(expected)
  })

  it.each([
    ['c_eckout', ['checkout-redesign']],
    ['c%redesign', ['checkout-redesign']],
    ['redesign%c', []],
    ['l_gacy%ex_ort', ['legacy-export']],
    ['__________________________________________________________________', []],
  ])('the query %s finds %j', async (query, expected) => {
    expect(await names(`query=${encodeURIComponent(query)}`)).toEqual(expected)
  })

  it('beyond the end, the total is 0', async () => {
    expect(await search('offset=100')).toEqual({ features: [], total: 0 })
  })

  it('the list of a project is filtered by the start of names in any case', async () => {
    const list = await client.send('GET', '/api/admin/projects/default/features?namePrefix=CHECK')
    expect(list.body.features).toMatchObject([{ name: 'checkout-redesign' }])
  })
})

onEveryAdapter('events by their ids', (client) => {
  it('an id of an event is a number', async () => {
    expect((await client.send('GET', `${events}?id=IS:x`)).status).toBe(400)
    expect((await client.send('GET', `${events}?id=IS_ANY_OF:1,2`)).status).toBe(200)
  })
})
