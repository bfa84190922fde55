import { expect, it } from 'vitest'
import type { ServiceEvent } from '../../../src/index.js'
import { EDITOR, NOW, onEveryAdapter, VIEWER } from '../../support/adapters.js'

const features = '/api/admin/projects/default/features'

onEveryAdapter('events', (client) => {
  const newest = async (): Promise<ServiceEvent[]> => {
    const { status, body } = await client.send('GET', '/api/admin/events')
    expect(status).toBe(200)
    expect(body.totalEvents).toBe(body.events.length)
    expect(client.mock.events.list()).toEqual(body.events.toReversed())
    return body.events.toReversed()
  }

  it('a clone logs the feature, its parents and its strategies as one group', async () => {
    client.mock.add({
      features: [
        {
          name: 'child',
          dependencies: [{ feature: 'legacy-export', variants: ['a'] }],
          environments: [{ name: 'production', strategies: [{ name: 'default' }, { name: 'flexibleRollout' }] }],
        },
      ],
    })
    const { body: copy } = await client.send('POST', `${features}/child/clone`, { name: 'copy' }, { key: EDITOR })
    const events = await newest()
    expect(events.map(({ type }) => type)).toEqual([
      'feature-created',
      'feature-dependency-added',
      'feature-strategy-add',
      'feature-strategy-add',
    ])
    const [created, dependency, strategy] = events
    for (const event of events) {
      expect(event).toMatchObject({ createdBy: 'editor@example.com', createdByUserId: 2, createdAt: NOW })
      expect(event).toMatchObject({ featureName: 'copy', project: 'default', preData: null, tags: [] })
      expect(event).toMatchObject({ groupType: 'transaction', groupId: created?.groupId })
    }
    expect(created).toMatchObject({ environment: null, data: { name: 'copy', type: 'release', stale: false } })
    expect(dependency?.data).toEqual({ feature: 'legacy-export', enabled: true, variants: ['a'] })
    const { featureName: _, ...first } = copy.environments[1].strategies[0]
    expect(strategy).toMatchObject({ environment: 'production', data: first })
  })

  it('a sentence names the records, and links to features that exist', async () => {
    const send = (method: string, path: string, body?: object) => client.send(method, path, body)
    const found = async (type: string) => {
      const { body } = await send('GET', `/api/admin/search/events?type=IS:${type}`)
      const { label, summary } = body.events[0]
      return [label, summary.replaceAll(client.adapter.origin, '')]
    }
    const flag = '**[new](/projects/default/features/new)**'
    const project = '**[default](/projects/default)**'
    await send('POST', features, { name: 'new' })
    await send('PUT', `${features}/new`, { name: 'new', description: 'x' })
    await send('POST', '/api/admin/features/new/tags', { type: 'simple', value: 'tag' })
    await send('DELETE', '/api/admin/features/new/tags/simple/tag')
    await send('POST', `${features}/new/environments/development/strategies`, { name: 'default', title: 'All' })
    const [strategy] = (await send('GET', `${features}/new/environments/development/strategies`)).body
    const constraints = [{ contextName: 'userId', operator: 'IN', values: ['1', '2'] }]
    const change = { name: 'default', title: 'Everybody', disabled: true, constraints }
    await send('PUT', `${features}/new/environments/development/strategies/${strategy.id}`, change)
    await send('POST', `${features}/new/lifecycle/complete`, { status: 'kept' })
    await send('DELETE', `${features}/new`)
    await send('POST', '/api/admin/segments', { name: 'beta', constraints: [] })
    await send('POST', '/api/admin/context', { name: 'plan' })
    const user = await send('POST', '/api/admin/user-admin', { name: 'Uma', username: 'uma', rootRole: 3 })
    await send('PUT', `/api/admin/user-admin/${user.body.id}`, { name: 'Umi' })
    const by = (summary: string) => `**mock-admin** ${summary}`
    for (const [type, label, summary] of [
      ['feature-metadata-updated', 'Flag metadata updated', by(`updated ${flag} metadata in project ${project}`)],
      ['feature-tagged', 'Flag tagged', by(`tagged ${flag} with **simple:tag** in project ${project}`)],
      ['feature-untagged', 'Flag untagged', by(`untagged ${flag} with **simple:tag** in project ${project}`)],
      ['feature-completed', 'Flag marked as completed', `${flag} was marked as completed in project ${project}`],
      ['feature-archived', 'Flag archived', by(`archived **new** in project ${project}`)],
      ['segment-created', 'Segment created', by('created segment **beta**')],
      ['context-field-created', 'Context field created', by('created context field **plan**')],
      ['user-created', 'User created', by('created user **Uma**')],
      ['user-updated', 'User updated', by('updated user **Uma**')],
      ['tag-created', 'tag-created', by('triggered **tag-created**')],
    ] as const) {
      expect(await found(type)).toEqual([label, summary])
    }
    expect((await found('feature-strategy-update'))[1]).toContain(
      'by updating strategy **All** in **development** constraints from none to [userId IN (1,2)]',
    )
  })

  it('the event of a new context field, tag type or user is grouped alone, except for a signup', async () => {
    await client.send('POST', '/api/admin/context', { name: 'plan' })
    await client.send('POST', '/api/admin/tag-types', { name: 'team' })
    await client.send('POST', '/api/admin/user-admin', { username: 'uma', rootRole: 3 })
    const person = { name: 'Ada', email: 'ada@example.com', password: 'Str0ng!pass-Wrd-7' }
    await client.send('POST', '/invite/live-invite/signup', person, { key: null })
    const groups = (await newest()).map(({ type, groupType, groupId }) => [type, groupType, groupId !== undefined])
    expect(groups).toEqual([
      ['context-field-created', 'transaction', true],
      ['tag-type-created', 'transaction', true],
      ['user-created', 'transaction', true],
      ['user-created', undefined, false],
      ['public-signup-token-user-added', undefined, false],
    ])
  })

  it('the events of tag types and strategy types contain the sent fields', async () => {
    await client.send('POST', '/api/admin/tag-types', { name: 'team', description: 'x' })
    await client.send('PUT', '/api/admin/tag-types/team', { description: 'y' })
    await client.send('POST', '/api/admin/strategies', { name: 'own', parameters: [] })
    await client.send('PUT', '/api/admin/strategies/own', { description: 'y', parameters: [] })
    const type = { name: 'own', parameters: [], editable: true, deprecated: false }
    expect((await newest()).slice(1).map(({ data }) => data)).toEqual([
      { name: 'team', description: 'y' },
      type,
      { ...type, description: 'y' },
    ])
  })

  it('only the change of a single feature is grouped, when features become stale', async () => {
    await client.send('POST', '/api/admin/projects/default/stale', { features: ['checkout-redesign'], stale: true })
    await client.send('PATCH', `${features}/checkout-redesign`, [{ op: 'replace', path: '/stale', value: false }])
    const groups = (await newest())
      .filter(({ type }) => type.startsWith('feature-stale'))
      .map(({ type, groupType }) => [type, groupType])
    expect(groups).toEqual([
      ['feature-stale-on', undefined],
      ['feature-stale-off', 'transaction'],
    ])
  })

  it('the events of an API token name its projects', async () => {
    const sent = { tokenName: 'till', type: 'backend', projects: ['default', 'mobile-app'] }
    const { body } = await client.send('POST', '/api/admin/api-tokens', sent)
    await client.send('PUT', `/api/admin/api-tokens/${body.secret}`, { expiresAt: '2030-01-01T00:00:00.000Z' })
    await client.send('DELETE', `/api/admin/api-tokens/${body.secret}`)
    const events = await newest()
    expect(events.map(({ project }) => project)).toEqual(Array(3).fill('default,mobile-app'))
    expect(events[1]?.preData).toMatchObject({ expiresAt: null, seenAt: null })
  })

  it('an update of a signup token logs its body', async () => {
    const live = '/api/admin/invite-link/tokens/live-invite'
    await client.send('PUT', live, { enabled: false })
    await client.send('PUT', live, { expiresAt: '2027-01-01T00:00:00+01:00' })
    const events = await newest()
    expect(events.map(({ type, data }) => ({ type, data }))).toEqual([
      { type: 'public-signup-token-updated', data: { secret: 'live-invite', enabled: false } },
      { type: 'public-signup-token-updated', data: { secret: 'live-invite', expiresAt: '2026-12-31T23:00:00.000Z' } },
    ])
    for (const event of events) {
      expect(event).toMatchObject({ createdBy: 'mock-admin', createdByUserId: -42, featureName: null, project: null })
    }
  })

  it("a signup logs the user, and the token's new user", async () => {
    const ada = { name: 'Ada', email: 'ada@example.com', password: 'secret' }
    await client.send('POST', '/invite/live-invite/signup', ada, { key: null })
    const events = await newest()
    expect(events.map(({ type, data }) => ({ type, data }))).toEqual([
      {
        type: 'user-created',
        data: { id: 4, name: 'Ada', email: 'ada@example.com', rootRole: 3 },
      },
      { type: 'public-signup-token-user-added', data: { secret: 'live-invite', userId: 4 } },
    ])
    for (const event of events) expect(event).toMatchObject({ createdByUserId: -1337 })
  })

  it('every other change is logged', async () => {
    await client.send('POST', features, { name: 'fresh' })
    await client.send('DELETE', `${features}/fresh`)
    await client.send('POST', '/api/admin/invite-link/tokens', { name: 'x', expiresAt: NOW })
    expect((await newest()).map(({ type, featureName }) => [type, featureName])).toEqual([
      ['feature-created', 'fresh'],
      ['feature-archived', 'fresh'],
      ['public-signup-token-created', null],
    ])
  })

  it('nothing is logged for a rejected request or for reading', async () => {
    const clone = `${features}/checkout-redesign/clone`
    await client.send('POST', clone, { name: 'copy' }, { key: null })
    await client.send('POST', clone, { name: 'copy' }, { key: VIEWER })
    await client.send('POST', clone, { name: 'a b' })
    await client.send('POST', clone, { name: 'legacy-export' })
    await client.send('POST', `${features}/nothing/clone`, { name: 'copy' })
    await client.send('PUT', '/api/admin/invite-link/tokens/live-invite', {})
    await client.send('PUT', '/api/admin/invite-link/tokens/nothing', { enabled: true })
    await client.send('POST', '/invite/expired-invite/signup', { name: 'A', email: 'a@b.de', password: '' })
    await client.send('GET', features)
    expect(await newest()).toEqual([])
  })

  it('events come newest first, at most a hundred, with their total', async () => {
    for (let i = 0; i < 120; i++) {
      await client.send('PUT', '/api/admin/invite-link/tokens/live-invite', { enabled: i % 2 === 0 })
    }
    const { body } = await client.send('GET', '/api/admin/events')
    expect(body.totalEvents).toBe(120)
    expect(body.events.map(({ id }: ServiceEvent) => id)).toEqual(Array.from({ length: 100 }, (_, i) => 120 - i))
  })

  it('the events of a project or a feature are fifty at most', async () => {
    const toggle = (state: string) =>
      client.send('POST', `${features}/checkout-redesign/environments/development/${state}`)
    for (let i = 0; i < 30; i++) {
      await toggle('off')
      await toggle('on')
    }
    for (const query of ['?project=default', '/checkout-redesign']) {
      const { body } = await client.send('GET', `/api/admin/events${query}`)
      expect([body.events.length, body.events[0].id, body.totalEvents]).toEqual([50, 60, 60])
    }
  })

  it('only admins read the events', async () => {
    const { status, body } = await client.send('GET', '/api/admin/events', undefined, { key: EDITOR })
    expect([status, body.name]).toEqual([403, 'NoAccessError'])
  })
})
