import { expect, it } from 'vitest'
import { NOW, onEveryAdapter, VIEWER } from '../../support/adapters.js'

const features = '/api/admin/projects/default/features'

onEveryAdapter('reading', (client) => {
  const get = async (path: string) => {
    const { status, body } = await client.send('GET', path, undefined, { key: VIEWER })
    expect(status).toBe(200)
    return body
  }

  it('a feature is read with its environments, strategies and variants', async () => {
    const checkout = await get(`${features}/checkout-redesign`)
    expect(checkout).toMatchObject({
      name: 'checkout-redesign',
      type: 'release',
      project: 'default',
      enabled: true,
      archivedAt: null,
      lastSeenAt: null,
      lifecycle: { stage: 'live', enteredStageAt: '2026-11-10T12:00:00.000Z' },
      tags: [{ type: 'simple', value: 'checkout' }],
    })
    const [development, production] = checkout.environments
    expect(development).toMatchObject({ name: 'development', environment: 'development', enabled: true })
    expect(development).toMatchObject({ type: 'development', featureName: 'checkout-redesign', hasStrategies: true })
    expect(development.strategies.map((s: { title: string; sortOrder: number }) => [s.title, s.sortOrder])).toEqual([
      ['Half of everybody', 0],
      ['The cohort', 1],
    ])
    expect(development.strategies[1]).toMatchObject({ constraints: { length: 2 }, variants: { length: 2 } })
    expect(production).toMatchObject({ type: 'production', enabled: false, strategies: { length: 1 } })
  })

  it('variants of an environment are always shown', async () => {
    const { environments } = await get('/api/admin/projects/mobile-app/features/push-opt-in')
    expect(environments[0]).toMatchObject({ variantCount: 2, hasEnabledStrategies: true })
    expect(environments[0].variants[0]).toEqual({
      name: 'at-start',
      weight: 500,
      weightType: 'fix',
      stickiness: 'default',
      payload: { type: 'string', value: 'start' },
      overrides: [{ contextName: 'userId', values: ['42'] }],
    })
  })

  it.each([
    ['an unknown one', `${features}/nothing`],
    ['one of another project', `${features}/push-opt-in`],
    ['an archived one', `${features}/archived-banner`],
    ['one of an unknown project', '/api/admin/projects/nowhere/features/checkout-redesign'],
  ])('an unknown feature gets a 404: %s', async (_, path) => {
    const { status, body } = await client.send('GET', path)
    expect([status, body.name]).toEqual([404, 'NotFoundError'])
  })

  it('the features of a project are listed without archived ones', async () => {
    const { version, features: listed } = await get(features)
    expect(version).toBe(2)
    expect(listed.map(({ name }: { name: string }) => name)).toEqual(['checkout-redesign', 'legacy-export'])
    expect(listed[1]).toEqual({
      type: 'kill-switch',
      description: 'Switches the old export off',
      favorite: false,
      name: 'legacy-export',
      createdAt: '2026-09-01T12:00:00.000Z',
      stale: true,
      impressionData: false,
      tags: [],
      environments: ['development', 'production'].map((name, i) => ({
        name,
        type: name,
        enabled: true,
        sortOrder: i + 2,
        variantCount: 0,
        lastSeenAt: null,
        hasStrategies: true,
        hasEnabledStrategies: true,
      })),
    })
  })

  it('the features of an unknown project are an empty list', async () => {
    expect(await get('/api/admin/projects/nowhere/features')).toEqual({ version: 2, features: [] })
  })

  it('the active projects are listed with the number of their features', async () => {
    client.mock.add({ projects: [{ id: 'closed', archivedAt: 'now-1d' }] })
    const { projects } = await get('/api/admin/projects')
    expect(projects.map(({ id, featureCount }: { id: string; featureCount: number }) => [id, featureCount])).toEqual([
      ['default', 2],
      ['mobile-app', 1],
    ])
    expect(client.mock.projects.get('default')).toEqual(projects[0])
  })

  it('the health needs no API token', async () => {
    const { status, body } = await client.send('GET', '/health', undefined, { key: null })
    expect([status, body]).toEqual([200, { health: 'GOOD' }])
  })

  it('only an admin reads signup tokens', async () => {
    const { body } = await client.send('GET', '/api/admin/invite-link/tokens')
    const secrets = body.tokens.map(({ secret }: { secret: string }) => secret)
    expect(secrets).toEqual(['live-invite', 'disabled-invite', 'expired-invite'])
    for (const path of ['', '/live-invite']) {
      const refused = await client.send('GET', `/api/admin/invite-link/tokens${path}`, undefined, { key: VIEWER })
      expect([refused.status, refused.body.name]).toEqual([403, 'NoAccessError'])
    }
    expect((await client.send('GET', '/api/admin/invite-link/tokens/nothing')).status).toBe(404)
  })
})

