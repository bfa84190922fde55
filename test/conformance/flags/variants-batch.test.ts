import { expect, it } from 'vitest'
import { VIEWER } from '../../support/adapters.js'
import { onBothProfiles } from '../../support/both.js'

const path = '/api/admin/projects/default/features/legacy-export/variants-batch'

onBothProfiles('variants in several environments', (client) => {
  const put = (body: unknown, key?: string) => client.send('PUT', path, body, key === undefined ? {} : { key })
  const variants = [
    { name: 'a', weight: 1, weightType: 'variable', stickiness: 'default' },
    { name: 'b', weight: 1, weightType: 'variable', stickiness: 'default' },
  ]

  it('they are set in all of them, including first ones', async () => {
    const { status, body } = await put({ environments: ['development', 'production'], variants })
    expect([status, body]).toEqual([200, { version: 1, variants: variants.map((one) => ({ ...one, weight: 500 })) }])
    for (const { variants: stored } of client.mock.features.get('legacy-export')?.environments ?? []) {
      expect(stored).toEqual(body.variants)
    }
    expect((await put({ environments: ['development'] })).body.variants).toEqual([])
  })

  it('they are set in all environments or in none', async () => {
    expect((await put({ environments: ['development', 'nope'], variants })).status).toBe(404)
    expect(client.mock.features.get('legacy-export')?.environments[0]?.variants).toEqual([])
    expect((await put({ variants })).status).toBe(400)
    expect((await put({ environments: ['development'], variants }, VIEWER)).status).toBe(403)
  })
})

onBothProfiles('variants of environments', (client) => {
  const variant = (name: string, more: object = {}) => ({ name, weight: 500, weightType: 'variable', ...more })

  it('the response has the sent order', async () => {
    const variants = [variant('b'), variant('a')]
    const { body } = await client.send('PUT', path, { environments: ['development'], variants })
    expect(body.variants.map(({ name }: { name: string }) => name)).toEqual(['b', 'a'])
  })

  it('they can be set in any environment once one has some', async () => {
    const inProduction = path.replace('variants-batch', 'environments/production/variants')
    expect((await client.send('PUT', inProduction, [variant('a')])).status).toBe(403)
    await client.send('PUT', path, { environments: ['development'], variants: [variant('a')] })
    expect((await client.send('PUT', inProduction, [variant('a')])).status).toBe(200)
  })

  it('the caller needs the permission in each environment, once these are named', async () => {
    const none = await client.send('PUT', path, { environments: [], variants: [] }, { key: VIEWER })
    expect(none.status).toBe(400)
    const { status, body } = await client.send(
      'PUT',
      path,
      { environments: ['development'], variants: [] },
      { key: VIEWER },
    )
    expect(status).toBe(403)
    expect(body.message).toContain('"development"')
  })

  it('a patch is applied before anything else is checked', async () => {
    const inDevelopment = path.replace('variants-batch', 'environments/development/variants')
    const patch = (...changes: unknown[]) => client.send('PATCH', inDevelopment, changes)
    expect((await patch({ op: 'test', path: '/0', value: 1 })).status).toBe(400)
    expect((await patch({ op: 'add', path: '/-', value: { wrong: 1 } })).status).toBe(403)
    await client.send('PUT', path, { environments: ['development'], variants: [variant('a')] })
    expect((await patch({ op: 'add', path: '/-', value: { wrong: 1 } })).status).toBe(400)
    // A place beyond the end of the list is its end.
    const { body } = await patch({ op: 'add', path: '/7', value: variant('b') }, { op: 'remove', path: '/9' })
    expect(body.variants.map(({ name }: { name: string }) => name)).toEqual(['a', 'b'])
    expect((await client.send('PUT', inDevelopment.replace('development', 'nope'), [])).status).toBe(404)
  })

  it('an override has no empty values', async () => {
    const variants = [variant('a', { overrides: [{ contextName: 'userId', values: [''] }] })]
    expect((await client.send('PUT', path, { environments: ['development'], variants })).status).toBe(400)
  })
})
