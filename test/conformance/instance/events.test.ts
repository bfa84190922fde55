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