onEveryAdapter('creating and archiving', (client) => {
  it('a new feature is off everywhere', async () => {
    const asked = { name: 'fresh', type: 'experiment', description: 'New', impressionData: true }
    const { status, body } = await client.send('POST', features, asked)
    expect(status).toBe(201)
    expect(body).toMatchObject({ ...asked, project: 'default', enabled: false, createdAt: NOW, stale: false })
    expect(body.environments.map(({ name }: { name: string }) => name)).toEqual(['development', 'production'])
    expect(await get(`${features}/fresh`)).toEqual(body)
  })

  it.each([
    [{}, ['/body/name']],
    [{ name: 'a b' }, ['/body/name']],
    [{ name: 'x', type: 'no-such-type' }, ['/body/type']],
    [{ name: 1, type: 2, description: 3 }, ['/body/name', '/body/type', '/body/description']],
  ])('a new feature is rejected: %j', async (asked, paths) => {
    const { status, body } = await client.send('POST', features, asked)
    expect(status).toBe(400)
    expect(body.details.map(({ path }: { path: string }) => path)).toEqual(paths)
  })

  it('creating a feature rejects a taken name, an unknown project and a viewer', async () => {
    const codes = [
      await client.send('POST', features, { name: 'push-opt-in' }),
      await client.send('POST', features.replace('default', 'nowhere'), { name: 'x' }),
      await client.send('POST', features, { name: 'x' }, { key: VIEWER }),
      await client.send('DELETE', `${features}/legacy-export`, undefined, { key: VIEWER }),
      await client.send('DELETE', `${features}/nothing`),
    ]
    expect(codes.map(({ status }) => status)).toEqual([409, 404, 403, 403, 404])
  })

  it('the name of an archived feature stays taken', async () => {
    const archived = await client.send('DELETE', `${features}/checkout-redesign`)
    expect([archived.status, archived.body]).toEqual([202, undefined])
    expect((await client.send('GET', `${features}/checkout-redesign`)).status).toBe(404)
    expect((await client.send('DELETE', `${features}/checkout-redesign`)).status).toBe(202)
    expect((await client.send('POST', features, { name: 'checkout-redesign' })).status).toBe(409)
    expect(client.mock.features.get('checkout-redesign')).toMatchObject({
      archived: true,
      archivedAt: NOW,
      enabled: true,
      lifecycle: { stage: 'archived', enteredStageAt: NOW },
    })
  })

  it('a parent can’t be archived before its children', async () => {
    client.mock.add({ features: [{ name: 'child', dependencies: [{ feature: 'legacy-export' }] }] })
    const refused = await client.send('DELETE', `${features}/legacy-export`)
    expect([refused.status, refused.body.name]).toEqual([403, 'InvalidOperationError'])
    expect(refused.body.message).toContain('"child"')
    await client.send('DELETE', `${features}/child`)
    expect((await client.send('DELETE', `${features}/legacy-export`)).status).toBe(202)
    const orphan = await client.send('POST', `${features}/child/clone`, { name: 'copy' })
    expect(orphan.status).toBe(404)
  })

  async function get(path: string) {
    return (await client.send('GET', path)).body
  }
})
