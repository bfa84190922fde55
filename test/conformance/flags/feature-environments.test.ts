import { expect, it } from 'vitest'
import { EDITOR, onEveryAdapter, VIEWER } from '../../support/adapters.js'

const features = '/api/admin/projects/default/features'

onEveryAdapter('a feature in an environment', (client) => {
  const production = `${features}/checkout-redesign/environments/production`
  const types = () => client.mock.events.list().map(({ type }) => type)

  it('a feature is turned on and off, and only changes are logged', async () => {
    expect((await client.send('POST', `${production}/on`, undefined, { key: EDITOR })).status).toBe(200)
    await client.send('POST', `${production}/on`)
    expect((await client.send('GET', production)).body).toMatchObject({
      name: 'checkout-redesign',
      environment: 'production',
      enabled: true,
    })
    await client.send('POST', `${production}/off`)
    await client.send('POST', `${production}/off`)
    expect(client.mock.features.get('checkout-redesign')?.environments[1]?.enabled).toBe(false)
    expect(types()).toEqual(['feature-environment-enabled', 'feature-environment-disabled'])
  })

  it('a feature without strategies gets one for everyone when it is turned on', async () => {
    await client.send('POST', features, { name: 'bare' })
    await client.send('POST', `${features}/bare/environments/development/on`)
    const [development] = (await client.send('GET', `${features}/bare`)).body.environments
    expect(development.strategies).toMatchObject([
      {
        name: 'flexibleRollout',
        sortOrder: 0,
        parameters: { rollout: '100', stickiness: 'default', groupId: 'bare' },
      },
    ])
    expect(types()).toEqual(['feature-created', 'feature-strategy-add', 'feature-environment-enabled'])
  })

  it('a feature with only disabled strategies gets a new one, or they are enabled', async () => {
    const strategies = `${production}/strategies`
    const [only] = (await client.send('GET', strategies)).body
    await client.send('PATCH', `${strategies}/${only.id}`, [{ op: 'replace', path: '/disabled', value: true }])
    await client.send('POST', `${production}/on?shouldActivateDisabledStrategies=true`)
    expect((await client.send('GET', strategies)).body).toMatchObject([{ id: only.id, disabled: false }])

    await client.send('POST', `${production}/off`)
    await client.send('PATCH', `${strategies}/${only.id}`, [{ op: 'replace', path: '/disabled', value: true }])
    await client.send('POST', `${production}/on`)
    const after = (await client.send('GET', strategies)).body
    expect(after.map(({ disabled }: { disabled: boolean }) => disabled)).toEqual([true, false])
  })

  it('several features are turned on together or not at all', async () => {
    const bulk = '/api/admin/projects/default/bulk_features/environments/production'
    const both = { features: ['checkout-redesign', 'legacy-export'] }
    expect((await client.send('POST', `${bulk}/on`, both)).status).toBe(200)
    expect(client.mock.features.get('checkout-redesign')?.environments[1]?.enabled).toBe(true)
    expect((await client.send('POST', `${bulk}/off`, { features: ['checkout-redesign', 'nope'] })).status).toBe(404)
    expect(client.mock.features.get('checkout-redesign')?.environments[1]?.enabled).toBe(true)
    expect((await client.send('POST', `${bulk}/off`, both)).status).toBe(200)
    expect(client.mock.features.get('legacy-export')?.environments[1]?.enabled).toBe(false)
  })

  it('turning on rejects an unknown environment and a viewer', async () => {
    expect((await client.send('POST', `${features}/checkout-redesign/environments/nope/on`)).status).toBe(404)
    const refused = await client.send('POST', `${production}/on`, undefined, { key: VIEWER })
    expect(refused.status).toBe(403)
    expect(refused.body.message).toContain('"UPDATE_FEATURE_ENVIRONMENT"')
  })
})

onEveryAdapter('the variants of an environment', (client) => {
  const path = '/api/admin/projects/mobile-app/features/push-opt-in/environments/development/variants'

  it('the variants of an environment can be read', async () => {
    const { body } = await client.send('GET', path)
    expect(body.variants.map(({ name }: { name: string }) => name)).toEqual(['at-start', 'after-order'])
  })

  it('variants are sorted by name, and variable variants share the rest of the weight', async () => {
    const { status, body } = await client.send('PUT', path, [
      { name: 'c', weight: 1 },
      { name: 'a', weight: 1, weightType: 'variable' },
      { name: 'b', weight: 333, weightType: 'fix', stickiness: 'userId' },
    ])
    expect(status).toBe(200)
    expect(body.variants.map(({ name, weight }: { name: string; weight: number }) => [name, weight])).toEqual([
      ['a', 333],
      ['b', 333],
      ['c', 334],
    ])
    expect((await client.send('GET', path)).body).toEqual(body)
    expect(client.mock.events.list()).toMatchObject([
      { type: 'feature-environment-variants-updated', environment: 'development', data: { variants: { length: 3 } } },
    ])
  })

  it('a JSON Patch changes the variants', async () => {
    const { body } = await client.send('PATCH', path, [{ op: 'replace', path: '/0/weight', value: 200 }])
    expect(body.variants.map(({ name, weight }: { name: string; weight: number }) => [name, weight])).toEqual([
      ['after-order', 800],
      ['at-start', 200],
    ])
  })

  it.each([
    ['all are fixed', [{ name: 'a', weight: 1000, weightType: 'fix' }]],
    [
      'two have one name',
      [
        { name: 'a', weight: 1 },
        { name: 'a', weight: 1 },
      ],
    ],
    [
      'the fixed ones come to more than the whole',
      [
        { name: 'a', weight: 1000, weightType: 'fix' },
        { name: 'b', weight: 1, weightType: 'fix' },
        { name: 'c', weight: 1 },
      ],
    ],
  ])('variants are rejected if %s', async (_, variants) => {
    const { status, body } = await client.send('PUT', path, variants)
    expect([status, body.name]).toEqual([400, 'BadDataError'])
  })

  it('variants of an environment can’t be set for a feature without variants', async () => {
    const elsewhere = `${features}/checkout-redesign/environments/development/variants`
    const { status, body } = await client.send('PUT', elsewhere, [{ name: 'a', weight: 1 }])
    expect([status, body.name]).toEqual([403, 'InvalidOperationError'])
  })
})

onEveryAdapter('disabled strategies that are enabled', (client) => {
  const development = `${features}/fresh/environments/development`
  const on = () => client.send('POST', `${development}/on?shouldActivateDisabledStrategies=true`)
  const add = (strategy: object) =>
    client.mock.add({
      features: [{ name: 'fresh', environments: { development: { strategies: [strategy] } } } as never],
    })

  it('a gradual rollout gets its missing parameters', async () => {
    add({ name: 'flexibleRollout', disabled: true, parameters: { rollout: '50' } })
    expect((await on()).status).toBe(200)
    expect((await client.send('GET', `${development}/strategies`)).body).toMatchObject([
      { disabled: false, parameters: { rollout: '50', stickiness: 'default', groupId: 'fresh' } },
    ])
  })

  it('a value that is not legal any more is rejected', async () => {
    const constraints = [{ contextName: 'region', operator: 'IN' as const, values: ['old'] }]
    add({ name: 'default', disabled: true, constraints })
    client.mock.add({ contextFields: [{ name: 'region', legalValues: [{ value: 'north' }] }] })
    expect((await on()).status).toBe(400)
    expect((await client.send('GET', development)).body.enabled).toBe(false)
  })
})
