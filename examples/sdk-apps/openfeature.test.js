import { UnleashWebProvider } from '@openfeature/unleash-web-provider'
import { OpenFeature } from '@openfeature/web-sdk'
import { test } from 'flagdouble/vitest'
import { expect } from 'vitest'

test('OpenFeature sees that a flag is on', async ({ mock }) => {
  mock.enable('new-checkout')
  const provider = new UnleashWebProvider({
    url: 'http://flags.example.com/api/frontend',
    clientKey: '*:development.mock-frontend',
    appName: 'shop',
  })
  await OpenFeature.setProviderAndWait(provider)
  const client = OpenFeature.getClient()
  expect(client.getBooleanValue('new-checkout', false)).toBe(true)
  expect(client.getBooleanValue('no-such-flag', false)).toBe(false)
  await OpenFeature.close() // stops the SDK, so that it doesn't poll the mock of the next test
})
