import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { scenarios as builtIn } from '../../scenarios/index.js'
import { NOW } from '../support/adapters.js'
import { it, openPanel } from '../support/panel.js'

const clonePath = '/api/admin/projects/default/features/checkout-redesign/clone'
const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] }

it('the panel shows all scenarios with their promises, and switches with one click', async ({ page, server }) => {
  const scenarios = page.getByRole('complementary', { name: 'Scenarios' })
  for (const { title, promise } of builtIn) {
    await scenarios.getByRole('button', { name: title }).hover()
    await scenarios.locator('.promise-of').getByText(promise).waitFor()
  }
  const card = scenarios.getByRole('listitem').filter({ hasText: 'The invite has expired' })
  const row = await card.locator('.choose').boundingBox()
  await page.mouse.click((row?.x ?? 0) + (row?.width ?? 0) - 3, (row?.y ?? 0) + (row?.height ?? 0) - 3)
  await page.getByRole('button', { name: /The invite has expired/, pressed: true }).waitFor()
  expect(server.mock.activeScenarios).toEqual(['expired-token'])
  await scenarios.getByRole('button', { name: 'Combine slow with what is active' }).click()
  await page.getByRole('button', { name: /A slow network/, pressed: true }).waitFor()
  expect(server.mock.activeScenarios).toEqual(['expired-token', 'slow'])
})

it('the panel follows a switch that is made elsewhere', async ({ panel, page, server }) => {
  server.mock.useScenario('empty')
  await page.getByRole('button', { name: /Nothing yet/, pressed: true }).waitFor()
  await panel.goTo('Data')
  await page.getByText('No features.', { exact: true }).waitFor()
})

it('the panel copies a QA link that leads to the scenario', async ({ browser }) => {
  await using panel = await openPanel(browser, {}, clipboard)
  const { page, server } = panel
  await page.getByRole('button', { name: 'Copy link: the QA link of expired-token' }).click()
  await page.getByText('Copied: the QA link of expired-token.').waitFor()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).toBe(`${server.url}/__mock/use/expired-token`)
  await page.goto(link)
  await page.getByText('A QA link set a cookie in this browser').waitFor()
  await page.getByRole('button', { name: 'Open expired-token' }).click()
  await panel.goTo('Data')
  await page.locator('.card', { hasText: 'live-invite' }).getByText('expired', { exact: true }).waitFor()
  await page.getByLabel('Data of').selectOption('')
  await page.getByRole('button', { name: 'Remove the cookie' }).click()
  await page.getByText('A QA link set a cookie').waitFor({ state: 'detached' })
  expect(await page.context().cookies()).toEqual([])
})

it('the panel shows each request as it comes, with what was sent and answered, and copies it as curl', async ({
  browser,
}) => {
  await using panel = await openPanel(browser, { seed: 1, now: NOW }, clipboard)
  const { page } = panel
  await page.getByText('No requests yet.').waitFor()
  await panel.ask('POST', clonePath, { name: "it's-new" })
  const entry = page.locator('.entry').first()
  await entry.getByText('cloneFeature').waitFor()
  expect(await entry.locator('summary > *').allTextContents()).toEqual([
    ...['POST', clonePath, 'cloneFeature· default', '200'],
    expect.stringMatching(/^\d+ ms$/),
    '12:00:00',
  ])
  await entry.locator('summary').click()
  expect(JSON.parse((await entry.locator('pre').first().textContent()) ?? '')).toEqual({ name: "it's-new" })
  expect(JSON.parse((await entry.locator('pre').last().textContent()) ?? '')).toMatchObject({
    name: "it's-new",
    project: 'default',
  })
  await panel.ask('GET', '/health')
  await page.locator('.entry', { hasText: '/health' }).waitFor()
  expect(await page.locator('details[open] summary .operation').allTextContents()).toEqual(['cloneFeature'])
  await page.getByRole('button', { name: /^Copy as curl/ }).click()
  await page.getByText(/^Copied: POST/).waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    [
      `curl -X POST '${panel.server.url}${clonePath}'`,
      '-H "Authorization: $TOKEN"',
      "-H 'x-mock-scenario: default'",
      "-H 'Content-Type: application/json'",
      `--data-raw '{"name":"it'\\''s-new"}'`,
    ].join(' \\\n  '),
  )
})

