import { test } from 'flagdouble/vitest'
import { startUnleash } from 'unleash-client'
import { UnleashClient } from 'unleash-proxy-client'
import { expect } from 'vitest'

const ADMIN = 'http://flags.example.com/api/admin'
const as = (authorization: string) => ({ authorization, 'content-type': 'application/json' })
const clone = (authorization = '*:*.mock-admin') =>
  fetch(`${ADMIN}/projects/default/features/checkout-redesign/clone`, {
    method: 'POST',
    headers: as(authorization),
    body: JSON.stringify({ name: 'my-copy' }),
  })

test('Test that a viewer of our flags cannot copy a flag.', async ({ mock }) => {
  const response = await clone('user:mock-viewer')
  expect([response.status, await response.json()]).toEqual([403, expect.objectContaining({ name: 'NoAccessError' })])
  expect(mock.features.get('my-copy')).toBeUndefined()
})

test('Test that copying retries while the service is down.', async ({ mock }) => {
  mock.force({ operation: 'cloneFeature', status: 503, times: 2 })
  let response = await clone()
  while (response.status === 503) response = await clone()
  expect(response.status).toBe(200)
  expect(mock).toHaveReceived('cloneFeature', 3)
})

test('Test the page of an invite that expires in a month.', async ({ mock }) => {
  const isUsable = async () => {
    const response = await fetch(`${ADMIN}/invite-link/tokens/live-invite`, { headers: as('*:*.mock-admin') })
    return (await response.json()).enabled
  }
  expect(await isUsable()).toBe(true)
  mock.clock.advance({ days: 31 })
  expect(await isUsable()).toBe(false)
})

test.for([
  ['checkout-redesign:on', true],
  ['checkout-redesign:off', false],
  ['checkout-redesign:gone', false],
] as const)(
  'Run the test of the checkout with the flag on, off and deleted: %s',
  async ([scenario, isOn], { mock }) => {
    mock.useScenario(scenario)
    const sdk = new UnleashClient({
      url: 'http://flags.example.com/api/frontend',
      clientKey: '*:development.mock-frontend',
      appName: 'shop',
    })
    await sdk.start()
    expect(sdk.isEnabled('checkout-redesign')).toBe(isOn)
    sdk.stop()
  },
)

test('Test, without a server, that the Node SDK notices a flag that is switched off.', async ({ mock }) => {
  mock.setVariant('button', 'blue')
  const sdk = await startUnleash({
    url: 'http://flags.example.com/api',
    appName: 'shop',
    customHeaders: { authorization: '*:development.mock-client' },
    refreshInterval: 100,
    disableMetrics: true,
  })
  expect(sdk.getVariant('button').name).toBe('blue')
  const changed = new Promise((resolve) => sdk.once('changed', resolve))
  mock.disable('button')
  await changed
  expect(sdk.isEnabled('button')).toBe(false)
  sdk.destroy()
})
