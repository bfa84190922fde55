import { expect } from 'vitest'
import { FRONTEND } from '../support/adapters.js'
import { it, openPanel } from '../support/panel.js'

const clonePath = '/api/admin/projects/default/features/checkout-redesign/clone'
const phone = { viewport: { width: 390, height: 844 } }

it('after the clock was advanced, the panel shows its offset and returns to real time', async ({ browser }) => {
  await using panel = await openPanel(browser, { seed: 'tests' })
  const { page, server } = panel
  const clock = page.getByRole('button', { name: 'Clock' })
  await clock.getByText('in real time').waitFor()
  await page.keyboard.press('t')
  await page.keyboard.press('2')
  await page.getByRole('tab', { name: 'Data', selected: true }).waitFor()
  expect(server.mock.history.list()).toHaveLength(1)
  await clock.click()
  expect(await page.getByRole('button', { name: 'Real time', exact: true }).isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'A week ahead' }).click()
  await clock.getByText('1 week ahead').waitFor()
  await page.getByRole('button', { name: 'Real time', exact: true }).click()
  await clock.getByText('in real time').waitFor()
  await page.getByRole('button', { name: 'Freeze now' }).click()
  await page.getByRole('button', { name: 'Run from here' }).click()
  await expect.poll(() => server.mock.clock.frozen).toBe(false)
})

it('the rules of a scenario take one line', async ({ browser }) => {
  await using panel = await openPanel(browser, { scenario: 'missing-permission' })
  const { page } = panel
  await panel.goTo('Rules')
  const line = page.getByText(/^\d+ rules from the scenario The permission is missing$/)
  await line.waitFor()
  expect(await page.getByRole('button', { name: /^Remove the rule/ }).count()).toBe(0)
  await page.getByRole('combobox', { name: 'Operation' }).fill('getProjects')
  await page.getByRole('button', { name: 'slow 2 s' }).click()
  await page.getByRole('button', { name: 'Add the rule' }).click()
  await page.getByRole('tab', { name: 'Rules 1' }).waitFor()
  expect(await page.getByRole('button', { name: /^Remove the rule/ }).count()).toBe(1)
  await line.click()
  await page.getByRole('heading', { name: 'cloneFeature' }).waitFor()
})

it('an upload adds records by default, and a failed file stays chosen', async ({ browser }) => {
  await using panel = await openPanel(browser, {}, phone)
  const { page, server } = panel
  await panel.goTo('Settings')
  const upload = async (state: unknown) => {
    const buffer = Buffer.from(JSON.stringify(state))
    await page
      .getByLabel('Snapshot, fixture or scenario')
      .setInputFiles({ name: 'f.json', mimeType: 'application/json', buffer })
    await page.getByRole('button', { name: 'Import', exact: true }).click()
  }
  const chosen = () => page.evaluate(() => document.querySelector<HTMLInputElement>('input[type=file]')?.files?.length)
  await upload({ features: [{ name: 'lost', project: 'nowhere' }] })
  await page.getByText("That didn't work. f.json: ").waitFor()
  expect(await chosen()).toBe(1)
  const dismiss = await page.getByRole('button', { name: 'Dismiss' }).boundingBox()
  expect(dismiss?.width).toBeGreaterThan(dismiss?.height ?? 0)
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await page
    .getByLabel('Snapshot, fixture or scenario')
    .setInputFiles({ name: 'cut.json', mimeType: 'application/json', buffer: Buffer.from('{\n  "features": [') })
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByText('cut.json: The body is not well-formed JSON: it ends too early (line 2 column 16).').waitFor()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await upload({ features: [{ name: 'added' }] })
  await expect.poll(chosen).toBe(0)
  expect(server.mock.features.get('added')?.name).toBe('added')
  expect(panel.complaints.splice(0)).toHaveLength(2)
})

it('a request is copied as a test', async ({ browser }) => {
  await using panel = await openPanel(browser, {}, { permissions: ['clipboard-read', 'clipboard-write'] })
  const { page } = panel
  await panel.ask('POST', clonePath, { name: 'copy' })
  await page.locator('.entry summary').click()
  await page.getByRole('button', { name: 'Copy as test' }).click()
  await page.getByText(`Copied: a test of POST ${clonePath}.`).waitFor()
  const text = await page.evaluate(() => navigator.clipboard.readText())
  expect(text).toContain("from 'flagdouble'")
  expect(text).toContain(clonePath)
})

