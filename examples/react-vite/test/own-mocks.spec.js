import { expect, test } from 'flagdouble/playwright'

// Vite serves the page to all workers. The mock of each test handles its requests.
for (const attempt of [1, 2, 3]) {
  test(`clones in a mock that the test can read (${attempt})`, async ({ mock, page }) => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Clone checkout-redesign' }).click()
    await page.getByLabel('Name of the copy').fill('checkout-2')
    await page.getByRole('dialog').getByRole('button', { name: 'Clone' }).click()
    await expect(page.getByRole('listitem')).toHaveCount(3)
    expect(mock.features.get('checkout-2')).toBeDefined()
    expect(mock.requests.count({ operation: 'cloneFeature' })).toBe(1)
  })
}

test('sees what the test changes', async ({ mock, page }) => {
  mock.force({ operation: 'getFeatures', status: 503, times: 1 })
  await page.goto('/')
  await expect(page.getByRole('alert')).toBeVisible()
})