it('the panel filters the requests, and empties the journal', async ({ panel, page, server }) => {
  await panel.ask('GET', '/api/admin/projects')
  await panel.ask('POST', clonePath, { name: 'push-opt-in' })
  await panel.ask('GET', '/api/admin/nothing-of-ours')
  const entries = page.locator('.entry')
  await page.getByText('3 requests').waitFor()
  await page.getByLabel('Status').selectOption('4xx')
  await page.getByText('1 of 3 requests').waitFor()
  expect(await entries.textContent()).toContain('409')
  await page.getByLabel('Status').selectOption('all')
  await page.getByLabel('Known path').selectOption('no')
  await page.getByText('no operation').waitFor()
  expect(await entries.count()).toBe(1)
  await page.getByLabel('Known path').selectOption('all')
  await page.getByLabel('Operation').selectOption('getProjects')
  expect(await entries.count()).toBe(1)
  await page.getByLabel('Operation').selectOption('all')
  await page.getByLabel('Text').fill('nameexists')
  await page.getByText('1 of 3 requests').waitFor()
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByText('No requests yet.').waitFor()
  expect(server.mock.requests.all()).toEqual([])
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('3 requests').waitFor()
})

it('the panel shows features with their strategies, tokens with their expiry in words, and users', async ({
  panel,
  page,
}) => {
  await panel.goTo('Data')
  const feature = page.locator('.card', { hasText: 'checkout-redesign' })
  await feature.getByRole('switch', { name: 'checkout-redesign in development', checked: true }).waitFor()
  await feature.getByRole('button', { name: 'checkout-redesign', expanded: false }).click()
  await feature.getByText('checkout-cohort').waitFor()
  await feature.getByText('one-page 50 %, two-pages 50 %').waitFor()
  await page.locator('.card', { hasText: 'live-invite' }).getByText('Expires in 30 days').waitFor()
  await page.locator('.card', { hasText: 'disabled-invite' }).getByText('disabled', { exact: true }).waitFor()
  await page.getByText('Expired 1 day ago, though stored as enabled').waitFor()
  await page.getByText('2 · editor@example.com').waitFor()
  await panel.ask('POST', clonePath, { name: 'just-cloned' })
  await page.getByRole('button', { name: 'just-cloned', expanded: false }).waitFor()
  await page.getByLabel('Find a feature').pressSequentially('push-o')
  await page.getByText('1 feature', { exact: true }).waitFor()
  expect(await page.locator('.opens').allInnerTexts()).toEqual([expect.stringContaining('push-opt-in')])
})

it('the panel sets, advances and releases the clock, and jumps past the expiry of a token', async ({
  panel,
  page,
  server,
}) => {
  await panel.goTo('Clock')
  await page.getByRole('button', { name: 'Advance 1 day' }).click()
  await page.getByRole('main').getByText('21 Nov 2026, 12:00:00 UTC').waitFor()
  expect(server.mock.clock.now().toISOString()).toBe('2026-11-21T12:00:00.000Z')
  await page.getByRole('button', { name: 'Jump just past expiry: Live invite' }).click()
  await page.locator('.card', { hasText: 'Live invite' }).getByText('Expired').waitFor()
  expect(server.mock.signupTokens.get('live-invite')?.enabled).toBe(false)
  await page.getByLabel('Set to (UTC)').fill('2027-01-02T03:04:05')
  await page.getByRole('button', { name: 'Set and freeze' }).click()
  await page.getByRole('main').getByText('2 Jan 2027, 03:04:05 UTC').waitFor()
  await page.getByRole('button', { name: 'Back to real time' }).click()
  await page.getByRole('button', { name: 'Freeze now' }).click()
  await expect.poll(() => server.mock.clock.frozen).toBe(true)
  await page.getByRole('button', { name: 'Back to real time' }).waitFor()
})

it('the panel makes an operation fail in a documented way, and undoes that', async ({ panel, page }) => {
  await panel.goTo('Forced answers')
  const operation = page.getByRole('combobox', { name: 'Operation' })
  await operation.fill('cloneFeature')
  const documented = page.locator('optgroup[label="Documented for cloneFeature"] option')
  expect((await documented.allTextContents()).map((text) => text.slice(0, 3))).toContain('409')
  await page.getByRole('combobox', { name: 'Answer' }).selectOption('409')
  await page.getByLabel('Error message').fill('Taken <b>already</b>')
  await page.getByLabel('Repeat').fill('1')
  await page.getByRole('button', { name: 'Force this answer' }).click()
  await page.getByText('for 1 request · matched 0 times').waitFor()
  const refused = await panel.ask('POST', clonePath, { name: 'a-copy' })
  expect(refused.status).toBe(409)
  expect(await refused.json()).toMatchObject({ message: 'Taken <b>already</b>' })
  await page.getByText('for 1 request · matched 1 time').waitFor()
  await page.getByRole('button', { name: /^Remove the forced answer/ }).click()
  await page.getByText('No forced answers').waitFor()
  await operation.fill('every')
  await operation.press('Enter')
  await page.getByRole('combobox', { name: 'Answer' }).selectOption('reset')
  await page.getByRole('button', { name: 'Force this answer for every operation' }).click()
  await page.getByText('reset: the connection breaks').waitFor()
  await expect(panel.ask('GET', '/health')).rejects.toThrow('fetch failed')
})

