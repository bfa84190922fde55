import { expect, test } from '@playwright/test'

// The same page, served by Vite with the plugin. A cookie gives each test its own session.
test.beforeEach(async ({ context, baseURL }, { testId }) => {
  await context.addCookies([{ name: 'mock-session', value: testId, url: baseURL }])
})

test('a QA link puts the page under a scenario', async ({ page }) => {
  await page.goto('/__mock/use/empty?redirect=/')
  await expect(page.getByText('No flags yet.')).toBeVisible()
  await page.reload()
  await expect(page.getByText('No flags yet.')).toBeVisible()
  await page.goto('/__mock/use/offline?redirect=/')
  await expect(page.getByRole('alert')).toContainText('You are offline')
})

for (const attempt of [1, 2]) {
  test(`clones in its own session (${attempt})`, async ({ page }) => {
    await page.goto('/')
    await expect(page.getByRole('listitem')).toHaveCount(2)
    await page.getByRole('button', { name: 'Clone checkout-redesign' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Clone' }).click()
    await expect(page.getByRole('listitem')).toHaveCount(3)
  })
}
