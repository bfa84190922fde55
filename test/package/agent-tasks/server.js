import assert from 'node:assert/strict'
import test from 'node:test'
import { startServer } from 'flagdouble/node'
import { startUnleash } from 'unleash-client'

test('Start a server in a test of node:test, and switch a flag while the Node SDK runs.', async () => {
  const server = await startServer({ scenario: 'empty' }, { port: 0 })
  const sdk = await startUnleash({
    url: `${server.url}/api`,
    appName: 'shop',
    customHeaders: { authorization: '*:development.mock-client' },
    refreshInterval: 100,
    disableMetrics: true,
  })
  assert.equal(sdk.isEnabled('new-checkout'), false)
  const changed = new Promise((resolve) => sdk.once('changed', resolve))
  server.mock.enable('new-checkout')
  await changed
  assert.equal(sdk.isEnabled('new-checkout'), true)
  sdk.destroy()
  await server.close()
})

test('Test how the app behaves if it is rate limited.', async () => {
  const server = await startServer({}, { port: 0 })
  const response = await fetch(`${server.url}/api/admin/projects?scenario=rate-limited`, {
    headers: { authorization: '*:*.mock-admin' },
  })
  assert.equal(response.status, 429)
  await server.close()
})