it('a scenario file that is dropped on the panel is added, unless it is invalid', async ({ panel, page, server }) => {
  const drop = (file: object) =>
    page.evaluate((text) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([text], 'sale.json', { type: 'application/json' }))
      document.querySelector('.app')?.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }))
    }, JSON.stringify(file))
  const sale = { name: 'sale', title: 'The sale', promise: 'One more flag.', seed: { features: [{ name: 'banner' }] } }
  await drop(sale)
  await page.getByText('Added the scenario “The sale”.').waitFor()
  await page.getByRole('button', { name: 'Switch to it' }).click()
  await page.getByText('Switched to “The sale”.').waitFor()
  expect(server.mock.features.get('banner')?.name).toBe('banner')
  await drop({ ...sale, seed: { features: [{ name: 'lost', project: 'nowhere' }] } })
  await page.getByText('$.seed.features[0].project').waitFor()
  expect(panel.complaints.splice(0)).toHaveLength(1)
})

it("the panel shows words that the browser doesn't let it copy, so that users can copy it themselves", async ({
  panel,
  page,
}) => {
  // Like a page over plain HTTP.
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  await page.reload()
  await panel.ask('POST', clonePath, { name: 'copy' })
  await page.getByText('1 request', { exact: true }).waitFor()
  const hint = page.locator('.message', { hasText: "This browser doesn't allow copying here." }).locator('.hint')
  await page.locator('.entry summary').first().click()
  await page.getByRole('button', { name: 'Copy as test' }).click()
  await hint.getByText("from 'flagdouble'").waitFor()
  expect(await hint.innerText()).toMatch(/^Copy it manually:\nimport /)
  await page.getByRole('button', { name: 'Copy as curl' }).click()
  await hint.getByText('-X POST').waitFor()
  expect(await hint.innerText()).toContain("' \\\n  -H ")
})

it('a malformed path of a request can be turned into a rule', async ({ panel, page }) => {
  await panel.ask('GET', '/api/admin/projects/default/features/%zz')
  await page.locator('.entry summary').first().click()
  await page.getByRole('button', { name: 'Create a rule' }).click()
  expect(await page.getByRole('combobox', { name: 'Operation' }).inputValue()).toBe('getFeature')
  expect(await page.getByLabel('featureName').inputValue()).toBe('%zz')
})

