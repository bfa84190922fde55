import { InMemoryStorageProvider, UnleashClient } from 'unleash-proxy-client'
import { expect, it } from 'vitest'
import { FRONTEND } from '../support/adapters.js'
import { expectListed } from '../support/compared.js'
import { cloneFeature, createFeature, describeSdk, usageOf } from '../support/sdk.js'

describeSdk("the service's SDK for browsers", (backend) => {
  const { admin } = backend

  /** An SDK that has fetched the enabled flags for a context. */
  async function connect(context: { userId?: string; properties?: Record<string, string> }, usePOSTrequests = false) {
    const sdk = new UnleashClient({
      url: `${backend.server.url}/api/frontend`,
      clientKey: FRONTEND,
      appName: 'page',
      context,
      usePOSTrequests,
      refreshInterval: 0,
      // The first report would come two seconds later, even from a stopped SDK.
      metricsIntervalInitial: 0,
      storageProvider: new InMemoryStorageProvider(),
    })
    backend.atEnd(() => sdk.stop())
    await sdk.start()
    return sdk
  }

  it.each([false, true])('the SDK gets the enabled flags for its context (by POST: %s)', async (usePOSTrequests) => {
    const variants = [
      {
        name: 'blue',
        weight: 1000,
        weightType: 'variable',
        stickiness: 'default',
        payload: { type: 'string', value: '#00f' },
      },
    ]
    const constraints = [{ contextName: 'plan', operator: 'IN', values: ['gold'] }]
    const parameters = { rollout: '100', stickiness: 'default', groupId: 'colour' }
    await createFeature(admin, 'colour', [{ name: 'flexibleRollout', parameters, constraints, variants }])
    const gold = await connect({ userId: 'u', properties: { plan: 'gold' } }, usePOSTrequests)
    expect(gold.isEnabled('colour')).toBe(true)
    expect(gold.getVariant('colour')).toMatchObject({ name: 'blue', payload: { type: 'string', value: '#00f' } })
    const silver = await connect({ userId: 'u', properties: { plan: 'silver' } }, usePOSTrequests)
    expect(silver.isEnabled('colour')).toBe(false)
  })

  it('the SDK assigns users of a clone to the buckets of its source only if the group IDs are kept', async () => {
    const parameters = { rollout: '50', stickiness: 'userId', groupId: 'source' }
    await createFeature(admin, 'source', [{ name: 'flexibleRollout', parameters }])
    await cloneFeature(admin, 'source', { name: 'same-group', replaceGroupId: false })
    await cloneFeature(admin, 'source', { name: 'own-group', replaceGroupId: true })
    const found = await Promise.all(
      Array.from({ length: 40 }, async (_, i) => {
        const sdk = await connect({ userId: `user-${i}` })
        return ['source', 'same-group', 'own-group'].map((name) => sdk.isEnabled(name))
      }),
    )
    expect(found.every(([source, same]) => source === same)).toBe(true)
    expect(found.some(([source, , own]) => source !== own)).toBe(true)
  })

  it('the SDK sees a change when it polls again', async () => {
    await createFeature(admin, 'switched', [{ name: 'default' }])
    const sdk = await connect({})
    expect(sdk.isEnabled('switched')).toBe(true)
    await admin('POST', '/api/admin/projects/default/features/switched/environments/development/off')
    await sdk.updateToggles()
    expect(sdk.isEnabled('switched')).toBe(false)
  })

  it('the SDK reports its usage', async () => {
    await createFeature(admin, 'counted', [{ name: 'default' }])
    const sdk = await connect({})
    sdk.isEnabled('counted')
    sdk.isEnabled('counted')
    await sdk.sendMetrics()
    expect(await usageOf(admin, 'counted')).toEqual({ yes: 2, no: 0, seenApplications: ['page'] })
  })

  it('the operations called by the SDK are listed', async () => {
    await connect({}, true)
    const sdk = await connect({})
    sdk.isEnabled('checkout-redesign')
    await sdk.sendMetrics()
    await expectListed(backend.called, 'operations-browser.txt')
  })
})
