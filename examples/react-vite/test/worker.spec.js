import { expect, test } from '@playwright/test'

// The page in scenarios of its URL, with msw's worker. IMAGES=folder also takes pictures.
const picture = (page, name) =>
  process.env.IMAGES ? page.screenshot({ path: `${process.env.IMAGES}/${name}.png` }) : undefined

async function clone(page, scenario) {
  await page.goto(`/?scenario=${scenario}`)
  await page.getByRole('button', { name: 'Clone checkout-redesign' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Clone' }).click()
}

test('default: lists flags and clones one', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('listitem')).toHaveCount(2)
  await picture(page, 'example-list')
  await page.getByRole('button', { name: 'Clone checkout-redesign' }).click()
  await picture(page, 'example-clone')
  await page.getByLabel('Name of the copy').fill('checkout-2')
  await page.getByLabel('Assign users to groups again').uncheck()
  await page.getByRole('dialog').getByRole('button', { name: 'Clone' }).click()
  await expect(page.getByRole('status')).toContainText('checkout-2 is there')
  await expect(page.getByRole('listitem')).toHaveCount(3)
})

test('default: switches the invite link off and moves its expiry', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Invite link' }).click()
  const works = page.getByLabel('The link works')
  await expect(works).toBeChecked()
  await works.click()
  await expect(page.getByText('Does not work')).toBeVisible()
  const before = await page.getByRole('time').getAttribute('datetime')
  await page.getByRole('button', { name: 'Let it expire in a week' }).click()
  await expect(page.getByRole('time')).not.toHaveAttribute('datetime', before)
})

test('empty: the list says that it has no flags', async ({ page }) => {
  await page.goto('/?scenario=empty')
  await expect(page.getByText('No flags yet.')).toBeVisible()
})

test('expired-token: the link does not work and can’t be switched on', async ({ page }) => {
  await page.goto('/?scenario=expired-token')
  await page.getByRole('button', { name: 'Invite link' }).click()
  await expect(page.getByText('Does not work')).toBeVisible()
  await expect(page.getByText('It expired on')).toBeVisible()
  await expect(page.getByLabel('The link works')).toBeDisabled()
  await picture(page, 'example-expired')
})

test('unauthenticated: 401', async ({ page }) => {
  await page.goto('/?scenario=unauthenticated')
  await expect(page.getByRole('alert')).toContainText('You are signed out')
})

test('missing-permission: 403 names the permission', async ({ page }) => {
  await clone(page, 'missing-permission')
  await expect(page.getByRole('alert')).toContainText('CREATE_FEATURE')
  await picture(page, 'example-missing-permission')
})

test('unknown-feature: 404', async ({ page }) => {
  await clone(page, 'unknown-feature')
  await expect(page.getByRole('alert')).toContainText('The flag is gone')
})

test('name-taken: 409', async ({ page }) => {
  await clone(page, 'name-taken')
  await expect(page.getByRole('alert')).toContainText('The name is taken')
})

test('unsupported-content-type: 415', async ({ page }) => {
  await clone(page, 'unsupported-content-type')
  await expect(page.getByRole('alert')).toContainText('The server rejected the format')
})

test('offline: tells so, and goes on when the scenario is taken off', async ({ page }) => {
  await page.goto('/?scenario=offline')
  await expect(page.getByRole('alert')).toContainText('You are offline')
  await page.evaluate(() => history.replaceState(null, '', '/?scenario='))
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('listitem')).toHaveCount(2)
})
