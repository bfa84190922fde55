import { expect, it } from 'vitest'
import { EDITOR, onEveryAdapter, VIEWER } from '../../support/adapters.js'

const features = '/api/admin/projects/default/features'
const checkout = `${features}/checkout-redesign`

onEveryAdapter('updateFeature', (client) => {
  it('updateFeature resets omitted properties', async () => {
    const { status, body } = await client.send('PUT', `${features}/legacy-export`, { impressionData: true })
    expect(status).toBe(200)
    expect(body).toMatchObject({ type: 'release', stale: false, impressionData: true, description: null })
    expect((await client.send('GET', `${features}/legacy-export`)).body).toEqual(body)
  })

  it('updateFeature does not rename a feature', async () => {
    for (const name of ['legacy-export', 'nope']) {
      const { status, body } = await client.send('PUT', `${features}/${name}`, { name: 'other' })
      expect([status, body.name]).toEqual([400, 'BadDataError'])
    }
    expect((await client.send('PUT', `${features}/legacy-export`, { name: 'legacy-export' })).status).toBe(200)
  })

  it('updateFeature makes an archived feature active, in its last stage and its states', async () => {
    await client.send('DELETE', checkout)
    const { status, body } = await client.send('PUT', checkout, { description: 'still here' })
    expect([status, body.description, body.archived, body.archivedAt]).toEqual([200, 'still here', false, null])
    expect((await client.send('GET', checkout)).body).toMatchObject({ enabled: true, lifecycle: { stage: 'archived' } })
  })

  it('a revived feature is disabled everywhere', async () => {
    await client.send('DELETE', checkout)
    await client.send('POST', '/api/admin/archive/revive/checkout-redesign')
    expect((await client.send('GET', checkout)).body).toMatchObject({ enabled: false, lifecycle: { stage: 'initial' } })
  })

  it('updateFeature puts the caller first among the collaborators', async () => {
    const { body } = await client.send('PUT', checkout, { description: 'new' }, { key: EDITOR })
    expect(body.collaborators.users.map(({ id }: { id: number }) => id)).toEqual([2])
    const again = await client.send('PUT', checkout, { description: 'newer' })
    expect(again.body.collaborators.users.map(({ id }: { id: number }) => id)).toEqual([-42, 2])
  })

  it('updateFeature logs the feature before and after', async () => {
    await client.send('PUT', checkout, { description: '' })
    const [event] = client.mock.events.list().slice(-1)
    expect(event).toMatchObject({
      type: 'feature-metadata-updated',
      featureName: 'checkout-redesign',
      tags: [{ type: 'simple', value: 'checkout' }],
      data: { description: null },
      preData: { description: 'The new checkout, step by step' },
    })
  })

  it('updateFeature rejects an unknown type, an unknown feature and a viewer', async () => {
    expect((await client.send('PUT', checkout, { type: 'weird' })).status).toBe(400)
    expect((await client.send('PUT', `${features}/nope`, {})).status).toBe(404)
    expect((await client.send('PUT', checkout, {}, { key: VIEWER })).status).toBe(403)
  })
})

onEveryAdapter('patchFeature', (client) => {
  it('patchFeature applies a JSON Patch', async () => {
    const { status, body } = await client.send('PATCH', checkout, [
      { op: 'test', path: '/type', value: 'release' },
      { op: 'replace', path: '/type', value: 'operational' },
      { op: 'remove', path: '/description' },
    ])
    expect([status, body.type, body.description]).toEqual([200, 'operational', null])
    expect((await client.send('GET', checkout)).body).toEqual(body)
  })

  it('patchFeature logs that a feature has become stale', async () => {
    await client.send('PATCH', checkout, [{ op: 'replace', path: '/stale', value: true }])
    const types = client.mock.events.list().map(({ type }) => type)
    expect(types).toEqual(['feature-metadata-updated', 'feature-stale-on'])
  })

  it.each([
    ['a test fails', [{ op: 'test', path: '/type', value: 'experiment' }]],
    ['a path leads nowhere', [{ op: 'replace', path: '/no/where', value: 1 }]],
    ['what comes out is no feature', [{ op: 'replace', path: '/stale', value: 'very' }]],
    ['the body is no list', { description: 'x' }],
  ])('patchFeature changes nothing if %s', async (_, patches) => {
    const before = client.mock.features.get('checkout-redesign')
    const { status } = await client.send('PATCH', checkout, patches)
    expect(status).toBe(400)
    expect(client.mock.features.get('checkout-redesign')).toEqual(before)
    expect(client.mock.events.list()).toEqual([])
  })
})

