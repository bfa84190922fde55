// @vitest-environment jsdom
import { useMock } from 'flagdouble/vitest'
import { UnleashClient } from 'unleash-proxy-client'
import { beforeEach, expect, test } from 'vitest'

const mock = useMock()
beforeEach(() => localStorage.clear())

test('sees a flag enabled, then disabled', async () => {
  mock.enable('new-checkout')
  const sdk = new UnleashClient({
    url: 'http://flags.example.com/api/frontend',
    clientKey: '*:development.mock-frontend',
    appName: 'shop',
    refreshInterval: 0,
    metricsInterval: 0,
  })
  await sdk.start()
  expect(sdk.isEnabled('new-checkout')).toBe(true)
  mock.disable('new-checkout')
  await sdk.updateToggles()
  expect(sdk.isEnabled('new-checkout')).toBe(false)
  sdk.stop()
})
