import { expect } from 'vitest'
import { it, openPanel } from '../support/panel.js'

const clonePath = '/api/admin/projects/default/features/checkout-redesign/clone'
const phone = { viewport: { width: 390, height: 844 } }

it('after the clock was advanced, the panel says how far it is off and leads back to real time', async ({
  browser,
}) => {
  await using panel = await openPanel(browser, { seed: 'tests' })
  const { page, server } = panel
  await panel.goTo('Clock')
  expect(await page.getByRole('button', { name: 'Back to real time' }).isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'Advance 1 week' }).click()
  await page.getByRole('banner').getByText('running · 1 week ahead').waitFor()
  await page.getByRole('button', { name: 'Back to real time' }).click()
  await page.getByText('1 week ahead').first().waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Freeze now' }).click()
  await page.getByRole('button', { name: 'Run on from here' }).click()
  await page.getByText('Clock running.').waitFor()
  expect(server.mock.clock.frozen).toBe(false)
})

it('the answers that a scenario forces take one line', async ({ browser }) => {
  await using panel = await openPanel(browser, { scenario: 'missing-permission' })
  const { page } = panel
  await panel.goTo('Forced answers')
  const line = page.getByText(/^\d+ answers forced by the scenario missing-permission$/)
  await line.waitFor()
  expect(await page.getByRole('button', { name: /^Remove the forced answer/ }).count()).toBe(0)
  await page.getByRole('combobox', { name: 'Operation' }).fill('getProjects')
  await page.getByRole('button', { name: 'Force this answer' }).click()
  await page.getByRole('tab', { name: 'Forced answers 1' }).waitFor()
  expect(await page.getByRole('button', { name: /^Remove the forced answer/ }).count()).toBe(1)
  await line.click()
  await page.getByRole('heading', { name: 'cloneFeature' }).waitFor()
})

it('an upload adds records unless told otherwise, and a file that failed stays chosen', async ({ browser }) => {
  await using panel = await openPanel(browser, {}, phone)
  const { page, server } = panel
  await panel.goTo('Snapshot')
  const upload = async (state: unknown) => {
    const buffer = Buffer.from(JSON.stringify(state))
    await page.getByLabel('Snapshot or fixture').setInputFiles({ name: 'f.json', mimeType: 'application/json', buffer })
    await page.getByRole('button', { name: 'Upload' }).click()
  }
  const chosen = () => page.evaluate(() => document.querySelector<HTMLInputElement>('input[type=file]')?.files?.length)
  await upload({ features: [{ name: 'lost', project: 'nowhere' }] })
  await page.getByText("That didn't work.").waitFor()
  expect(await chosen()).toBe(1)
  const dismiss = await page.getByRole('button', { name: 'Dismiss' }).boundingBox()
  expect(dismiss?.width).toBeGreaterThan(dismiss?.height ?? 0)
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await upload({ features: [{ name: 'added' }] })
  await page.getByText('Records added.').waitFor()
  await expect.poll(chosen).toBe(0)
  expect(server.mock.features.get('added')?.name).toBe('added')
  expect(panel.complaints.splice(0)).toHaveLength(1)
})

it('the requests that are shown are copied as a test', async ({ browser }) => {
  await using panel = await openPanel(browser, {}, { permissions: ['clipboard-read', 'clipboard-write'] })
  const { page } = panel
  await panel.ask('POST', clonePath, { name: 'copy' })
  await panel.ask('GET', '/api/admin/projects')
  await page.getByText('2 requests').waitFor()
  await page.getByLabel('Operation').selectOption('cloneFeature')
  await page.getByRole('button', { name: 'Copy as test' }).click()
  await page.getByText('Copied: a test of 1 request.').waitFor()
  const text = await page.evaluate(() => navigator.clipboard.readText())
  expect(text).toContain("from 'flagdouble'")
  expect(text).toContain(clonePath)
  expect(text).not.toContain("'/api/admin/projects'")
})

it('a link to the world that is shown is copied', async ({ browser }) => {
  await using panel = await openPanel(browser, {}, { permissions: ['clipboard-read', 'clipboard-write'] })
  const { page, server } = panel
  await panel.goTo('Snapshot')
  await page.getByRole('button', { name: 'Share this world' }).click()
  await page.getByText('Copied: a link to this world.').waitFor()
  const { url } = await (await fetch(`${server.url}/__mock/share`)).json()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(url)
})

it('what this browser does not let the panel copy is shown, to copy it by hand', async ({ panel, page, server }) => {
  // As on a page over plain HTTP.
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  await page.reload()
  await panel.ask('POST', clonePath, { name: 'copy' })
  await page.getByText('1 request', { exact: true }).waitFor()
  const hint = page.locator('.message', { hasText: "This browser doesn't allow copying here." }).locator('.hint')
  await page.getByRole('button', { name: 'Copy as test' }).click()
  await hint.getByText("from 'flagdouble'").waitFor()
  expect(await hint.innerText()).toMatch(/^Copy it by hand:\nimport /)
  await page.locator('.entry summary').first().click()
  await page.getByRole('button', { name: /^Copy as curl/ }).click()
  await hint.getByText('curl -X POST').waitFor()
  expect(await hint.innerText()).toContain('" \\\n  -H ')
  await panel.goTo('Snapshot')
  await page.getByRole('button', { name: 'Share this world' }).click()
  await hint.getByText(`${server.url}/__mock/use#`).waitFor()
})