onEveryAdapter('lenient patches', (client) => {
  it.each([
    ['replaces an unknown property', { op: 'replace', path: '/nope', value: 1 }],
    ['removes an unknown property', { op: 'remove', path: '/nope' }],
    ['has a path without a slash', { op: 'replace', path: 'type', value: 'experiment' }],
  ])('a patch that %s changes nothing', async (_, patch) => {
    const before = client.mock.features.get('checkout-redesign')
    const { status } = await client.send('PATCH', checkout, [patch])
    expect([status, client.mock.features.get('checkout-redesign')?.type]).toEqual([200, before?.type])
    expect(client.mock.events.list()).toEqual([])
  })

  it('an operation of a patch without a value takes it away, and one that copies nothing as well', async () => {
    const patched = async (...patch: object[]) => {
      const { status, body } = await client.send('PATCH', checkout, patch)
      return [status, body.description ?? null]
    }
    const given = { op: 'replace', path: '/description', value: 'a text' }
    expect(await patched(given)).toEqual([200, 'a text'])
    expect(await patched({ op: 'replace', path: '/description' })).toEqual([200, null])
    expect(await patched(given, { op: 'copy', path: '/description' })).toEqual([200, null])
    expect(await patched(given, { op: 'move', path: '/description', from: '/nothing' })).toEqual([200, null])
    expect(await patched({ op: 'test', path: '/type' })).toEqual([400, null])
  })

  it('a patch can replace a missing property', async () => {
    const strategies = `${checkout}/environments/development/strategies`
    const { body } = await client.send('POST', strategies, { name: 'default' })
    const change = [{ op: 'replace', path: '/parameters/rollout', value: '55' }]
    const changed = await client.send('PATCH', `${strategies}/${body.id}`, change)
    expect(changed.body.parameters).toEqual({ rollout: '55' })
  })
})

onEveryAdapter('staleFeatures', (client) => {
  it('staleFeatures marks several features, and logs only changes', async () => {
    const body = { features: ['checkout-redesign', 'legacy-export'], stale: true }
    const { status } = await client.send('POST', '/api/admin/projects/default/stale', body)
    expect(status).toBe(202)
    expect(client.mock.features.get('checkout-redesign')?.stale).toBe(true)
    expect(client.mock.events.list().map(({ type, featureName }) => [type, featureName])).toEqual([
      ['feature-stale-on', 'checkout-redesign'],
    ])
  })

  it('staleFeatures skips unknown names, and marks none if one belongs to another project', async () => {
    client.mock.add({ projects: [{ id: 'other' }], features: [{ name: 'elsewhere', project: 'other' }] })
    const mark = (...names: string[]) =>
      client.send('POST', '/api/admin/projects/default/stale', {
        features: ['checkout-redesign', ...names],
        stale: true,
      })
    expect((await mark('elsewhere')).status).toBe(403)
    expect(client.mock.features.get('checkout-redesign')?.stale).toBe(false)
    expect((await mark('nope')).status).toBe(202)
    expect(client.mock.features.get('checkout-redesign')?.stale).toBe(true)
  })
})

onEveryAdapter('validateFeature', (client) => {
  it.each([
    ['a free name', 'brand-new', 200],
    ['a taken name', 'checkout-redesign', 409],
    ['the name of an archived feature', 'archived-banner', 409],
    ['a name that no URL carries', 'a b', 400],
  ])('validateFeature returns %s', async (_, name, expected) => {
    const { status } = await client.send('POST', '/api/admin/features/validate', { name })
    expect(status).toBe(expected)
  })
})

onEveryAdapter(
  'Unleash’s own responses',
  (client) => {
    const src = '/api/admin/projects/default/features/src'

    it('Unleash returns a new, a changed and a cloned feature in brief', async () => {
      const { body } = await client.send('POST', features, { name: 'src', stale: true })
      const brief = ['archived', 'createdAt', 'description', 'impressionData', 'name', 'project', 'stale', 'type']
      expect(Object.keys(body).sort()).toEqual(brief)
      expect(body.stale).toBe(true)
      expect(Object.keys((await client.send('PUT', src, {})).body).sort()).toEqual(brief)
      expect(Object.keys((await client.send('PATCH', src, [])).body).sort()).toEqual(brief)
      expect(Object.keys((await client.send('POST', `${src}/clone`, { name: 'copy' })).body).sort()).toEqual(brief)
    })

    it('Unleash shows variants of environments only on request', async () => {
      await client.send('POST', features, { name: 'src' })
      const [plain] = (await client.send('GET', src)).body.environments
      expect(plain).not.toHaveProperty('variants')
      const [whole] = (await client.send('GET', `${src}?variantEnvironments=true`)).body.environments
      expect(whole.variants).toEqual([])
    })

    it('Unleash shows links, and shows favourites only to users', async () => {
      await client.send('POST', features, { name: 'src' })
      await client.send('POST', `${src}/link`, { url: 'https://example.com/x', title: 'doc' })
      const link = { id: expect.any(String), url: 'https://example.com/x', title: 'doc' }
      const { body } = await client.send('GET', src)
      expect(body.links).toEqual([{ ...link, feature: 'src' }])
      expect((await client.send('GET', `${src}?variantEnvironments=true`)).body.links).toEqual([link])
      expect(body).not.toHaveProperty('favorite')
      expect((await client.send('GET', src, undefined, { key: VIEWER })).body.favorite).toBe(false)
    })
  },
  { seed: 'tests', now: '2026-11-20T12:00:00.000Z', profile: 'unleash-8' },
)
