import { beforeEach, expect, it } from 'vitest'
import { EDITOR, FIXED, NOW, onEveryAdapter } from '../../support/adapters.js'

const project = '/api/admin/projects/default'
const features = `${project}/features`

onEveryAdapter('the archive', (client) => {
  const events = () => client.mock.events.list().map(({ type }) => type)

  it('several features are archived together; unknown names are skipped', async () => {
    const both = { features: ['checkout-redesign', 'legacy-export'] }
    expect((await client.send('POST', `${project}/archive`, both)).status).toBe(202)
    expect(client.mock.features.get('legacy-export')).toMatchObject({ archived: true, archivedAt: NOW, enabled: true })
    expect(events()).toEqual(['feature-archived', 'feature-archived'])
    expect((await client.send('POST', `${project}/archive`, { features: ['nope'] })).status).toBe(202)
  })

  it('archiving is validated: it reports children, and parents that would be missing', async () => {
    await client.send('POST', `${features}/checkout-redesign/dependencies`, { feature: 'legacy-export' })
    const ask = async (...names: string[]) =>
      (await client.send('POST', `${project}/archive/validate`, { features: names })).body
    expect(await ask('legacy-export')).toEqual({
      parentsWithChildFeatures: ['legacy-export'],
      hasDeletedDependencies: true,
    })
    expect(await ask('checkout-redesign')).toEqual({ parentsWithChildFeatures: [], hasDeletedDependencies: true })
    expect(await ask('push-opt-in')).toEqual({ parentsWithChildFeatures: [], hasDeletedDependencies: false })
    expect(await ask('legacy-export', 'checkout-redesign')).toEqual({
      parentsWithChildFeatures: [],
      hasDeletedDependencies: true,
    })
  })

  it('archiving a child first ends its dependencies, as a separate event', async () => {
    const depend = () => client.send('POST', `${features}/checkout-redesign/dependencies`, { feature: 'legacy-export' })
    const last = (count: number) => events().slice(-count)
    const freed = ['feature-dependencies-removed', 'feature-archived']
    await depend()
    expect((await client.send('DELETE', `${features}/checkout-redesign`)).status).toBe(202)
    expect(last(2)).toEqual(freed)
    await client.send('POST', '/api/admin/archive/revive/checkout-redesign')
    expect((await client.send('GET', `${features}/checkout-redesign`)).body.dependencies).toEqual([])
    expect((await client.send('DELETE', `${features}/legacy-export`)).status).toBe(202)
    expect(last(2)).toEqual(['feature-revived', 'feature-archived'])
    await client.send('POST', '/api/admin/archive/revive/legacy-export')
    await depend()
    await client.send('POST', `${project}/archive`, { features: ['checkout-redesign'] })
    expect(last(2)).toEqual(freed)
  })

  it('a parent is archived together with its children but not before them', async () => {
    await client.send('POST', `${features}/checkout-redesign/dependencies`, { feature: 'legacy-export' })
    const alone = await client.send('POST', `${project}/archive`, { features: ['legacy-export'] })
    expect([alone.status, alone.body.name]).toEqual([403, 'InvalidOperationError'])
    const both = { features: ['legacy-export', 'checkout-redesign'] }
    expect((await client.send('POST', `${project}/archive`, both)).status).toBe(202)
  })

  it('an archived feature does not enter the stage again', async () => {
    const path = `${features}/checkout-redesign`
    const stages = async () =>
      (await client.send('GET', `${path}/lifecycle`)).body.map(({ stage }: { stage: string }) => stage)
    const before = await stages()
    await client.send('DELETE', path)
    expect(await stages()).toEqual([...before, 'archived'])
    const since = client.mock.features.get('checkout-redesign')?.lifecycle
    client.mock.clock.advance({ minutes: 1 })
    await client.send('DELETE', path)
    await client.send('PUT', path, { archived: true })
    expect(await stages()).toEqual([...before, 'archived'])
    const { lifecycle, archivedAt } = client.mock.features.get('checkout-redesign') ?? {}
    expect(lifecycle).toEqual(since)
    expect(archivedAt).not.toBe(NOW)
    expect(events()).toEqual(['feature-archived', 'feature-archived', 'feature-metadata-updated'])
  })

  it('a revived feature is off everywhere and at the start of its lifecycle', async () => {
    await client.send('DELETE', `${features}/checkout-redesign`)
    expect((await client.send('POST', '/api/admin/archive/revive/checkout-redesign')).status).toBe(200)
    const { body } = await client.send('GET', `${features}/checkout-redesign`)
    expect(body).toMatchObject({ archived: false, archivedAt: null, enabled: false, lifecycle: { stage: 'initial' } })
    expect(body.environments[0].strategies).toHaveLength(2)
    expect(events()).toEqual(['feature-archived', 'feature-revived'])
  })

  it('several features are revived together', async () => {
    const answer = await client.send('POST', `${project}/revive`, { features: ['archived-banner'] })
    expect(answer.status).toBe(200)
    expect(client.mock.features.get('archived-banner')?.archived).toBe(false)
  })

  it('an archived feature can be deleted, and its name used again', async () => {
    await client.send('DELETE', '/api/admin/archive/archived-banner')
    expect(client.mock.features.get('archived-banner')).toBeUndefined()
    expect(events()).toEqual(['feature-deleted'])
    expect((await client.send('POST', features, { name: 'archived-banner' })).status).toBe(201)
  })

  it('deleting an active feature changes nothing, and reviving it alone disables it', async () => {
    const before = client.mock.features.get('checkout-redesign')
    expect((await client.send('DELETE', '/api/admin/archive/checkout-redesign')).status).toBe(200)
    expect((await client.send('POST', `${project}/revive`, { features: ['checkout-redesign'] })).status).toBe(200)
    expect(client.mock.features.get('checkout-redesign')).toEqual(before)
    expect(events()).toEqual([])
    expect((await client.send('POST', '/api/admin/archive/revive/checkout-redesign')).status).toBe(200)
    const { enabled, lifecycle } = (await client.send('GET', `${features}/checkout-redesign`)).body
    expect([enabled, lifecycle.stage]).toEqual([false, 'initial'])
    expect(events()).toEqual(['feature-revived'])
  })

  it('favourites and dependencies are deleted with a feature', async () => {
    await client.send('POST', `${features}/checkout-redesign/dependencies`, { feature: 'legacy-export' })
    await client.send('POST', `${features}/legacy-export/favorites`, undefined, { key: EDITOR })
    const both = { features: ['legacy-export', 'checkout-redesign'] }
    await client.send('POST', `${project}/archive`, both)
    expect((await client.send('POST', `${project}/delete`, { features: ['legacy-export'] })).status).toBe(200)
    expect(client.mock.features.get('checkout-redesign')?.dependencies).toEqual([])
    expect(client.mock.state().favorites).toEqual([])
    client.mock.restore(client.mock.state())
  })

  it('an unknown feature can’t be revived, and deleting it does nothing', async () => {
    expect((await client.send('POST', '/api/admin/archive/revive/nope')).status).toBe(404)
    expect((await client.send('DELETE', '/api/admin/archive/nope')).status).toBe(200)
  })
})

