import { once } from 'node:events'
import { InMemStorageProvider, Unleash } from 'unleash-client'
import { expect, it } from 'vitest'
import { CLIENT } from '../support/adapters.js'
import { expectListed } from '../support/compared.js'
import { cloneFeature, createFeature, describeSdk, usageOf } from '../support/sdk.js'

const half = (groupId: string) => ({
  name: 'flexibleRollout',
  parameters: { rollout: '50', stickiness: 'userId', groupId },
})
const users = Array.from({ length: 200 }, (_, i) => `user-${i}`)

describeSdk("the service's SDK for Node", (backend) => {
  const { admin } = backend

  /** An SDK that has fetched the features once. */
  async function connect(options: { refreshInterval?: number } = {}): Promise<Unleash> {
    const sdk = new Unleash({
      url: `${backend.server.url}/api/`,
      appName: 'shop',
      customHeaders: { Authorization: CLIENT },
      storageProvider: new InMemStorageProvider(),
      skipInstanceCountWarning: true,
      ...options,
    })
    backend.atEnd(() => sdk.destroy())
    await once(sdk, 'synchronized')
    return sdk
  }

  it('the SDK sees a feature that is turned on while it runs', async () => {
    const sdk = await connect({ refreshInterval: 10 })
    expect(sdk.isEnabled('fresh')).toBe(false)
    await createFeature(admin, 'fresh', [{ name: 'default' }])
    while (!sdk.isEnabled('fresh')) await once(sdk, 'changed')
    expect(sdk.isEnabled('fresh')).toBe(true)
  })

  it('the SDK assigns users of a clone to the buckets of its source only if the group IDs are kept', async () => {
    await createFeature(admin, 'source', [half('source')])
    await cloneFeature(admin, 'source', { name: 'same-group', replaceGroupId: false })
    await cloneFeature(admin, 'source', { name: 'own-group', replaceGroupId: true })
    const sdk = await connect()
    const whoGets = (name: string) => users.filter((userId) => sdk.isEnabled(name, { userId }))
    expect(whoGets('source').length).toBeGreaterThan(50)
    expect(whoGets('source').length).toBeLessThan(150)
    expect(whoGets('same-group')).toEqual(whoGets('source'))
    expect(whoGets('own-group')).not.toEqual(whoGets('source'))
  })

  it('the SDK evaluates constraints, segments and parents', async () => {
    const segment = await admin('POST', '/api/admin/segments', {
      name: 'of-europe',
      constraints: [{ contextName: 'region', operator: 'STR_STARTS_WITH', values: ['eu-'] }],
    })
    const constraints = [{ contextName: 'appVersion', operator: 'SEMVER_GTE', value: '2.1.0', values: [] }]
    await createFeature(admin, 'parent', [{ name: 'default' }])
    await createFeature(admin, 'child', [
      {
        ...half('child'),
        parameters: { rollout: '100', stickiness: 'default', groupId: 'child' },
        constraints,
        segments: [segment.id],
      },
    ])
    await admin('POST', '/api/admin/projects/default/features/child/dependencies', { feature: 'parent' })
    const isOn = (sdk: Unleash, appVersion: string, region: string) =>
      sdk.isEnabled('child', { userId: 'u', properties: { appVersion, region } })
    const sdk = await connect()
    expect([isOn(sdk, '2.2.0', 'eu-west'), isOn(sdk, '2.0.9', 'eu-west'), isOn(sdk, '2.2.0', 'us-east')]).toEqual([
      true,
      false,
      false,
    ])
    await admin('POST', '/api/admin/projects/default/features/parent/environments/development/off')
    expect(isOn(await connect(), '2.2.0', 'eu-west')).toBe(false)
  })

  it('the SDK gets variants with their payload', async () => {
    const variant = {
      name: 'blue',
      weight: 1000,
      weightType: 'variable',
      stickiness: 'default',
      payload: { type: 'string', value: '#00f' },
    }
    await createFeature(admin, 'colour', [
      {
        ...half('colour'),
        parameters: { rollout: '100', stickiness: 'default', groupId: 'colour' },
        variants: [variant],
      },
    ])
    const sdk = await connect()
    expect(sdk.getVariant('colour', { userId: 'u' })).toMatchObject({
      name: 'blue',
      enabled: true,
      payload: variant.payload,
    })
  })

  it('the SDK reports its usage', async () => {
    await createFeature(admin, 'counted', [{ name: 'default' }])
    const sdk = await connect()
    for (let i = 0; i < 3; i++) sdk.isEnabled('counted')
    await sdk.flushMetrics()
    expect(await usageOf(admin, 'counted')).toEqual({ yes: 3, no: 0, seenApplications: ['shop'] })
    expect(backend.server.mock.state().clientInstances).toMatchObject([{ appName: 'shop', environment: 'development' }])
    expect(backend.server.mock.features.get('counted')?.lifecycle.stage).toBe('pre-live')
  })

  it('the operations called by the SDK are listed', async () => {
    const sdk = await connect()
    sdk.isEnabled('checkout-redesign')
    await sdk.flushMetrics()
    await expectListed(backend.called, 'operations-node.txt')
  })
})
