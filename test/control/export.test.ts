import { expect, it } from 'vitest'
import { onEveryAdapter } from '../support/adapters.js'

const names = (features: readonly { name: string }[]) => features.map(({ name }) => name).toSorted()

onEveryAdapter('GET /__mock/export', (client) => {
  it('returns a file of all features that are not archived, which Unleash imports', async () => {
    const { status, body } = await client.send('GET', '/__mock/export')
    expect(status).toBe(200)
    expect(names(body.features)).toEqual(['checkout-redesign', 'legacy-export', 'push-opt-in'])
    const { body: data } = await client.send('GET', '/__mock/export?project=default')
    const sent = { project: 'default', environment: 'development', data }
    expect(
      (await client.send('POST', '/api/admin/features-batch/import', sent, { key: 'user:mock-admin' })).status,
    ).toBe(200)
  })

  it('has filters for several projects, and for an environment', async () => {
    const { body } = await client.send('GET', '/__mock/export?project=mobile-app&environment=production')
    expect(names(body.features)).toEqual(['push-opt-in'])
    expect(body.featureEnvironments.map(({ environment }: { environment: string }) => environment)).toEqual([
      'production',
    ])
    const both = await client.send('GET', '/__mock/export?project=mobile-app&project=default')
    expect(names(both.body.features)).toEqual(['checkout-redesign', 'legacy-export', 'push-opt-in'])
  })

  it('an unknown project or environment is rejected with the existing names', async () => {
    const { status, body } = await client.send('GET', '/__mock/export?project=defualt')
    expect(status).toBe(400)
    expect(body).toMatchObject({ name: 'MockError', hint: expect.stringContaining('default') })
    expect((await client.send('GET', '/__mock/export?environment=staging')).status).toBe(400)
  })
})
