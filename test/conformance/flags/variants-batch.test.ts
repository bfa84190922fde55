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

  it('an override has no empty values', async () => {
    const variants = [variant('a', { overrides: [{ contextName: 'userId', values: [''] }] })]
    expect((await client.send('PUT', path, { environments: ['development'], variants })).status).toBe(400)
  })
})
