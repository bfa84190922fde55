import { expect, it } from 'vitest'
import { CHANGED_TAGS } from '../../../src/service/resources/flags/feature-tags.js'
import { onEveryAdapter, VIEWER } from '../../support/adapters.js'

const tags = '/api/admin/tags'
const tagTypes = '/api/admin/tag-types'
const ofCheckout = '/api/admin/features/checkout-redesign/tags'

onEveryAdapter('tags', (client) => {
  const values = async (path = tags) =>
    (await client.send('GET', path)).body.tags.map(({ value }: { value: string }) => value)

  it('a tag is created, found by type, and deleted', async () => {
    const { status, headers, body } = await client.send('POST', tags, { type: 'simple', value: 'mine' })
    expect([status, headers.get('location')]).toEqual([201, 'tags/simple/mine'])
    expect(body).toEqual({ version: 1, tag: { type: 'simple', value: 'mine' } })
    expect(await values(`${tags}/simple`)).toEqual(['mine', 'checkout'])
    expect(await values(`${tags}/other`)).toEqual([])
    expect((await client.send('GET', `${tags}/simple/mine`)).body).toEqual(body)
    expect((await client.send('DELETE', `${tags}/simple/mine`)).status).toBe(200)
    expect((await client.send('GET', `${tags}/simple/mine`)).status).toBe(404)
    expect(client.mock.events.list().map(({ type }) => type)).toEqual(['tag-created', 'tag-deleted'])
  })

  it.each([
    ['of an unknown type', { type: 'nope', value: 'mine' }, 400, 'BadDataError'],
    ['that is too short', { type: 'simple', value: 'm' }, 400, 'BadDataError'],
    ['that exists already', { type: 'simple', value: 'checkout' }, 409, 'NameExistsError'],
  ])('a tag %s is rejected', async (_, sent, expected, name) => {
    const { status, body } = await client.send('POST', tags, sent)
    expect([status, body.name]).toEqual([expected, name])
  })

  it('the tags of a feature are shown with their colour', async () => {
    const { body } = await client.send('GET', ofCheckout)
    expect(body).toEqual({ version: 1, tags: [{ type: 'simple', value: 'checkout', color: '#FFFFFF' }] })
    expect((await client.send('GET', '/api/admin/features/nope/tags')).status).toBe(404)
  })

  it('adding a tag to a feature creates a missing tag', async () => {
    const { status, body } = await client.send('POST', ofCheckout, { type: 'simple', value: 'fresh' })
    expect([status, body]).toEqual([201, { type: 'simple', value: 'fresh' }])
    expect(await values()).toEqual(['fresh', 'checkout'])
    await client.send('POST', ofCheckout, { type: 'simple', value: 'fresh' })
    expect(client.mock.features.get('checkout-redesign')?.tags).toHaveLength(2)
    const events = client.mock.events.list()
    const data = { type: 'simple', value: 'fresh' }
    expect(events).toMatchObject([
      { type: 'tag-created', data },
      { type: 'feature-tagged', data, tags: { length: 2 } },
      { type: 'feature-tagged', data, tags: { length: 2 } },
    ])
    expect(events.map(({ groupId }) => groupId)).toEqual([undefined, undefined, undefined])
  })

  it('members of a project can change the tags of its features', async () => {
    const fresh = { type: 'simple', value: 'fresh' }
    expect((await client.send('POST', ofCheckout, fresh, { key: VIEWER })).status).toBe(403)
    client.mock.add({ projects: [{ id: 'default', members: [{ id: 3, role: 5 }] }] })
    expect((await client.send('POST', ofCheckout, fresh, { key: VIEWER })).status).toBe(201)
    const elsewhere = ofCheckout.replace('checkout-redesign', 'push-opt-in')
    expect((await client.send('POST', elsewhere, fresh, { key: VIEWER })).status).toBe(403)
  })

  it('tags of a feature are added and removed in one request', async () => {
    const { body } = await client.send('PUT', ofCheckout, {
      addedTags: [{ type: 'simple', value: 'fresh' }],
      removedTags: [{ type: 'simple', value: 'checkout' }],
    })
    expect(body.tags).toEqual([{ type: 'simple', value: 'fresh', color: '#FFFFFF' }])
    expect((await client.send('DELETE', `${ofCheckout}/simple/fresh`)).status).toBe(200)
    expect(client.mock.features.get('checkout-redesign')?.tags).toEqual([])
    expect(client.mock.events.list().map(({ type }) => type)).toEqual([
      'tag-created',
      'feature-tagged',
      'feature-untagged',
      'feature-untagged',
    ])
  })

  it('removing a tag is logged with the tags before, also if the feature does not have it', async () => {
    expect((await client.send('DELETE', `${ofCheckout}/simple/never`)).status).toBe(200)
    const [event] = client.mock.events.list().slice(-1)
    expect(event).toMatchObject({
      type: 'feature-untagged',
      preData: { type: 'simple', value: 'never' },
      tags: [{ value: 'checkout', color: '#FFFFFF' }],
    })
  })

  it('a tag that is sent twice is added once and logged twice', async () => {
    const twice = [1, 2].map(() => ({ type: 'simple', value: 'again' }))
    const before = client.mock.events.list().length
    const { body } = await client.send('PUT', ofCheckout, { addedTags: twice, removedTags: [] })
    expect(body.tags).toHaveLength(2)
    const types = client.mock.events.list().map(({ type }) => type)
    expect(types.slice(before)).toEqual(['tag-created', 'feature-tagged', 'feature-tagged'])
  })

  it('the tags of a feature are sorted, and keep surrounding spaces', async () => {
    for (const value of ['zebra', ' apple']) await client.send('POST', ofCheckout, { type: 'simple', value })
    const { body } = await client.send('GET', ofCheckout)
    expect(body.tags.map((tag: { value: string }) => tag.value)).toEqual([' apple', 'checkout', 'zebra'])
  })

  it('tags of several features are changed together; unknown names and types are rejected', async () => {
    const change = { addedTags: [{ type: 'simple', value: 'both' }], removedTags: [] }
    const path = '/api/admin/projects/default/tags'
    const unknownType = { addedTags: [{ type: 'nope', value: 'both' }], removedTags: [] }
    expect((await client.send('PUT', path, { features: [], tags: unknownType })).status).toBe(400)
    expect((await client.send('PUT', path, { features: ['legacy-export', 'nope'], tags: change })).status).toBe(404)
    const removal = { addedTags: [], removedTags: change.addedTags }
    expect((await client.send('PUT', path, { features: ['nope'], tags: removal })).status).toBe(200)
    expect(client.mock.features.get('legacy-export')?.tags).toEqual([])
    const both = ['legacy-export', 'checkout-redesign']
    expect((await client.send('PUT', path, { features: both, tags: change })).status).toBe(200)
    expect(client.mock.features.get('legacy-export')?.tags).toEqual([{ type: 'simple', value: 'both' }])
  })

  it('a call changes a limited number of tags', async () => {
    const tags = (count: number) => Array.from({ length: count }, (_, at) => ({ type: 'simple', value: `tag-${at}` }))
    const change = async (addedTags: object[]) => {
      const features = Array.from({ length: 100 }, () => 'legacy-export')
      const sent = { features, tags: { addedTags, removedTags: [] } }
      const { status, body } = await client.send('PUT', '/api/admin/projects/default/tags', sent)
      return [status, `${JSON.stringify(body)}`.includes(`at most ${CHANGED_TAGS} are allowed`)]
    }
    expect(await change(tags(CHANGED_TAGS / 100 + 1))).toEqual([400, true])
    expect(client.mock.features.get('legacy-export')?.tags).toEqual([])
    expect(await change(tags(CHANGED_TAGS / 100))).toEqual([200, false])
    expect(client.mock.features.get('legacy-export')?.tags).toHaveLength(CHANGED_TAGS / 100)
  })

  it('a tag of an unknown type is rejected, and nothing changes', async () => {
    const before = client.mock.state()
    const [kept, lost] = ['simple', 'nope'].map((type) => ({ type, value: 'new' }))
    const tags = { addedTags: [kept, lost], removedTags: [{ type: 'simple', value: 'checkout' }] }
    expect((await client.send('PUT', ofCheckout, tags)).status).toBe(400)
    const both = { features: ['legacy-export', 'checkout-redesign'], tags }
    expect((await client.send('PUT', '/api/admin/projects/default/tags', both)).status).toBe(400)
    expect(client.mock.state()).toEqual(before)
  })

  it('the event of a feature has its tags, by type and value', async () => {
    await client.send('POST', tagTypes, { name: 'area' })
    for (const tag of [
      { type: 'simple', value: 'a1' },
      { type: 'area', value: 'x1' },
    ]) {
      await client.send('POST', ofCheckout, tag)
    }
    expect(client.mock.events.list().at(-1)?.tags).toMatchObject([
      { type: 'area', value: 'x1' },
      { type: 'simple', value: 'a1' },
      { type: 'simple', value: 'checkout' },
    ])
  })

  it('deleting a tag removes it from the features', async () => {
    await client.send('DELETE', `${tags}/simple/checkout`)
    expect(client.mock.features.get('checkout-redesign')?.tags).toEqual([])
  })

  it('a new feature can only have existing tags', async () => {
    const features = '/api/admin/projects/default/features'
    const body = { name: 'tagged', tags: [{ type: 'simple', value: 'mine' }] }
    expect((await client.send('POST', features, body)).status).toBe(400)
    await client.send('POST', tags, { type: 'simple', value: 'mine' })
    expect((await client.send('POST', features, body)).body.tags).toEqual(body.tags)
  })
})

onEveryAdapter('types of tags', (client) => {
  it('a tag type is deleted with its tags', async () => {
    expect((await client.send('POST', tagTypes, { name: 'team' })).body).toEqual({ name: 'team' })
    await client.send('POST', ofCheckout, { type: 'team', value: 'red' })
    await client.send('DELETE', `${tagTypes}/team`)
    expect(client.mock.features.get('checkout-redesign')?.tags).toEqual([{ type: 'simple', value: 'checkout' }])
  })

  it.each([
    ['a name that is too short', { name: 't' }],
    ['a colour that is not one', { name: 'team', color: 'red' }],
  ])('a tag type is rejected with %s', async (_, body) => {
    expect((await client.send('POST', `${tagTypes}/validate`, body)).status).toBe(400)
    expect((await client.send('POST', tagTypes, body)).status).toBe(400)
  })

  it('a viewer can validate tag types', async () => {
    expect((await client.send('POST', `${tagTypes}/validate`, { name: 'team' }, { key: VIEWER })).status).toBe(200)
  })
})
