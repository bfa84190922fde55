import { once } from 'node:events'
import { startServer } from 'flagdouble/node'
import { InMemStorageProvider, initialize } from 'unleash-client'
import { afterAll, beforeAll, expect, test } from 'vitest'

let server
let sdk
beforeAll(async () => {
  server = await startServer({}, { port: 0 })
  sdk = initialize({
    url: `${server.url}/api`,
    appName: 'shop',
    customHeaders: { Authorization: '*:development.mock-client' },
    refreshInterval: 100,
    disableMetrics: true,
    storageProvider: new InMemStorageProvider(),
  })
  await once(sdk, 'synchronized')
})
afterAll(() => {
  sdk.destroy()
  return server.close()
})

test('sees an enabled flag and a variant', async () => {
  server.mock.enable('new-checkout')
  server.mock.setVariant('button-colour', 'blue')
  await once(sdk, 'changed')
  expect(sdk.isEnabled('new-checkout')).toBe(true)
  expect(sdk.getVariant('button-colour')).toMatchObject({ name: 'blue', enabled: true })
})