onEveryAdapter(
  'operations on several features (unleash-8)',
  (client) => {
    const send = (method: string, path: string, body: object) => client.send(method, `${project}/${path}`, body)
    /** The logged events of one request: their types, features and number of groups. */
    const logged = async (method: string, path: string, more: object = {}) => {
      const before = client.mock.events.list().length
      const { status } = await send(method, path, { features: ['c', 'b', 'd'], ...more })
      expect([200, 202]).toContain(status)
      const events = client.mock.events.list().slice(before)
      const { body } = await client.send('GET', '/api/admin/events')
      const shown = body.events.slice(0, events.length).map(({ id }: { id: number }) => id)
      expect(shown).toEqual(events.map(({ id }) => id).toReversed())
      return {
        names: events.map(({ featureName }) => featureName).join(''),
        types: new Set(events.map(({ type }) => type)).size,
        groups: [...new Set(events.map(({ groupId }) => groupId))].map((groupId) => typeof groupId),
      }
    }

    beforeEach(() => client.mock.add({ features: [{ name: 'd' }, { name: 'b' }, { name: 'c' }] }))

    it('archived, revived and deleted features share one group of events', async () => {
      expect(await logged('POST', 'archive')).toEqual({ names: 'dbc', types: 1, groups: ['string'] })
      expect(await logged('POST', 'revive')).toEqual({ names: 'bcd', types: 1, groups: ['string'] })
      await send('POST', 'archive', { features: ['b', 'c', 'd'] })
      expect(await logged('POST', 'delete')).toEqual({ names: 'dbc', types: 1, groups: ['string'] })
    })

    it('features that are switched share one group of events, in the order of the request', async () => {
      const bulk = 'bulk_features/environments/development'
      expect(await logged('POST', `${bulk}/on`)).toEqual({ names: 'ccbbdd', types: 2, groups: ['string'] })
      expect(await logged('POST', `${bulk}/off`)).toEqual({ names: 'cbd', types: 1, groups: ['string'] })
    })

    it('features that keep their strategies are also enabled in the order of the request', async () => {
      await client.send('POST', `${project}/features/b/environments/production/strategies`, { name: 'default' })
      const expected = { names: 'ccbdd', types: 2, groups: ['string'] }
      expect(await logged('POST', 'bulk_features/environments/production/on')).toEqual(expected)
    })

    it('several features are revived in an existing project', async () => {
      expect((await client.send('POST', '/api/admin/projects/nope/revive', { features: ['b'] })).status).toBe(404)
    })

    it('stale and tagged features have single events, by name', async () => {
      const tag = (value: string) => ({ type: 'simple', value })
      await client.send('POST', '/api/admin/tags', tag('new'))
      await send('PUT', 'tags', { features: ['b', 'c', 'd'], tags: { addedTags: [tag('old')], removedTags: [] } })
      expect(await logged('POST', 'stale', { stale: true })).toEqual({ names: 'bcd', types: 1, groups: ['undefined'] })
      const tags = { addedTags: [tag('new')], removedTags: [tag('old')] }
      expect(await logged('PUT', 'tags', { tags })).toEqual({ names: 'bcdbcd', types: 2, groups: ['undefined'] })
      const untagged = client.mock.events.list().slice(-3)
      expect(untagged).toMatchObject(Array(3).fill({ type: 'feature-untagged', tags: [{ value: 'new' }] }))
    })
  },
  { ...FIXED, profile: 'unleash-8' },
)
