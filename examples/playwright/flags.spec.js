import { test as base, expect } from 'flagdouble/playwright'
import { startApp } from './app.js'

// The app's own server needs the URL of the mock, so each worker starts both.
const test = base.extend({
  appUrl: [
    async ({ mockServer }, use) => {
      const { server, url } = await startApp(mockServer.url)
      await use(url)
      server.closeAllConnections()
      server.close()
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ appUrl }, use) => use(appUrl),
})

for (const attempt of [1, 2]) {
  test(`clones a flag, in its own world (${attempt})`, async ({ mock, page }) => {
    await page.goto('/')
    await expect(page.getByText('checkout-redesign')).toBeVisible()
    await expect(page.getByText('copy')).toHaveCount(0)
    await page.getByRole('button', { name: 'Clone' }).click()
    await expect(page.getByText('copy')).toBeVisible()
    expect(mock.features.get('copy')).toBeDefined()
    expect(mock.requests.count({ operation: 'cloneFeature' })).toBe(1)
  })
}

test('shows which permission is missing', async ({ mock, page }) => {
  mock.useScenario('missing-permission')
  await page.goto('/')
  await page.getByRole('button', { name: 'Clone' }).click()
  await expect(page.getByRole('alert')).toContainText('CREATE_FEATURE')
})

test('shows an empty list, also to what the app’s server asks', async ({ mock, page }) => {
  mock.useScenario('empty')
  await page.goto('/')
  await expect(page.getByRole('listitem')).toHaveCount(0)
  expect(mock.requests.count({ operation: 'getFeatures' })).toBe(1)
})

test('takes a request of the test itself into the session', async ({ mock, request }) => {
  const headers = { ...mock.headers, authorization: '*:*.mock-admin' }
  expect((await request.get(`${mock.url}/api/admin/projects`, { headers })).status()).toBe(200)
  expect(mock.requests.count()).toBe(1)
})
