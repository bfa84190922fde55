import { createServer } from 'node:http'
import { test as base, expect } from 'flagdouble/playwright'

/** An app whose page asks for flags at the same address. */
const PAGE = `<!doctype html><title>Shop</title><p></p><script>
  fetch('/api/frontend', { headers: { authorization: '*:development.mock-frontend' } })
    .then((response) => response.json())
    .then(({ toggles }) => { document.querySelector('p').textContent = 'Flags: ' + toggles.map(({ name }) => name) })
</script>`

const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from the braces
  baseURL: async ({}, use) => {
    const app = createServer((_, response) => response.setHeader('content-type', 'text/html').end(PAGE))
    await new Promise((resolve) => app.listen(0, '127.0.0.1', resolve))
    await use(`http://127.0.0.1:${app.address().port}`)
    app.closeAllConnections()
    app.close()
  },
})

test('a second user sees the flags of the same test', async ({ mock, page, browser, baseURL }) => {
  mock.useScenario('empty')
  mock.enable('new-checkout')
  await page.goto('/')
  await expect(page.locator('p')).toHaveText('Flags: new-checkout')
  const context = await browser.newContext()
  const second = await context.newPage()
  await second.goto(baseURL)
  await expect(second.locator('p')).toHaveText('Flags: new-checkout')
  await context.close()
  expect(mock).toHaveReceived('getFrontendFeatures', 2)
})

test("the panel opens at the app's address", async ({ mock, page }) => {
  mock.enable('only-in-this-test')
  await page.goto('/__mock/')
  await page.getByRole('tab', { name: 'Data' }).click()
  await expect(page.getByText('only-in-this-test').first()).toBeVisible()
})
