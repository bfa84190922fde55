import { expect, test } from '@playwright/test'

const show = (page, story) => page.goto(`/iframe.html?viewMode=story&id=flag-list--${story}`)

test('a story sends its requests to the mock, and changes it', async ({ page }) => {
  await show(page, 'flags')
  await expect(page.getByRole('listitem')).toHaveText(['checkout-redesign', 'legacy-export'])
  await page.getByRole('button').click()
  await expect(page.getByText('checkout-redesign-copy')).toBeVisible()
})

test('a story starts afresh, whatever was done in it before', async ({ page }) => {
  await show(page, 'flags')
  await page.getByRole('button').click()
  await expect(page.getByRole('listitem')).toHaveCount(3)
  await page.reload()
  await expect(page.getByRole('listitem')).toHaveCount(2)
})

test('a story names its scenario', async ({ page }) => {
  await show(page, 'no-flags')
  await expect(page.getByRole('status')).toHaveText('No flags yet.')
  await show(page, 'not-allowed')
  await page.getByRole('button').click()
  await expect(page.getByRole('status')).toContainText('CREATE_FEATURE')
})

test('a story names a flag and its state', async ({ page }) => {
  await show(page, 'one-flag-on')
  await expect(page.getByText('checkout-redesign')).toBeVisible()
  await show(page, 'one-flag-gone')
  await expect(page.getByText('push-opt-in')).toBeVisible()
  await expect(page.getByText('checkout-redesign')).toHaveCount(0)
})

test('the toolbar switches to another scenario than the story names', async ({ page }) => {
  await page.goto('/iframe.html?viewMode=story&id=flag-list--flags&globals=scenario:empty')
  await expect(page.getByText('No flags yet.')).toBeVisible()
})

test('the toolbar shows the panel of the service below the story', async ({ page }) => {
  await page.goto('/iframe.html?viewMode=story&id=flag-list--flags&globals=panel:shown')
  await expect(page.getByRole('tab', { name: 'Requests 1' })).toBeVisible()
})