it('the answer to a path that is not well-formed can be forced', async ({ panel, page }) => {
  await panel.ask('GET', '/api/admin/projects/default/features/%zz')
  await page.locator('.entry summary').first().click()
  await page.getByRole('button', { name: 'Force this answer' }).click()
  expect(await page.getByRole('combobox', { name: 'Operation' }).inputValue()).toBe('getFeature')
  expect(await page.getByLabel('featureName').inputValue()).toBe('%zz')
})

it('the operations are found by name or path', async ({ panel, page, server }) => {
  await panel.goTo('Forced answers')
  await page.getByRole('combobox', { name: 'Operation' }).fill('/clone')
  await expect
    .poll(() => page.getByRole('listbox').getByRole('option').allTextContents())
    .toEqual([expect.stringMatching(/^cloneFeature · POST/)])
  await page.getByRole('combobox', { name: 'Operation' }).press('Enter')
  await page.getByRole('button', { name: 'Force this answer' }).click()
  await page.getByText('Answer forced.').waitFor()
  await page.getByRole('heading', { name: 'cloneFeature' }).waitFor()
  expect((await panel.ask('POST', clonePath, { name: 'copy' })).status).toBe(400)
  expect(server.mock.requests.all()).toHaveLength(1)
})

it('an answer can be forced for one feature only', async ({ panel, page }) => {
  await panel.goTo('Forced answers')
  await page.getByRole('combobox', { name: 'Operation' }).fill('getFeature')
  await page.getByLabel('featureName').fill('checkout-redesign')
  await page.getByLabel('Body contains (JSON)').fill('{')
  await page.getByRole('button', { name: 'Force this answer' }).click()
  const body = page.getByLabel('Body contains (JSON)')
  expect(await body.evaluate((field: HTMLInputElement) => field.validationMessage)).toBe('This must be JSON.')
  await body.fill('')
  await page.getByRole('button', { name: 'Force this answer' }).click()
  await page.getByText('only with featureName: checkout-redesign').waitFor()
  const statusOf = async (name: string) =>
    (await panel.ask('GET', `/api/admin/projects/default/features/${name}`)).status
  expect(await statusOf('checkout-redesign')).toBeGreaterThanOrEqual(400)
  expect(await statusOf('legacy-export')).toBe(200)
})

it('a request shows its scenario and whether its answer was forced, and its answer can be forced', async ({
  panel,
  page,
  server,
}) => {
  server.mock.force({ operation: 'getProjects', status: 503, times: 1 })
  await panel.ask('POST', clonePath, { name: 'push-opt-in' })
  await panel.ask('GET', '/api/admin/projects?scenario=empty')
  await panel.ask('GET', '/api/admin/projects')
  const entries = page.locator('.entry')
  await page.getByText('3 requests').waitFor()
  expect(await page.locator('.origin').allInnerTexts()).toEqual([
    expect.stringMatching(/getProjects\s*· default\s*forced/),
    expect.stringMatching(/getProjects\s*· empty$/),
    expect.stringMatching(/cloneFeature\s*· default$/),
  ])
  await entries.last().locator('summary').click()
  await entries.last().getByRole('button', { name: 'Force this answer' }).click()
  await page.getByRole('tab', { name: 'Forced answers', selected: true }).waitFor()
  expect(await page.getByLabel('featureName').inputValue()).toBe('checkout-redesign')
  expect(await page.getByRole('combobox', { name: 'Operation' }).inputValue()).toBe('cloneFeature')
  expect(await page.getByRole('combobox', { name: 'Answer' }).inputValue()).toBe('409')
})

it('all 16 scenarios fit into 800 pixels, and a path does not wrap without need', async ({ browser }) => {
  await using panel = await openPanel(browser, {}, { viewport: { width: 1280, height: 800 } })
  const { page } = panel
  await panel.ask('POST', clonePath, { name: 'copy' })
  await page.getByText('1 request', { exact: true }).waitFor()
  const cards = await page
    .locator('.scenario')
    .evaluateAll((all) => all.map((card) => card.getBoundingClientRect().bottom))
  expect(cards.filter((bottom) => bottom <= 800).length).toBe(16)
  for (const title of ['Data', 'Errors', 'Network']) await page.getByRole('region', { name: title }).waitFor()
  const path = await page.locator('.entry .path').boundingBox()
  expect(path?.height).toBeLessThan(30)
})

it('who signs in stays signed in, also under a clock that shows the past', async ({ browser }) => {
  await using panel = await openPanel(browser, { now: '2020-01-01T00:00:00Z' })
  const user = await panel.page.evaluate(async () => {
    const body = JSON.stringify({ username: 'editor', password: 'flagdouble' })
    await fetch('/auth/simple/login', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    return (await (await fetch('/api/admin/user')).json()).user?.id
  })
  expect(user).toBe(2)
})