it('the operations are found by name or path', async ({ panel, page, server }) => {
  await panel.goTo('Rules')
  await page.getByRole('combobox', { name: 'Operation' }).fill('/clone')
  await page.getByRole('combobox', { name: 'Operation' }).press('Enter')
  expect(await page.getByRole('combobox', { name: 'Operation' }).inputValue()).toBe('cloneFeature')
  await page.getByRole('combobox', { name: 'Operation' }).press('Enter')
  await page.getByRole('combobox', { name: 'Response' }).selectOption('400')
  expect(await page.getByRole('heading', { name: 'cloneFeature' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Add the rule' }).click()
  await page.getByRole('heading', { name: 'cloneFeature' }).waitFor()
  expect((await panel.ask('POST', clonePath, { name: 'copy' })).status).toBe(400)
  expect(server.mock.requests.all()).toHaveLength(1)
})

it('the rule form says why it adds no rule', async ({ panel, page }) => {
  await panel.goTo('Rules')
  const operation = page.getByRole('combobox', { name: 'Operation' })
  const complaint = (field: typeof operation) =>
    field.evaluate((input: HTMLInputElement) => (input.reportValidity() ? '' : input.validationMessage))
  await operation.fill('xyz')
  await page.getByRole('button', { name: 'Add the rule' }).click()
  expect(await complaint(operation)).toBe('No operation is called xyz.')
  expect(await operation.inputValue()).toBe('xyz')
  await operation.fill('features')
  await operation.press('Enter')
  expect(await operation.inputValue()).toMatch(/features$/i)
  expect(await complaint(operation)).toBe('')
  const delay = page.getByLabel('Delay (ms)')
  expect(await complaint(delay)).toBe('This rule changes nothing: choose an error or a delay.')
  await page.getByRole('group', { name: 'Presets' }).getByRole('button').first().click()
  expect(await complaint(delay)).toBe('')
})

it('equal polls of an SDK take one line, and the last request to copy is the last of a user', async ({ browser }) => {
  await using panel = await openPanel(browser, {}, { permissions: ['clipboard-read', 'clipboard-write'] })
  const { page } = panel
  const poll = (sessionId: number) =>
    panel.ask('GET', `/api/frontend?sessionId=${sessionId}`, undefined, { authorization: FRONTEND })
  for (const id of [1, 2]) await poll(id)
  await panel.ask('GET', '/api/admin/projects')
  for (const id of [3, 4, 5]) await poll(id)
  await page.getByText('6 requests').waitFor()
  const lines = page.locator('.entry')
  expect(await lines.count()).toBe(3)
  await lines.first().getByText('×3').waitFor()
  await lines.last().getByText('×2').waitFor()
  await page.getByRole('button', { name: 'Share' }).click()
  await page.getByRole('button', { name: 'Copy the last request as curl' }).click()
  await page.getByText('Copied: GET /api/admin/projects.').waitFor()
  await page.getByLabel('Show').selectOption("All, with polls and the panel's own")
  await expect.poll(() => lines.count()).toBe(6)
})

it('a used-up rule can be armed again before it is saved with a scenario', async ({ panel, page, server }) => {
  server.mock.force({ operation: 'getProjects', status: 503, times: 1 })
  await panel.ask('GET', '/api/admin/projects')
  await page.getByRole('tab', { name: 'Rules 1' }).waitFor()
  await page.getByRole('button', { name: 'Share' }).click()
  await page.getByText('1 rule used up: the scenario leaves it out.').waitFor()
  await page.getByRole('button', { name: 'Arm again' }).click()
  await page.getByText('1 rule used up').waitFor({ state: 'detached' })
  await page.getByLabel('Title').fill('The bug')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved as “The bug”.').waitFor()
  const saved = await panel.ask('GET', '/__mock/scenarios/the-bug')
  expect((await saved.json()).force).toEqual([expect.objectContaining({ operation: 'getProjects', times: 1 })])
})

it('a rule can apply to one feature only', async ({ panel, page }) => {
  await panel.goTo('Rules')
  await page.getByRole('combobox', { name: 'Operation' }).fill('getFeature')
  await page.getByRole('combobox', { name: 'Response' }).selectOption('404')
  await page.getByText('only for …').click()
  await page.getByLabel('featureName').fill('checkout-redesign')
  await page.getByLabel('Body contains (JSON)').fill('{')
  await page.getByRole('button', { name: 'Add the rule' }).click()
  const body = page.getByLabel('Body contains (JSON)')
  expect(await body.evaluate((field: HTMLInputElement) => field.validationMessage)).toBe('This must be JSON.')
  await body.fill('')
  await page.getByRole('button', { name: 'Add the rule' }).click()
  await page.getByText('only with featureName: checkout-redesign').waitFor()
  const statusOf = async (name: string) =>
    (await panel.ask('GET', `/api/admin/projects/default/features/${name}`)).status
  expect(await statusOf('checkout-redesign')).toBeGreaterThanOrEqual(400)
  expect(await statusOf('legacy-export')).toBe(200)
})

it('a request shows a scenario other than the current one, and whether a rule responded, and can be turned into a rule', async ({
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
    expect.stringMatching(/^getProjects\s*by a rule$/),
    expect.stringMatching(/^getProjects\s*· empty$/),
    'cloneFeature',
  ])
  await entries.last().locator('summary').click()
  await entries.last().getByRole('button', { name: 'Create a rule' }).click()
  await page.getByRole('tab', { name: 'Rules', selected: true }).waitFor()
  expect(await page.getByLabel('featureName').inputValue()).toBe('checkout-redesign')
  expect(await page.getByRole('combobox', { name: 'Operation' }).inputValue()).toBe('cloneFeature')
  expect(await page.getByRole('combobox', { name: 'Response' }).inputValue()).toBe('409')
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

it('users stay signed in, even if the clock shows the past', async ({ browser }) => {
  await using panel = await openPanel(browser, { now: '2020-01-01T00:00:00Z' })
  const user = await panel.page.evaluate(async () => {
    const body = JSON.stringify({ username: 'editor', password: 'flagdouble' })
    await fetch('/auth/simple/login', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    return (await (await fetch('/api/admin/user')).json()).user?.id
  })
  expect(user).toBe(2)
})