it('the panel looks at one session at a time', async ({ panel, page, server }) => {
  await panel.ask('GET', '/health', undefined, { 'x-mock-session': 'ada' })
  await panel.goTo('Sessions')
  await page.getByLabel('Another session').fill('ada')
  await page.getByRole('main').getByRole('button', { name: 'Open' }).last().click()
  await panel.goTo('Requests')
  await page.locator('.entry', { hasText: '/health' }).waitFor()
  await page.getByText('Nothing yet').click()
  await page.getByRole('button', { name: /Nothing yet/, pressed: true }).waitFor()
  expect(server.mock.session('ada').activeScenarios).toEqual(['empty'])
  expect(server.mock.activeScenarios).toEqual(['default'])
  await page.getByRole('combobox', { name: 'Session' }).selectOption('shared')
  await page.getByText('No requests yet.').waitFor()
  await page.locator('.message', { hasText: 'Switched to empty.' }).getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone.').waitFor()
  expect(server.mock.session('ada').activeScenarios).toEqual(['default'])
})

it("the panel saves the features as the service's export file", async ({ panel, page }) => {
  await panel.goTo('Snapshot')
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export for the service' }).click()
  const file = JSON.parse(await readFile(await (await downloading).path(), 'utf8'))
  expect(file.features.map(({ name }: { name: string }) => name)).toContain('checkout-redesign')
})

it('the panel downloads and uploads a snapshot, and says what is wrong with a broken one', async ({
  panel,
  page,
  server,
}) => {
  await panel.goTo('Snapshot')
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download the data of default' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('flagdouble-default.json')
  const snapshot = JSON.parse(await readFile(await download.path(), 'utf8'))
  expect(snapshot).toEqual(JSON.parse(JSON.stringify(server.mock.state())))
  const upload = async (state: unknown) => {
    const buffer = Buffer.from(typeof state === 'string' ? state : JSON.stringify(state))
    await page.getByLabel('Snapshot or fixture').setInputFiles({ name: 's.json', mimeType: 'application/json', buffer })
    await page.getByRole('button', { name: 'Upload' }).click()
  }
  await upload({ features: [{ name: 'lost', project: 'nowhere' }] })
  await page.getByText("That didn't work.").waitFor()
  expect(await page.locator('.message').textContent()).toMatch(/nowhere/)
  expect(await page.locator('.message .hint').textContent()).not.toBe('')
  await upload('{"features": ')
  await page.locator('.message', { hasText: 'not well-formed JSON' }).waitFor()
  expect(server.mock.state()).toEqual(snapshot)
  await page.getByLabel('Add its records').check()
  await upload({ features: [{ name: 'added' }] })
  await page.getByText('Records added.').waitFor()
  expect(panel.complaints.splice(0)).toHaveLength(2)
  expect(server.mock.features.get('added')).toBeDefined()
  await page.getByRole('button', { name: 'Reset…' }).click()
  const question = page.getByRole('dialog', { name: 'Reset the shared session?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await question.waitFor({ state: 'hidden' })
  expect(server.mock.features.get('added')).toBeDefined()
  await page.getByRole('button', { name: 'Reset…' }).click()
  await question.getByRole('button', { name: 'Reset' }).click()
  await page.getByText('Reset: data, clock and journal.').waitFor()
  expect(server.mock.features.get('added')).toBeUndefined()
})

it('the panel offers ready keys to copy, with what each may do', async ({ browser }) => {
  await using panel = await openPanel(browser, {}, clipboard)
  const { page } = panel
  await panel.goTo('Keys')
  await page.locator('.card', { hasText: '*:*.mock-admin' }).getByText('everything').waitFor()
  await page.getByRole('button', { name: 'Copy: user:mock-viewer' }).click()
  await page.getByText('Copied: user:mock-viewer.').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('user:mock-viewer')
})
